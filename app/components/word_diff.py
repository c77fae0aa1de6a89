"""Two texts that are like each other, one above the other: what stands on one side only is marked. A component that writes text
only."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app.places import STATIC
from rlm_core import wording
from rlm_core.evidence.differences import Difference
from rlm_core.plain import plain

KEY = "word-diff"
PARTS, PART_CHARS = 400, 4_000

_component = st.components.v2.component(
    "word_diff",
    html='<div class="diff"></div>',
    css=(STATIC / "word_diff.css").read_text(encoding="utf-8"),
    js=(STATIC / "word_diff.js").read_text(encoding="utf-8"),
)


def show(differs: Difference, line: int | None) -> None:
    """Draw a quote and its place. `line` is where the place begins in its document."""
    place = "in the document" if line is None else f"in the document, line {line:,}"
    show_sides(differs, ("quoted", place), KEY)


def show_sides(differs: Difference, heads: tuple[str, str], key: str) -> None:
    """Draw both sides, each under its heading."""
    _component(key=key, height="content", data=data(differs, heads))


def data(differs: Difference, heads: tuple[str, str]) -> dict[str, Any]:
    """What is drawn; all of it is text. Each side has the parts that stand on it, and whether they stand on the other too."""
    parts = differs.parts[:PARTS]
    missing = len(differs.parts) - len(parts)
    return {
        "sides": [
            {
                "side": "quote",
                "head": heads[0],
                "parts": [[plain(each.quote[:PART_CHARS]), each.kind == "same"] for each in parts if each.quote],
            },
            {
                "side": "source",
                "head": heads[1],
                "parts": [[plain(each.source[:PART_CHARS]), each.kind == "same"] for each in parts if each.source],
            },
        ],
        "agree": agreement(differs) + (f"; {wording.exact(missing, 'more part')} not shown" if missing else ""),
    }


def agreement(differs: Difference) -> str:
    """`6 of 7 words agree`."""
    return f"{wording.m_of_n(differs.agreeing, differs.words)} words agree"
