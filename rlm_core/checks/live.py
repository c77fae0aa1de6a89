"""Three small questions with known answers, asked of a real model: does the set-up work, and can this model be an RLM?

    three rooms    read and decide: one room of three, and a trap in each of the others
    counting       let code count what no model can count by reading
    needle         find one line in a text that is too long to be printed

It knows what the right answers are, and how to say what went wrong. It spends at most what it is told to, as far as prices
are known; calls, turns and time are bounded in any case.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from rlm_core import events as ev
from rlm_core.corpus.ingest import Source
from rlm_core.jobs.asking import answer_now, check, load_archive
from rlm_core.samples import THREE_ROOMS, sample
from rlm_core.store.store import Store
from rlm_core.task import PROVEN, Limits, Task
from rlm_core.view import RunView
from rlm_core.wording import exact

MAX_CALLS = 30
MAX_TURNS = 8
TIMEOUT_S = 300.0


@dataclass(frozen=True, slots=True)
class Question:
    """`expected`: patterns that the right answer fits, each of them."""

    name: str
    text: str
    document: str
    content: bytes
    expected: tuple[str, ...]
    expected_in_words: str
    wants_quote: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one question. `problems` are sentences, the one that matters most first; `remarks` did no harm."""

    question: Question
    view: RunView
    problems: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.problems


def questions() -> tuple[Question, ...]:
    """The three questions. The same every time."""
    return (_three_rooms(), _counting(), _needle())


def _three_rooms() -> Question:
    return Question(
        "three rooms",
        "In which rooms did the leak come back after it had been repaired? How many are they? "
        "Record a finding with its quote for each room.",
        THREE_ROOMS,
        sample(THREE_ROOMS).read_bytes(),
        (r"\bA12\b", r"(?i)\b(1|one|only)\b"),
        "1 room, A12",
        wants_quote=True,
    )


def _counting() -> Question:
    chance = random.Random(12)
    states = [chance.choice(("ok", "ok", "ok", "FAILED", "skipped")) for _ in range(900)]
    lines = [f"2024-03-{1 + n // 31:02d} job {n:04d} state={state}" for n, state in enumerate(states)]
    failed = states.count("FAILED")
    text = "\n".join(lines).encode()
    return Question(
        "counting", "How many jobs have the state FAILED?", "jobs.log", text, (rf"\b{failed}\b",), f"{failed} jobs"
    )


def _needle() -> Question:
    chance = random.Random(7)
    words = (
        "gate",
        "north",
        "meter",
        "reading",
        "closed",
        "valve",
        "checked",
        "south",
        "pump",
        "round",
        "quiet",
        "dry",
    )
    lines = [f"{n:04d} {' '.join(chance.choices(words, k=9))}." for n in range(1_500)]
    lines[1_043] = "1043 the access code of the orchard door was set to 7QK-4182."
    text = "\n".join(lines).encode()
    asked = "What is the access code of the orchard door?"
    return Question("needle", asked, "rounds.txt", text, (r"7QK-?\s?4182",), "7QK-4182")


def try_model(
    store: Store,
    task: Task,
    max_usd: float,
    on_question: Callable[[Question], Callable[[RunView], None]],
) -> list[Trial]:
    """Ask the three questions with the models of `task`. Stops early where going on would only cost: when the model cannot
    be reached, the run was cancelled, or the money is used up. Raises `TaskError` for a model that cannot work at all."""
    trials: list[Trial] = []
    for question in questions():
        spent = sum(trial.view.totals().cost_usd for trial in trials)
        if spent >= max_usd:
            break
        corpus, _ = load_archive(store, [Source(question.document, question.content)], name=question.document)
        limits: Limits = replace(
            task.limits, max_usd=max_usd - spent, max_calls=MAX_CALLS, max_turns=MAX_TURNS, timeout_s=TIMEOUT_S
        )
        asked = replace(task, question=question.text, corpus=corpus.id, limits=limits)
        check(asked)
        view = answer_now(store, asked, on_question(question))
        trials.append(judged(question, view))
        if view.outcome == "cancelled" or _never_answered(view):
            break
    return trials


def judged(question: Question, view: RunView) -> Trial:
    """What went wrong in the run of a question, in words."""
    problems = [] if view.outcome == "answered" else [_ending_in_words(view)]
    answer = view.answer.text if view.answer else ""
    if view.answer and not all(re.search(pattern, answer) for pattern in question.expected):
        problems.append(f"The answer is wrong: {question.expected_in_words} would have been right.")
    if _replies(view) and not _cells(view):
        problems.append(
            "The model wrote no code that could be run: it answered from the question alone, or only made plans."
        )
    return Trial(question, view, tuple(problems), tuple(_remarks(question, view)))


def _ending_in_words(view: RunView) -> str:
    reason = view.finished.reason if view.finished else ""
    if view.outcome == "forced":
        limits = [
            each.limit for node in view.nodes.values() for each in node.remarks if isinstance(each, ev.LimitReached)
        ]
        if "max_turns" in limits:
            return f"The model did not come to an answer within {MAX_TURNS} turns."
        if limits:
            return f"The limit {limits[0]} was reached before there was an answer."
        return "The model stopped writing code without handing over an answer."
    return reason or f"The run ended as {view.outcome}."


def _remarks(question: Question, view: RunView) -> list[str]:
    """What did not spoil the answer, but is worth knowing of a model."""
    said = []
    failed = sum(cell.status != "ok" for cell in _cells(view))
    if failed:
        said.append(f"{failed} of {exact(len(_cells(view)), 'cell')} of its code ended in an error.")
    refused = [node.finished.refused for node in view.nodes.values() if isinstance(node.finished, ev.TurnFinished)]
    if any(refused):
        said.append("An answer was sent back once: it came before the output that it rests on had been seen.")
    if question.wants_quote and view.answer:
        proven = sum(checked is not None and checked.verdict in PROVEN for _, _, checked in view.findings())
        if not view.findings():
            said.append("It recorded no findings, so its answers will carry no evidence.")
        elif proven < len(view.findings()):
            said.append(f"{len(view.findings()) - proven} of its {len(view.findings())} quotes are not in the text.")
    totals = view.totals()
    if totals.calls_without_usage and not _never_answered(view):
        said.append("The server does not report tokens, so limits in tokens and dollars cannot be kept.")
    elif totals.calls_without_cost and not _never_answered(view):
        said.append("The price of this model is not known, so a limit in dollars cannot be kept.")
    return said


def _cells(view: RunView) -> list[ev.CellFinished]:
    return [node.finished for node in view.nodes.values() if isinstance(node.finished, ev.CellFinished)]


def _replies(view: RunView) -> int:
    return sum(
        isinstance(node.finished, ev.CallFinished) and node.finished.status == "ok" for node in view.nodes.values()
    )


def _never_answered(view: RunView) -> bool:
    """No call came back: the next question would meet the same wall."""
    return view.outcome == "failed" and not _replies(view)
