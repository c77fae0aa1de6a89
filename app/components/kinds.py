"""The kinds of things, each with one shape and one colour everywhere."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from app.components.text import escaped
from app.places import ASSETS

Kind = Literal["root", "code", "call", "frame", "answer", "failed", "mended", "note", "search"]


def icon(kind: Kind) -> str:
    """The shape, as Markdown for labels."""
    return f"![{kind}]({ASSETS}/kinds/{kind}.svg)"


def step_title(number: int, title: str) -> None:
    """`1 Archive`: the heading of a step of Ask."""
    st.markdown(f"### :blue[{number}]  {escaped(title)}", width="content")
