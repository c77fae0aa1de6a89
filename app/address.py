"""The query of the page that is open, as it was written last. Knows no page, and what no name means.

Each request of the browser brings the address along as it stands there, and Streamlit believes it. What was written a moment
ago may not have arrived there yet: then a poll would draw the page of before, and what is done next would be written into the
address of before and so take the last thing back. So what a name had before it was written is remembered, and not believed
again until a page is begun as a whole: only so does somebody go back.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

KEY = "address-written"


@dataclass(slots=True)
class _Written:
    """What a name of the query was given here, and all that it had before. Nothing is an empty text."""

    now: str = ""
    left: set[str] = field(default_factory=set)


def begin() -> None:
    """A page is begun as a whole. If its address is one of before, somebody has gone back there, or follows a link."""
    if _late():
        del st.session_state[KEY]


def get(name: str) -> str:
    """What the address says; nothing where it has no such name."""
    _mend()
    return st.query_params.get(name, "")


def write(**changes: str | None) -> None:
    """Set names of the address; what is nothing is taken out. Called from callbacks. The browser is told even where nothing is
    new: a link from a page to itself leaves the address there as it was."""
    _mend()
    written = st.session_state.setdefault(KEY, {})
    values = {name: value or "" for name, value in changes.items()}
    for name, value in values.items():
        each = written.setdefault(name, _Written())
        each.left = (each.left | {st.query_params.get(name, "")}) - {value}
        each.now = value
    _put(values)


def _late() -> dict[str, str]:
    """Names that the browser still has as they were before, and what they were given since."""
    written: dict[str, _Written] = st.session_state.get(KEY, {})
    return {name: each.now for name, each in written.items() if st.query_params.get(name, "") in each.left}


def _mend() -> None:
    if late := _late():
        _put(late)


def _put(values: dict[str, str]) -> None:
    """In as few steps as can be: the browser is told of each, and remembers it as a step that leads back."""
    for name in values:
        if not values[name]:
            st.query_params.pop(name, None)
    if given := {name: value for name, value in values.items() if value}:
        st.query_params.update(given)
