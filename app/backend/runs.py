"""The folded views of the runs that are being looked at, shared by all sessions."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st

from app.backend.folder import current_store, store_of
from app.backend.sweeps import put_off
from rlm_core.events import RUN_SPAN
from rlm_core.folding import Tree
from rlm_core.looks.look import Look, Reading, look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.looks.sheet import Sheet, queued_sheet, sheet_of
from rlm_core.notes import Note
from rlm_core.passages import Passage, passage
from rlm_core.search import Found, find, matcher
from rlm_core.view import RunView

P = ParamSpec("P")
T = TypeVar("T")
LEFT_ALONE_EVENTS = 5_000
"""After so many new events, what is kept of a run is left out of the search for garbage."""
KEPT_CHARS = 200_000
"""Longer texts are not kept in memory."""
KEPT_LOOKS = 16
"""Of a run in one state: a page that asks once a second whether there is anything new draws what it has drawn."""


RESTS = 3
"""What took long to read is shown for so many times as long, less a second, before what came since is read: of a run of fifty
thousand nodes each state is two seconds' work, and whoever selects something waits while it is done."""


@dataclass(slots=True)
class _Followed:
    """A run that somebody looks at: its view so far, and what was made of it in this state."""

    view: RunView = field(default_factory=RunView)
    sheet: Sheet | None = None
    reading: Reading | None = None
    looks: dict[str, Look] = field(default_factory=dict)
    """By place, the latest last."""
    rests_until: float = 0.0
    """Of the clock that never goes back."""
    left_alone: int = 0
    """The last event of what is left out of the search for garbage."""
    lock: threading.Lock = field(default_factory=threading.Lock)


@st.cache_resource(max_entries=24, show_spinner=False)  # a comparison alone takes six
def _followed(home: Path, run: str) -> _Followed:
    return _Followed()


def _up_to_date(run: str) -> _Followed | None:
    """The run with all its events so far, or those of a moment ago while it rests; its lock is held by the caller for as long
    as it looks. `None`: not begun."""
    store = current_store()
    if store.run(run) is None:
        return None
    followed = _followed(store.home, run)
    with followed.lock:
        if time.monotonic() < followed.rests_until:
            return followed
        with put_off():
            new = store.events(run, followed.view.last_seq, resolve=False)
            for event in new:
                followed.view.apply(event)
        if new:
            followed.sheet = followed.reading = None
            followed.looks.clear()
    return followed


def read(run: str, made: Callable[Concatenate[RunView, P], T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """What a pure function makes of the run as it is now: `read(run, facts_of, span)`. `None` if the run has not begun or is
    not there. The view must not be kept: other sessions go on with it."""
    followed = _up_to_date(run)
    if followed is None:
        return None
    with followed.lock:
        return made(followed.view, *args, **kwargs)


def sheet(run: str) -> Sheet | None:
    """The run as it is now, also one that has not begun; `None` if there is no such run."""
    followed = _up_to_date(run)
    if followed is None:
        job = current_store().job(run)
        return queued_sheet(job.id, job.task, job.origin) if job else None
    with followed.lock:
        if followed.sheet is None:
            followed.sheet = sheet_of(followed.view)
        return followed.sheet


def look(place: Place) -> Look | None:
    """The run of a place as it is now, with what is selected and unfolded there; `None` if there is no such run."""
    followed = _up_to_date(place.run)
    if followed is None:
        queued = sheet(place.run)
        return Look(place, Reading(queued), Tree((), 0), {}) if queued else None
    with followed.lock:
        looks, key = followed.looks, repr(place)
        if key not in looks:
            began_s = time.thread_time()
            reading = followed.reading or reading_of(followed.view, whole)
            found = _found(followed.view, place.run, place.find) if place.find else None
            looks[key] = look_at(reading, place, found)
            if reading is not followed.reading:
                followed.reading = reading
                followed.rests_until = time.monotonic() + RESTS * (time.thread_time() - began_s) - 1.0
                _leave_alone(followed)
            if len(looks) > KEPT_LOOKS:
                del looks[next(iter(looks))]
        looked = looks[key]
    return replace(looked, notes=current_store().notes(place.run))


def _leave_alone(followed: _Followed) -> None:
    """Python searches all that is kept for garbage now and then: a quarter of a second for ten thousand nodes, in which the
    browser gets nothing. What is kept of a run has no circles, and is freed without that when it goes."""
    if followed.view.last_seq - followed.left_alone >= LEFT_ALONE_EVENTS:
        followed.left_alone = followed.view.last_seq
        gc.collect()
        gc.freeze()


def found(run: str, words: str) -> Found:
    """The nodes of a run that have the words in one of their texts."""
    return read(run, _found, run, words) or Found(words)


@dataclass(slots=True)
class _Sought:
    """Some words that somebody looks for in a run, and where they were found so far."""

    found: Found | None = None


@st.cache_resource(max_entries=24, show_spinner=False)
def _sought(home: Path, run: str, words: str) -> _Sought:
    return _Sought()


def _found(view: RunView, run: str, words: str) -> Found:
    """Called with the lock of the run, for the view is read."""
    store = current_store()
    sought = _sought(store.home, run, words)
    sought.found = find(view, words, partial(store.holding, has=matcher(words)), sought.found)
    return sought.found


def run_note(run: str) -> Note:
    """What people say of the run as a whole; an empty note where nobody does."""
    return current_store().notes(run).get(RUN_SPAN, Note())


def set_note(run: str, span: str, note: Note) -> None:
    """Say something of a node; an empty note takes it away. Raises `Problem`."""
    current_store().set_note(run, span, note)


def prompt(run: str, call: str) -> list[tuple[str, Passage]]:
    """All messages that a call was sent: role and text."""
    return read(run, _prompt, call) or []


def _prompt(view: RunView, call: str) -> list[tuple[str, Passage]]:
    return [(message.role, passage(message.text)) for message in view.prompt(call)]


def whole(text: Passage) -> str:
    """All of a text. A prompt may hold a whole archive: such are read anew each time, so that what is kept has a bound."""
    if text.sha is None:
        return text.head
    store = current_store()
    return _text(store.home, text.sha) if text.chars <= KEPT_CHARS else store.text(text.sha)


@st.cache_data(max_entries=200, show_spinner=False)
def _text(home: Path, sha: str) -> str:
    return store_of(home).text(sha)
