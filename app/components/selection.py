"""The one selection of the run's page: what components send when somebody clicks, and where it goes.

Components send triggers and keep nothing: `select` with the id of a mark or a span, and `unfold` with `GROUP:SHOWN`, as the
address writes it. Both go into the address, and everything on the page is drawn from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from app import links, windows
from app.look import Look
from rlm_core.folding import EARLIER, MORE, Mark


def callbacks(key: str) -> dict[str, Any]:
    """What a component is mounted with: `component(key=key, data=..., **callbacks(key))`."""

    def selected() -> None:
        links.select(st.session_state[key].select or None)

    def unfolded() -> None:
        group, _, shown = str(st.session_state[key].unfold).rpartition(":")
        links.unfold(group, windows.window(shown))

    return {"on_select_change": selected, "on_unfold_change": unfolded}


def in_chart(key: str) -> Callable[[], None]:
    """What a chart does with a click: `on_select=in_chart(key)`. First in the `customdata` of a mark stands what it selects."""

    def selected() -> None:
        points = st.session_state[key]["selection"]["points"]
        if points:
            links.select(points[0]["customdata"][0])

    return selected


def unfolding(mark: Mark, look: Look) -> str | None:
    """What a component sends as `unfold` to draw more of a mark's members; `None` where there is nothing more."""
    if not mark.hidden:
        return None
    if mark.kind == "turn" and not mark.is_group:
        return f"{mark.id}:1"
    group = mark.id.removesuffix(MORE).removesuffix(EARLIER)
    now = look.place.opened.get(group, range(0))
    if mark.id.endswith(EARLIER):
        start = max(0, now.start - windows.PAGE)
        wanted = range(start, min(now.stop, start + windows.WINDOW))
    else:
        wanted = range(now.start, now.stop + windows.PAGE)
    return f"{group}:{windows.in_words(wanted)}"


def folding(mark: Mark, look: Look) -> str | None:
    """What a component sends as `unfold` to fold a mark again; `None` where it is not unfolded."""
    return f"{mark.id}:0" if mark.id in look.place.opened else None
