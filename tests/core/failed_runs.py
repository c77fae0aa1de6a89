"""Thirteen runs that went wrong, one for each failure pattern (a) to (m) of the paper's appendices B and E, in which the place
where each went wrong is known: to find out whether a person or a rule finds it.

Played by scripted models (`failed_run_models.py`) through the engine and the sandbox, over an archive with known answers
(`failed_run_archive.py`), into a data folder as the jobs do it. What is done right and what went wrong look alike: the steps are
those of any run, harmless troubles lie about, and no text of a run names its fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from failed_run_archive import archive, year
from failed_run_models import ListPriceLM

from rlm_core.errors import CallErrorKind
from rlm_core.jobs.asking import load_archive
from rlm_core.run import run_task
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Json, Limits, Outcome, Task

ROOMS = "In how many rooms did a leak come back after it was sealed?"
HOURS = "How many hours were booked in all on the rooms in which a leak came back after it was sealed?"
RIGHT = {ROOMS: f"{len(year().back)} rooms", HOURS: f"{year().hours} hours"}


def turn(span: str, cells: int = 1) -> frozenset[str]:
    """The places that count as one: a turn, the call that wrote it, and its cells."""
    return frozenset({span, f"{span}.k1", *(f"{span}.c{number}" for number in range(1, cells + 1))})


@dataclass(frozen=True, slots=True)
class FailedRun:
    """A run, and what an engineer should find in it."""

    letter: str
    what_went_wrong: str
    wrong: frozenset[str]
    """Spans that name the place: the turn with its call and its cells, or of a child its frame and those turns."""
    answer: str
    """How the answer begins."""
    outcome: Outcome = "answered"
    question: str = ROOMS
    options: Json = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    root_model: str = "openai/gpt-5"
    helper_model: str = "openai/gpt-5-mini"
    trips: Mapping[str, CallErrorKind] = field(default_factory=dict)
    """Words on whose first prompt a call fails: trouble without effect, for it is asked again."""

    @property
    def right(self) -> str:
        """How the right answer begins."""
        return RIGHT[self.question]


FAILED: tuple[FailedRun, ...] = (
    FailedRun(
        "a",
        "The right list stood in a variable; after its answer was sent back the root typed the list by hand and left rooms out.",
        turn("f1.t9"),
        "14 rooms",
        trips={"E-08": "rate_limit", "S-01": "server"},
    ),
    FailedRun(
        "b",
        "Every line of every report was given a helper call of its own, so the calls ran out in a third of the archive.",
        turn("f1.t5"),
        "5 rooms",
        limits=Limits(max_calls=400),
    ),
    FailedRun(
        "c",
        "With the right result recorded and checked, the root asked everything again in other words, and never came to an end.",
        turn("f1.t7"),
        "10 rooms",
        "forced",
        limits=Limits(max_turns=14),
        trips={"N-21": "server"},
    ),
    FailedRun(
        "d",
        "The variable of the final answer was set to the name of the text in place of the text.",
        turn("f1.t6"),
        "result_text",
        trips={"S-25": "server"},
    ),
    FailedRun(
        "e",
        "The child for the east house wrote a cell with a syntax error, did not mend it, and gave its empty list as the result.",
        frozenset({"f1.t3.c1.f1"}) | turn("f1.t3.c1.f1.t2") | turn("f1.t3.c1.f1.t3"),
        "14 rooms",
        options={"depth": 2},
    ),
    FailedRun(
        "f",
        "The archive was cut by report, that is by month, while seal and return of a room mostly lie in different months.",
        turn("f1.t4"),
        "6 rooms",
        trips={"Room E-20": "server", "Room S-12": "server"},
    ),
    FailedRun(
        "g",
        "Which entries tell of water was decided by a few keywords, which miss most of the wordings.",
        turn("f1.t4"),
        "5 rooms",
        options={"depth": 0},
    ),
    FailedRun(
        "h",
        "The whole archive was printed into the root's own conversation, which a few turns later no longer fitted its window.",
        turn("f1.t5"),
        "No answer was reached",
        "forced",
        limits=Limits(shown_chars=50_000),
        root_model="openai/gpt-3.5-turbo",
    ),
    FailedRun(
        "i",
        "The child for the fourth part answered without looking at its rooms, and said the same when it was sent back.",
        frozenset({"f1.t4.c1.f4"}) | turn("f1.t4.c1.f4.t1", 0) | turn("f1.t4.c1.f4.t2", 0),
        "13 rooms",
        options={"depth": 2},
        trips={"part 3 of 5": "server"},
    ),
    FailedRun(
        "j",
        "Beside the cell that lists the sealed rooms stood a guess of its output, and the next cell kept the guess.",
        turn("f1.t4", 3),
        "10 rooms",
        trips={"S-09": "rate_limit"},
    ),
    FailedRun(
        "k",
        "Helpers were asked about single lines, hundreds of them, and any two wet lines counted, whatever their order.",
        turn("f1.t5"),
        "23 rooms",
        trips={"20 May 2023  Towels": "server", "Joint at the riser": "rate_limit"},
    ),
    FailedRun(
        "l",
        "The whole archive went into the prompt of every room, which used up the money before half of the rooms were judged.",
        turn("f1.t5"),
        "No answer was reached",
        "forced",
        limits=Limits(max_usd=0.9),
        helper_model="openai/gpt-5",
    ),
    FailedRun(
        "m",
        "The root added the hours up in its head and made a mistake, with the session at hand.",
        turn("f1.t8"),
        "377.5 hours",
        question=HOURS,
        trips={"N-12": "server", "S-06": "rate_limit"},
    ),
)


def write_failed_run(store_home: Path, letter: str, *, title: str | None = None, latency_s: float = 0.0) -> str:
    """Play the run into a data folder, with its job and its archive. Returns the id of the run."""
    chosen = next(each for each in FAILED if each.letter == letter)
    store = Store.open(store_home)
    corpus, _ = load_archive(store, archive(), name="reports-2023")
    task = Task(
        chosen.question,
        corpus.id,
        options=chosen.options,
        root_model=chosen.root_model,
        helper_model=chosen.helper_model,
        limits=chosen.limits,
    )
    run = store.add_job(task, title=title, state="running")
    models = ListPriceLM(letter, chosen.trips, latency_s)
    with Recorder.open(store_home, run) as recorder:
        run_task(task, corpus, models, recorder.emit, emit_all=recorder.emit_all, job=run)
    store.set_job_state(run, "finished")
    store.close()
    return run
