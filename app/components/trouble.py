"""What is shown when something goes wrong on purpose: its words, as text, where it happened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from app import backend
from app.components.kinds import icon

_REMEMBERED = "trouble-of-"


@contextmanager
def told(key: str) -> Iterator[None]:
    """Show a problem in the place of what could not be done. `key` tells places of one page apart."""
    try:
        yield
    except backend.Problem as problem:
        say(backend.in_words(problem), key)


@contextmanager
def told_later(key: str) -> Iterator[None]:
    """The same in a callback, where nothing is drawn: `tell` shows the problem, once."""
    try:
        yield
    except backend.Problem as problem:
        st.session_state[_REMEMBERED + key] = backend.in_words(problem)


def tell(key: str) -> None:
    said = st.session_state.pop(_REMEMBERED + key, None)
    if said:
        say(said, key)


def say(text: str, key: str) -> None:
    """An error beside its cause. Not `st.error`: that would read names of files and models as Markdown."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"trouble-{key}"):
        st.markdown(icon("failed"), width="content")
        st.text(text, width="stretch")
