"""The one selection of the run's page: what components send when somebody clicks, and where it goes.

Components send triggers and keep nothing: `select` with the id of a mark or a span, and `unfold` with `GROUP:SHOWN`. Both go
into the address, and everything on the page is drawn from there.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import links
from app.look import Look
from rlm_core.folding import Mark

MORE = ".more"


def callbacks(key: str) -> dict[str, Any]:
    """What a component is mounted with: `component(key=key, data=..., **callbacks(key))`."""

    def selected() -> None:
        links.select(st.session_state[key].select or None)

    def unfolded() -> None:
        group, _, shown = str(st.session_state[key].unfold).rpartition(":")
        links.unfold(group, int(shown))

    return {"on_select_change": selected, "on_unfold_change": unfolded}


def unfolding(mark: Mark, look: Look) -> str | None:
    """What a component sends as `unfold` to draw more of a mark's members; `None` where there is nothing more."""
    group = mark.id.removesuffix(MORE)
    return f"{group}:{look.place.opened.get(group, 0) + links.PAGE}" if mark.hidden else None


def folding(mark: Mark, look: Look) -> str | None:
    """What a component sends as `unfold` to fold a mark again; `None` where it is not unfolded."""
    return f"{mark.id}:0" if mark.id in look.place.opened else None
