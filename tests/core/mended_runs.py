"""The runs that went wrong (`failed_runs.py`) without what was wrong in them: the same models over the same archive, and the same
harmless troubles, with the right answer at the end. Each is the near miss of one failure pattern.

What a root says is what its file says there, with some turns written anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from failed_run_archive import archive
from failed_run_models import ListPriceLM, replies_for
from failed_runs import FAILED

from rlm_core.errors import CallErrorKind
from rlm_core.jobs.asking import load_archive
from rlm_core.lm.client import Request
from rlm_core.run import run_task
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Task


def cell(code: str) -> str:
    return f"```repl\n{code.strip()}\n```"


ANSWER_FROM_BACK = cell('answer["content"] = f"{len(back)} rooms: {\', \'.join(sorted(back))}"\nanswer["ready"] = True')


@dataclass(frozen=True, slots=True)
class MendedRun:
    letter: str
    turns: Mapping[int, str] = field(default_factory=dict)
    """Turns of the root that are written anew, by number; those after the last of them are left out."""
    reads_as: tuple[tuple[str, str], ...] = ()
    """Words of any frame that are other ones."""
    told_as: tuple[str, str] = ("", "")
    """Words of a child's question, and those of the sibling that it speaks like."""
    trips: bool = True
    """Whether calls fail as they did; only where they are asked again."""


ONE_ROOM_A_CALL = """
sealed = sorted({room for room, line, _ in entries if "sealed" in line})
replies = dict(zip(sealed, llm_query_batched([f"{task}\\n\\nRoom {room}\\n{told_of(room)}" for room in sealed])))
back = {room: reply.split(" | ") for room, reply in replies.items() if reply.startswith("yes")}
print(len(replies), len(back), [room for room in sealed if not replies[room]])
"""
ROOMS_AS_WHOLE = """
said = dict(zip(sealed, llm_query_batched([task + story(room) for room in sealed])))
back = [room for room in sealed if said[room].startswith("yes")]
print(len(back), [room for room in sealed if not said[room]])
"""
HOUSES_AS_WHOLE = """
houses = ("north", "south", "east", "mill")
texts = ["\\n\\n".join(str(doc) for doc in context if doc.path.startswith(house)) for house in houses]
said = dict(zip(houses, llm_query_batched([task(text) for text in texts])))
print([house for house in houses if not said[house]])
"""
LINES_OF_HOUSES = """
back = {}
for house, reply in said.items():
    for line in reply.splitlines():
        room, label, date, sentence = line.split(" | ")
        back[room] = sentence
print(len(back))
"""
OWN_PROMPT = """
sealed = sorted(room for room, lines in {table}.items() if any("sealed" in line for _, line, _ in lines))

def prompt(room):
    task = "Did water come back at the place after the seal? One line: yes, no or unknown | date | sentence."
    return task + f"\\n\\nRoom {{room}}\\n" + "\\n".join(line for _, line, _ in {table}[room])

"""
ENTRIES_OF_ROOMS = """
replies = dict(zip(sealed, llm_query_batched([prompt(room) for room in sealed])))
back = [room for room in sealed if replies[room].startswith("yes")]
print(len(replies), len(back), [room for room in sealed if not replies[room]])
"""
OTHER_HALF = """
rest = [room for room in sealed if room not in replies]
replies |= dict(zip(rest, llm_query_batched([prompt(room) for room in rest])))
back = [room for room in sealed if replies[room].startswith("yes")]
print(len(replies), len(back), [room for room in sealed if not replies[room]])
"""

MENDED = (
    MendedRun("a", {7: cell('FINAL_VAR("result")')}),
    MendedRun("b", {5: cell(ONE_ROOM_A_CALL), 6: ANSWER_FROM_BACK}),
    MendedRun("c", {7: ANSWER_FROM_BACK}),
    MendedRun("d", reads_as=(('final_answer = "result_text"', "final_answer = result_text"),)),
    MendedRun("e", reads_as=((', "%d %b %Y"))\n    for room in sealed', ', "%d %b %Y")))\n    for room in sealed'),)),
    MendedRun("f", {4: cell(HOUSES_AS_WHOLE), 5: cell(LINES_OF_HOUSES), 6: ANSWER_FROM_BACK}, trips=False),
    MendedRun("h", {5: cell(OTHER_HALF), 6: ANSWER_FROM_BACK}),
    MendedRun("i", told_as=("part 4 of", "part 1 of")),
    MendedRun("j", {4: cell(OWN_PROMPT.format(table="entries") + ENTRIES_OF_ROOMS), 5: ANSWER_FROM_BACK}, trips=False),
    MendedRun("k", {5: cell(ROOMS_AS_WHOLE), 6: ANSWER_FROM_BACK}, trips=False),
    MendedRun("l", {5: cell(OWN_PROMPT.format(table="rooms") + ENTRIES_OF_ROOMS), 6: ANSWER_FROM_BACK}),
    MendedRun(
        "m", reads_as=(("total_hours = 377.5", "total_hours = sum(h for room in back for _, _, h, _ in rooms[room])"),)
    ),
)


class MendedLM(ListPriceLM):
    """The models of such a run."""

    def __init__(self, mended: MendedRun, trips: Mapping[str, CallErrorKind]) -> None:
        super().__init__(mended.letter, trips)
        self._mended = mended

    def _turn(self, request: Request) -> str:
        told = (
            request.messages[1].text.replace(*self._mended.told_as)
            if self._mended.told_as[0]
            else request.messages[1].text
        )
        turns = replies_for(self._letter, told)
        number = sum(message.role == "assistant" for message in request.messages) + 1
        reply = self._mended.turns.get(number) or turns[min(number, len(turns)) - 1]
        for old, new in self._mended.reads_as:
            reply = reply.replace(old, new)
        return reply


def write_mended_run(store_home: Path, letter: str) -> str:
    """Play the run into a data folder. Returns its id."""
    mended = next(each for each in MENDED if each.letter == letter)
    failed = next(each for each in FAILED if each.letter == letter)
    store = Store.open(store_home)
    corpus, _ = load_archive(store, archive(), name="reports-2023")
    task = Task(
        failed.question,
        corpus.id,
        options=failed.options,
        root_model="openai/gpt-5",
        helper_model="openai/gpt-5-mini",
    )
    run = store.add_job(task, title=f"{letter} mended", state="running")
    models = MendedLM(mended, failed.trips if mended.trips else {})
    with Recorder.open(store_home, run) as recorder:
        run_task(task, corpus, models, recorder.emit, emit_all=recorder.emit_all, job=run)
    store.set_job_state(run, "finished")
    store.close()
    return run
