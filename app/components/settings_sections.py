"""What all sections of Settings share: choosing one, lines parted by hairlines, and what became of a change.

A change is kept at once and says so quietly; one that cannot be kept says why, in the line where it was made, for as long as
the value stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import streamlit as st

from app import backend, links
from app.components.text import escaped
from app.components.trouble import say

SECTIONS = ("models", "keys", "prices", "limits", "sandbox", "data")
_OPEN = "settings-open"
_SAID = "settings-said"


def choose(summaries: Mapping[str, str]) -> str:
    """The list of sections, each with how things stand there. The one that is open is in the address."""
    st.session_state[_OPEN] = links.section(SECTIONS)
    return st.radio(
        "Section",
        SECTIONS,
        format_func=str.capitalize,
        captions=[escaped(summaries[each]) for each in SECTIONS],
        key=_OPEN,
        label_visibility="collapsed",
        on_change=lambda: links.open_section(st.session_state[_OPEN]),
    )


def title(name: str, says: str) -> None:
    """The name of a section and one sentence about it."""
    with st.container(gap=None, key="settings-title"):
        st.header(name.capitalize(), anchor=False)
        st.caption(escaped(says))


@contextmanager
def line(key: str) -> Iterator[None]:
    """One line of a section, with a hairline above it."""
    with st.container(key=f"setting-{key}", gap="xsmall"):
        yield


def named(name: str, says: str) -> None:
    """What a line is about, and a sentence that explains it."""
    with st.container(gap=None):
        st.markdown(f"**{escaped(name)}**")
        st.caption(escaped(says))


def attempt(where: str, change: Callable[[], None], value: Any = None, done: str = "Saved") -> bool:
    """Make a change of the settings in a callback, and remember what became of it. True if it was made."""
    try:
        change()
    except backend.Problem as problem:
        st.session_state[_SAID] = (where, backend.in_words(problem), value, done)
        return False
    st.session_state[_SAID] = (where, "", value, done)
    return True


def outcome(where: str, value: Any = None) -> None:
    """Say what became of the last change, if it was made here: once that it was done, or why not while `value` stands."""
    place, problem, at, done = st.session_state.get(_SAID, (None, "", None, ""))
    if place != where:
        return
    if problem:
        if at == value:
            say(problem, f"setting-{where}")
        return
    st.session_state.pop(_SAID)
    st.caption(f":material/check: {escaped(done)}")
