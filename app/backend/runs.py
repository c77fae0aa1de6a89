"""The folded views of the runs that are being looked at, shared by all sessions."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from app.backend.folder import current_store, store_of
from app.sheet import Sheet, queued_sheet, sheet_of
from rlm_core.passages import Passage, passage
from rlm_core.view import RunView


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
