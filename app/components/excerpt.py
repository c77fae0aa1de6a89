"""A few lines of a document with their numbers and a quote marked in them, in a component that writes text only."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app.backend import Passage
from app.components import place_words
from app.components.source_reader import pieces
from app.places import STATIC
from rlm_core.evidence.coverage import Span
from rlm_core.plain import plain, plain_line

BEFORE, LINES = 3, 9
LINE_CHARS = 400

_component = st.components.v2.component(
    "excerpt",
    html='<div class="excerpt"></div>',
    css=(STATIC / "excerpt.css").read_text(encoding="utf-8"),
    js=(STATIC / "excerpt.js").read_text(encoding="utf-8"),
)


def show(passage: Passage, quote: Span | None, container: str, key: str) -> None:
    _component(key=key, height="content", data=data(passage, quote, container))


def data(passage: Passage, quote: Span | None, container: str) -> dict[str, Any]:
    """What is drawn; all of it is text. The lines are those around the one that the passage's window was opened for."""
    first = max(passage.first_line, passage.window.line - BEFORE)
    lines = [each for each in passage.window.lines if first <= each.number <= passage.last_line][:LINES]
    return {
        "path": plain_line(passage.document.path.removeprefix(container), 300),
        "where": place_words.where(passage),
        "lines": [
            {
                "number": f"{line.number:,}",
                "pieces": [[plain(text), names] for text, names in pieces(line, (("quote", quote),))],
            }
            for line in lines
        ],
        "more": _more(passage, lines[0].number if lines else 0, lines[-1].number if lines else 0),
    }


def _more(passage: Passage, first: int, last: int) -> str:
    missing = (passage.last_line - passage.first_line + 1) - (last - first + 1 if first else 0)
    return f"{missing:,} more {'line' if missing == 1 else 'lines'} of this place" if missing > 0 else ""
