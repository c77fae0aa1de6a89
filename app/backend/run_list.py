"""The list of all runs: what a search finds, what people wrote on runs, what they take on the disk, and deleting them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

import streamlit as st

from app.backend.archives import nameless
from app.backend.folder import current_store, store_of
from app.backend.questions import strategy_label
from app.backend.runs import read
from rlm_core.jobs import recorded
from rlm_core.store.annotations import Annotation
from rlm_core.store.listing import RunFilter, RunState
from rlm_core.store.readings import CoverageRow
from rlm_core.store.rows import Job, RunRow
from rlm_core.task import Outcome, Task
from rlm_core.waiting import open_approval

LISTED_RUNS = 500
RECORDED = recorded.RECORDED
"""Runs that are shipped."""
QUEUED = "queued"
STATES = (QUEUED, "running", *get_args(Outcome))
"""In the order in which they are offered."""
SETTLED_AFTER_S = 60.0
"""Of an archive that is larger than is looked through in that time the share is there when the list is opened again."""
NOTHING_WRITTEN = Annotation()


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run at a glance, begun or not."""

    id: str
    state: str
    """`queued`, `running`, or the outcome."""
    question: str
    archive: str
    strategy: str
    models: str
    started_at: float
    row: RunRow | None = None
    corpus: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()
    turn: int = 0
    """Of a run that is under way."""
    waits: bool = False
    """It waits for a person's word before it sends a large batch."""
    shown: CoverageRow | None = None
    """How much of its archive it was shown; `None` where nobody has looked yet."""


@dataclass(frozen=True, slots=True)
class RunList:
    """What a search, a state and a tag leave of all runs."""

    lines: Sequence[RunLine]
    """Newest first, with what is still queued at the top; of many only the newest."""
    found: int
    total: int
    states: Mapping[str, int]
    """How many runs the search and the tag leave in each state."""
    tags: Mapping[str, int]
    """All tags in use, and how many runs have each."""
    active: bool
    """Whether any run, listed or not, is queued or under way."""
    settling: bool
    """Whether one that is listed has just ended, so that what it was shown is still being looked for."""


def found_runs(find: str = "", state: str = "", tag: str = "") -> RunList:
    """The runs in which `find` is found, in one of `STATES` and with a tag; an empty one asks for nothing."""
    store = current_store()
    waiting = [line for line in _queued() if _matches(line, find, tag)]
    searched = RunFilter(find, tag=tag)
    states = store.count_states(searched)
    everything = states if not find and not tag else store.count_states(RunFilter())
    if waiting:
        states = {QUEUED: len(waiting), **states}
    begun = [] if state == QUEUED else _begun(RunFilter(find, cast(RunState, state), tag))
    lines = [*(waiting if state in ("", QUEUED) else ()), *begun]
    queued = len(store.jobs("queued"))
    return RunList(
        lines[:LISTED_RUNS],
        states.get(state, 0) if state else sum(states.values()),
        sum(everything.values()) + queued,
        states,
        store.tags_in_use(),
        bool(queued or everything.get("running")),
        any(_settles(line, time.time()) for line in lines[:LISTED_RUNS]),
    )


def _settles(line: RunLine, now: float) -> bool:
    ended_at = line.row.finished_at if line.row else None
    known = line.shown is not None and line.shown.complete
    if known or (
        line.row and line.archive == nameless(line.row.corpus)
    ):  # without its archive nothing can be looked for
        return False
    return ended_at is not None and now - ended_at < SETTLED_AFTER_S


def run_lines() -> list[RunLine]:
    """The newest runs, with what is still queued at the top."""
    return [*_queued(), *_begun(RunFilter())]


def newest_run() -> str | None:
    waiting = current_store().jobs("queued")
    newest = current_store().runs(1)
    return waiting[-1].id if waiting else newest[0].id if newest else None


def run_line(run: str) -> RunLine | None:
    """One run of the list, wherever in it; `None` if there is no such run."""
    store = current_store()
    written, names = store.annotations(), store.corpus_names()
    row, job = store.run(run), store.job(run)
    if row:
        return _line_of_run(row, names, written.get(run, NOTHING_WRITTEN))
    return _line_of_job(job, names, written.get(run, NOTHING_WRITTEN)) if job else None


def models_label(asked: Task | RunRow) -> str:
    """The models that answer a task; `base` has no helpers."""
    alone = asked.strategy == "base" or asked.root_model == asked.helper_model
    return asked.root_model if alone else f"{asked.root_model}, helpers {asked.helper_model}"


