"""The words that a run is searched for, marked in the texts of the inspector; the reader marks its own."""

from __future__ import annotations

import streamlit as st

from app.places import STATIC
from rlm_core.looks.look import Look

_component = st.components.v2.component(
    "found_marks",
    html='<span class="found-marks"></span>',
    js="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("found.js", "found_marks.js")),
)


def show(look: Look) -> None:
    if look.place.find:
        _component(key="found-marks", data={"find": look.place.find}, width="content", height="content")
