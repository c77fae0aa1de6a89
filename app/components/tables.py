"""What all tables share: a height without an empty stripe below the rows, figures at the right, rows that are set in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import streamlit as st

T = TypeVar("T")
HEADER_HEIGHT = 32
BORDERS = 2
STEP = "\u2003"
"""Sets a row in by one level."""


def height(rows: int, row_height: int, most: int) -> int:
    """Pixels for a header and all rows, of more than `most` that many and a scroll bar."""
    return HEADER_HEIGHT + row_height * min(rows, most) + BORDERS


def filling(rows: int, row_height: int, most: int) -> int | Literal["stretch"]:
    """The same, but of more than `most` rows as much as the pane has room for: one scroll bar, and the header in sight."""
    return height(rows, row_height, most) if rows <= most else "stretch"


def clicked(key: str, listed: Sequence[T]) -> T | None:
    """What stands in the row of a table that was clicked; `None` where none is, or the table has grown shorter. For callbacks."""
    cells = st.session_state[key]["selection"]["cells"]
    return listed[cells[0][0]] if cells and cells[0][0] < len(listed) else None


def figures_right(*columns: str) -> dict[str, Any]:
    """Column settings for figures that are written out as text, with their units."""
    return {column: st.column_config.TextColumn(alignment="right") for column in columns}


def sortable(numbers: Sequence[float | None], texts: Sequence[str]) -> tuple[list[float], Callable[[float], str]]:
    """Numbers that sort as the given ones, none of them negative, and how each is said.

    Where one number has two texts, one of them gets the next number there is. What has no number comes before all that
    have one: of a missing number a table says None, whatever it is told to say.
    """
    known: dict[float, str] = {}
    found = []
    for number, text in zip(numbers, texts, strict=True):
        value = -1.0 if number is None else float(number)
        while known.get(value, text) != text:
            value = math.nextafter(value, math.inf)
        known[value] = text
        found.append(value)
    return found, known.__getitem__
