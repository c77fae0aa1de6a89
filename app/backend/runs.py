"""Runs: the list of all, and the folded views of those that are being looked at, shared by all sessions."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from app.backend.archives import UNLISTED
from app.backend.folder import current_store, store_of
from app.backend.questions import strategy_label
from app.sheet import Sheet, queued_sheet, sheet_of
from rlm_core.jobs import asking
from rlm_core.passages import Passage, passage
from rlm_core.store.rows import RunRow
from rlm_core.view import RunView

LISTED_RUNS = 500
RECORDED_RUN = asking.SAMPLE_RUN_ID


@dataclass(slots=True)
class _Followed:
    """A run that somebody looks at: its view so far, and the sheet made of it."""

    view: RunView = field(default_factory=RunView)
    sheet: Sheet | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


@st.cache_resource(max_entries=8, show_spinner=False)
def _followed(home: Path, run: str) -> _Followed:
    return _Followed()


def sheet(run: str) -> Sheet | None:
    """The run as it is now, also one that has not begun; `None` if there is no such run."""
    store = current_store()
    row = store.run(run)
    if row is None:
        job = store.job(run)
        return queued_sheet(job.id, job.task) if job else None
    followed = _followed(store.home, run)
    with followed.lock:
        new = store.events(run, followed.view.last_seq, resolve=False)
        for event in new:
            followed.view.apply(event)
        if new or followed.sheet is None:
            followed.sheet = sheet_of(followed.view)
        return followed.sheet


def prompt(run: str, call: str) -> list[tuple[str, Passage]]:
    """All messages that a call was sent: role and text."""
    followed = _followed(current_store().home, run)
    with followed.lock:
        return [(message.role, passage(message.text)) for message in followed.view.prompt(call)]


def whole(text: Passage) -> str:
    """All of a text."""
    return text.head if text.sha is None else _text(current_store().home, text.sha)


@st.cache_data(max_entries=200, show_spinner=False)
def _text(home: Path, sha: str) -> str:
    return store_of(home).text(sha)


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run at a glance, begun or not."""

    id: str
    state: str
    question: str
    archive: str
    strategy: str
    models: str
    started_at: float
    row: RunRow | None = None


def runs() -> list[RunLine]:
    """Newest first, with what is still queued at the top."""
    names = {row.id: row.name for row in current_store().corpora()}
    begun = [
        RunLine(
            row.id,
            row.outcome or "running",
            row.question,
            names.get(row.corpus, UNLISTED),
            strategy_label(row.strategy, row.options),
            models_label(row.root_model, row.helper_model),
            row.started_at,
            row,
        )
        for row in current_store().runs(LISTED_RUNS)
    ]
    known = {line.id for line in begun}
    waiting = [
        RunLine(
            job.id,
            "queued",
            job.task.question,
            names.get(job.task.corpus, UNLISTED),
            strategy_label(job.task.strategy, job.task.options),
            models_label(job.task.root_model, job.task.helper_model),
            job.created_at,
        )
        for job in current_store().jobs("queued")
        if job.id not in known
    ]
    return [*reversed(waiting), *begun]


def models_label(root: str, helper: str) -> str:
    return root if root == helper else f"{root}, helpers {helper}"


def newest_run() -> str | None:
    found = runs()
    return found[0].id if found else None


def recorded_run() -> str | None:
    """The recorded run that is shipped, put into the data folder on first use; `None` if it was deleted."""
    return asking.ensure_sample_run(current_store())
