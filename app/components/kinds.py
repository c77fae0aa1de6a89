"""The six kinds of things, each with one shape and one colour everywhere, and the headline that a step begins with."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from app.components.text import escaped
from app.places import ASSETS

Kind = Literal["root", "code", "call", "frame", "answer", "failed", "note", "search"]


def icon(kind: Kind) -> str:
    """The shape, as Markdown for labels."""
    return f"![{kind}]({ASSETS}/kinds/{kind}.svg)"


def headline(kind: Kind, title: str, facts: str = "", *, beside: str = "") -> None:
    """Shape, title, something beside it, and the facts at the right end. All of it is our own words."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        st.markdown(f"{icon(kind)} **{escaped(title)}**{f' :gray[{escaped(beside)}]' if beside else ''}")
        if facts:
            st.caption(escaped(facts), width="content")


def step_title(number: int, title: str) -> None:
    """`1 Archive`: the heading of a step of Ask."""
    st.markdown(f"### :blue[{number}]  {escaped(title)}", width="content")
