"""The kinds of things, each with one shape and one colour everywhere."""

from __future__ import annotations

import streamlit as st

from app.components.text import escaped
from app.places import ASSETS
from rlm_core.looks.marks import Kind


def icon(kind: Kind) -> str:
    """The shape, as Markdown for labels."""
    return f"![{kind}]({ASSETS}/kinds/{kind}.svg)"


def step_title(number: int, title: str) -> None:
    """`1 Archive`: the heading of a step of Ask."""
    st.markdown(f"### :blue[{number}]  {escaped(title)}", width="content")
