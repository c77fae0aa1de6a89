"""Labels and values of one thing: in a row where there are few, as a list where they are read one by one.

A component that writes text by `textContent`: values come from models and people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal

import streamlit as st

from app.places import STATIC
from rlm_core.looks.run_words import Figure
from rlm_core.plain import plain

_component = st.components.v2.component(
    "facts",
    html='<div class="facts"></div>',
    css=(STATIC / "facts.css").read_text(encoding="utf-8"),
    js=(STATIC / "facts.js").read_text(encoding="utf-8"),
)


def show(facts: Sequence[Figure], key: str, *, form: Literal["row", "list"] = "row") -> None:
    said = [{name: plain(value) for name, value in asdict(fact).items()} for fact in facts]
    _component(key=key, height="content", data={"form": form, "facts": said})
