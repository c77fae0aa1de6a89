"""Runs side by side: what each was read to say, followed while it is under way, and what could be laid beside a run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from app.backend.archives import corpus_of
from app.backend.coverage import covered, is_looking
from app.backend.evidence import EvidenceRow
from app.backend.folder import current_store, store_of
from app.backend.run_list import RunLine, run_lines
from app.backend.runs import read, whole
from app.backend.sweeps import put_off
from rlm_core import events as ev
from rlm_core.compare import Comparison, Reading, align, listed_lines, reading_of
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CorpusError, StoreError
from rlm_core.evidence.quotes import locate
from rlm_core.evidence.reach import Reach, has_window
from rlm_core.lineage import attempt, independent
from rlm_core.store.rows import RunRow
from rlm_core.task import Finding, Origin
from rlm_core.view import RunView

MOST_COMPARED = 6
LOOK_UP_S = 4.0
"""In all, for the quotes that an answer lists. What is left then was not looked for."""


@dataclass(frozen=True, slots=True)
class Compared:
    comparison: Comparison
    unknown: tuple[str, ...]
    """What was asked for and is not there."""
    looking: bool = False
    """What the models of a run were shown is being looked for: there may be more to say in a moment."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Runs of one archive and one question, newest first."""

    archive: str
    question: str
    lines: tuple[RunLine, ...]


def compared(wanted: Sequence[str]) -> Compared:
    """The runs as they are now, those that have not begun too, in the order they were asked for."""
    store = current_store()
    reached: list[tuple[str, int, bool]] = []
    for run in wanted:
        last_seq = read(run, _last_seq)
        if last_seq is not None or store.job(run):
            reached.append((run, -1 if last_seq is None else last_seq, _is_covered(run)))
    known = {run for run, *_ in reached}
    comparison, unknown = _aligned(store.home, tuple(reached)), tuple(run for run in wanted if run not in known)
    return Compared(comparison, unknown, any(is_looking(run.id) for run in comparison.runs if not run.active))


def _is_covered(run: str) -> bool:
    """Whether all is known of what lay outside the window of an ended run that has one. It is looked for where it is not."""
    archive = read(run, _archive_in_order)
    if not archive:
        return False
    try:
        found = covered(run, archive)
    except CorpusError:
        return False
    return found is not None and found.complete


def _archive_in_order(view: RunView) -> str:
    return view.task.corpus if view.task and view.outcome and has_window(view) else ""


def _reach(run: str) -> Reach | None:
    """What lay outside the window of such a run."""
    archive = read(run, _archive_in_order)
    found = covered(run, archive) if archive else None
    return found.reach if found else None


def _last_seq(view: RunView) -> int:
    return view.last_seq


@st.cache_resource(max_entries=16, show_spinner=False)
def _aligned(home: Path, reached: tuple[tuple[str, int, bool], ...]) -> Comparison:
    return align([_reading(home, *each) for each in reached])


@st.cache_resource(max_entries=32, show_spinner=False)
def _reading(home: Path, run: str, last_seq: int, is_covered: bool = False) -> Reading:
    if last_seq < 0:
        return reading_of(_not_begun(home, run))
    # Looking takes seconds, so it is done between two reads: who else follows the run must not wait for it.
    checked = _looked_up(*(read(run, _to_look_up) or ("", [])))

    def look_up(_: str, lines: Sequence[Finding]) -> Sequence[ev.QuoteChecked | None]:
        return checked if len(checked) == len(lines) else [None] * len(lines)

    reach = _reach(run) if is_covered else None
    with put_off():
        return read(run, reading_of, whole, look_up, reach) or reading_of(_not_begun(home, run))


def _to_look_up(view: RunView) -> tuple[str, list[Finding]]:
    return (view.task.corpus if view.task else ""), listed_lines(view, whole)


def _not_begun(home: Path, run: str) -> RunView:
    view, job = RunView(), store_of(home).job(run)
    if job is None:
        raise StoreError(f"There is no run {run} any more. It was deleted a moment ago.")
    view.run, view.task = run, job.task
    return view


def _looked_up(corpus_id: str, lines: Sequence[Finding]) -> list[ev.QuoteChecked | None]:
    """Where the quotes of these lines stand; `None` for those that time was too short for, or whose archive is gone."""
    try:
        corpus = corpus_of(corpus_id)
    except CorpusError:
        return [None] * len(lines)
    until = time.monotonic() + LOOK_UP_S
    return [_looked_for(line, corpus) if time.monotonic() < until else None for line in lines]


def _looked_for(line: Finding, corpus: Corpus) -> ev.QuoteChecked:
    place = locate(line.quote, corpus, line.source, item=line.item, timeout_s=1.0)
    return place.checked()


def answer_quotes(run: str) -> list[EvidenceRow]:
    """What the answer of a run lists that recorded no findings, and what became of looking for its quotes."""
    last_seq = read(run, _last_seq)
    if last_seq is None:
        return []
    reading = _reading(current_store().home, run, last_seq)
    return [
        EvidenceRow(reading.names[key], said.label, each.quote, each.source, "", each.checked)
        for key, said in reading.said.items()
        if said.how == "listed"
        for each in said.quotes
    ]


def alike() -> list[Alike]:
    """Runs that have begun, by archive and question; newest first in every way."""
    found: dict[tuple[str, str], list[RunLine]] = {}
    for line in run_lines():
        if line.row:
            found.setdefault((line.row.corpus, " ".join(line.question.split())), []).append(line)
    return [Alike(lines[0].archive, lines[0].question, tuple(lines)) for lines in found.values()]


def to_add(chosen: Sequence[str]) -> list[RunLine]:
    """Other runs of the first one's archive: those of its question first, then newest first."""
    lines = {line.id: line for line in run_lines() if line.row}
    first = next((lines[run] for run in chosen if run in lines), None)
    if first is None or first.row is None:
        return []
    corpus, question = first.row.corpus, first.question
    others = [line for line in lines.values() if line.row and line.row.corpus == corpus and line.id not in chosen]
    return sorted(others, key=lambda line: line.question != question)


def repeats_of(run: str, leaving_out: Sequence[str] = ()) -> list[str]:
    """The independent runs of the task of this one, newest first; none of them goes on from it, nor from one that is left out."""
    row, known = current_store().run(run), origins()
    if row is None:
        return []
    here = {found[0] for each in (run, *leaving_out) if (found := attempt(each, known))}
    same = [line.id for line in run_lines() if line.row and _task_of(line.row) == _task_of(row)]
    counted = independent(same, known)
    return [each for each in same if each in counted and (found := attempt(each, known)) and found[0] not in here]


def origins() -> dict[str, Origin]:
    """What runs go on from, of those that do."""
    return current_store().origins()


def _task_of(row: RunRow) -> tuple[object, ...]:
    """What is the same of two runs of one task: not its limits."""
    question = " ".join(row.question.split())
    return row.corpus, question, row.strategy, row.options, row.root_model, row.helper_model
