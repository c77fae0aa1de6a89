"""A run as a file that others can read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from app import long_texts
from app.backend.archives import corpus_of
from app.backend.folder import current_store
from app.backend.runs import read, whole
from rlm_core.errors import CorpusError
from rlm_core.evidence.sources import unit_at
from rlm_core.exporters import findings, jsonl
from rlm_core.jobs.reading import shown_of
from rlm_core.view import RunView, fold


def run_as_lines(run: str) -> Iterator[str] | None:
    """All events of a run and the notes on its nodes, one line of JSON each: what can be kept, sent, and read back. Made as they
    are asked for: a run may be larger than the memory. `None` if there is no such run, or it has not begun."""
    store = current_store()
    if store.run(run) is None:
        return None
    return (f"{line}\n" for line in jsonl.to_lines(run, store.events(run), store.notes(run), store.stories.of(run)))


def findings_as(form: Literal["csv", "json"], run: str) -> str | None:
    """The findings of a run with what became of each quote, and whether a model had been shown it; `None` as above."""
    store = current_store()
    if store.run(run) is None:
        return None
    view = fold(store.events(run))
    rows = findings.findings_of(view, _units(view), shown_of(store, run, view))
    return findings.to_csv(rows) if form == "csv" else findings.to_json(rows)


def _units(view: RunView) -> findings.UnitOf:
    try:
        return partial(unit_at, corpus_of(view.task.corpus if view.task else ""))
    except CorpusError:  # the archive is gone: what the run knows of its findings is exported all the same
        return findings.no_unit


def text_of_node(span: str, what: str, run: str) -> str | None:
    """A text of a node, whole and unchanged (`long_texts.py`); `None` if there is none such."""
    text = read(run, long_texts.text_of, span, what)
    return whole(text) if text is not None else None
