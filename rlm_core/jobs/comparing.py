"""Stored runs as `compare` lays them side by side: with what lay outside each one's window, and with the quotes of an answer's
lines looked for in the archive, as long as that is here and time is left."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from rlm_core import events as ev
from rlm_core.compare import Comparison, Reading, Whole, align, reading_of
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CorpusError, StoreError
from rlm_core.evidence.quotes import locate
from rlm_core.evidence.reach import Reach, has_window, reach_of
from rlm_core.jobs.reading import corpus_of, coverage, is_looked_at
from rlm_core.passages import Passage
from rlm_core.store.store import Store
from rlm_core.task import Finding
from rlm_core.view import RunView, fold

LOOK_UP_S = 30.0
"""For the quotes of the lines of one answer. What is left then was not looked for."""


def compared(store: Store, runs: Sequence[str]) -> Comparison:
    """Of runs, and of jobs that have not begun. Raises `StoreError` for one that is not there."""
    return align([_reading(store, run) for run in runs])


def _reading(store: Store, run: str) -> Reading:
    view = fold(store.events(run, resolve=False))
    if view.task is None:
        job = store.job(run)
        if job is None:
            raise StoreError(f"There is no run {run}. It may have been deleted.")
        view.run, view.task = run, job.task
        return reading_of(view)

    def whole(text: Passage) -> str:
        return text.head if text.sha is None else store.text(text.sha)

    return read(store, run, view, whole)


def read(store: Store, run: str, view: RunView, whole: Whole) -> Reading:
    """What a run that has begun says of items, to be laid beside others. `whole` loads a long text."""
    try:
        corpus = corpus_of(store, run)
    except CorpusError:
        return reading_of(view, whole)
    return reading_of(view, whole, partial(_looked_up, corpus), _reach(store, corpus, run, view))


def _reach(store: Store, corpus: Corpus, run: str, view: RunView) -> Reach | None:
    """What lay outside the window of a run that has one, if all of it could be looked at."""
    if not has_window(view):
        return None
    try:
        seen = coverage(store, corpus, run)
    except CorpusError:
        return None
    return reach_of(view, corpus, seen) if is_looked_at(store, run) else None


def _looked_up(corpus: Corpus, _: str, lines: Sequence[Finding]) -> list[ev.QuoteChecked | None]:
    until = time.monotonic() + LOOK_UP_S
    return [
        locate(line.quote, corpus, line.source, item=line.item, timeout_s=1.0).checked()
        if time.monotonic() < until
        else None
        for line in lines
    ]
