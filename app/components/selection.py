"""The one selection of the run's page: what components send when somebody clicks, and where it goes.

Components send triggers and keep nothing: `select` with the id of a mark or a span, and `unfold` with `GROUP:SHOWN`, as the
address writes it. Both go into the address, and everything on the page is drawn from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from app import links
from rlm_core.looks import windows


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
