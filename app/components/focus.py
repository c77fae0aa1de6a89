"""Where somebody types next: gives the focus to the field of a form that has just opened."""

from __future__ import annotations

import streamlit as st

from app.places import STATIC

_component = st.components.v2.component(
    "focus",
    html='<span class="focus"></span>',
    js=(STATIC / "focus.js").read_text(encoding="utf-8"),
)


def on(field: str) -> None:
    """`field`: how the key of the field begins. Once for each time that its form is opened, not again while it is open."""
    _component(key=f"focus-{field}", data={"field": field}, width="content", height="content")