def recorded_run() -> str | None:
    """The recorded run that is shipped, put into the data folder on first use; `None` if it was deleted."""
    return recorded.ensure_sample_run(current_store())


def recorded_comparison() -> tuple[str, ...]:
    """Runs of one question that are shipped, put into the data folder if they are not there. Raises `Problem`."""
    return recorded.recorded_comparison(current_store())


def rename(run: str, title: str) -> None:
    """Give a run a title; an empty one takes it away. Raises `Problem`."""
    current_store().rename(run, title)


def retag(runs: Sequence[str], before: Sequence[str], after: Sequence[str]) -> None:
    """Change the tags that all of `runs` have from `before` to `after`; other tags stay. Raises `Problem`."""
    store = current_store()
    written, gone = store.annotations(), set(before) - set(after)
    for run in runs:
        kept = [tag for tag in written.get(run, NOTHING_WRITTEN).tags if tag not in gone]
        store.set_tags(run, [*kept, *after])


def delete_runs(runs: Sequence[str]) -> int:
    """Delete runs for good, all or none. Returns the bytes that this frees. Raises `Problem`."""
    store = current_store()
    freed = store.bytes_together(runs)
    store.delete_runs(runs)
    return freed


def bytes_together(runs: Sequence[str]) -> int:
    """What deleting these runs would free."""
    return current_store().bytes_together(runs)


def bytes_of_runs(lines: Sequence[RunLine]) -> Mapping[str, int]:
    """What each run takes on the disk with all its texts; runs that are under way are left out, for they grow."""
    store = current_store()
    ended = tuple((line.id, line.row.last_seq) for line in lines if line.row and line.row.outcome)
    return _bytes_of_runs(store.home, ended)


@st.cache_data(max_entries=4, show_spinner=False)
def _bytes_of_runs(home: Path, ended: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """Computed anew when a run has ended or gone, not for each look at the list."""
    found = store_of(home).bytes_of_runs()
    return {run: found[run] for run, _ in ended if run in found}


def _queued() -> list[RunLine]:
    """Newest first."""
    store = current_store()
    jobs = store.jobs("queued")
    if not jobs:
        return []
    names, written = store.corpus_names(), store.annotations()
    return [
        _line_of_job(job, names, written.get(job.id, NOTHING_WRITTEN))
        for job in reversed(jobs)
        if store.run(job.id) is None
    ]


def _begun(wanted: RunFilter) -> list[RunLine]:
    store = current_store()
    names, written, turns = store.corpus_names(), store.annotations(), store.turns_under_way()
    rows = store.runs(LISTED_RUNS, wanted=wanted)
    shown = store.coverage_of([row.id for row in rows])
    return [
        _line_of_run(
            row, names, written.get(row.id, NOTHING_WRITTEN), turns.get(row.id, 0), _waits(row), shown.get(row.id)
        )
        for row in rows
    ]


def _waits(row: RunRow) -> bool:
    """Asked of the few that are under way, whose events are followed."""
    return row.outcome is None and read(row.id, open_approval) is not None


def _line_of_run(
    row: RunRow,
    names: Mapping[str, str],
    written: Annotation,
    turn: int = 0,
    waits: bool = False,
    shown: CoverageRow | None = None,
) -> RunLine:
    return RunLine(
        row.id,
        row.outcome or "running",
        row.question,
        names.get(row.corpus) or nameless(row.corpus),
        strategy_label(row.strategy, row.options),
        models_label(row),
        row.started_at,
        row,
        row.corpus,
        written.title or "",
        written.tags,
        turn,
        waits,
        shown,
    )


def _line_of_job(job: Job, names: Mapping[str, str], written: Annotation) -> RunLine:
    task = job.task
    return RunLine(
        job.id,
        QUEUED if job.state == QUEUED else "running",
        task.question,
        names.get(task.corpus) or nameless(task.corpus),
        strategy_label(task.strategy, task.options),
        models_label(task),
        job.created_at,
        None,
        task.corpus,
        written.title or "",
        written.tags,
    )


def _matches(line: RunLine, find: str, tag: str) -> bool:
    """Whether a run that has not begun is looked for; the store answers that for all others."""
    texts = (line.id, line.question, line.title, *line.tags)
    return (not tag or tag in line.tags) and any(find.lower() in text.lower() for text in texts)
