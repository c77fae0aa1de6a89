"""Rows as columns of text."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

GAP = "  "


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """The rows under their head, in columns as wide as they need; those in `right` are aligned to the right."""
    lines = [head, *rows]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_line(line, widths, right) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int], right: Collection[int]) -> str:
    padded = []
    for number, (cell, columns) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (columns - width(cell))
        padded.append(space + cell if number in right else cell + space)
    return GAP.join(padded).rstrip()


def fitted(text: str, columns: int, *, keep_end: bool = False) -> str:
    """The text in at most so many columns; of a longer one the beginning or the end, with an ellipsis for the rest."""
    if width(text) <= columns:
        return text
    while text and width(text) >= columns:
        text = text[1:] if keep_end else text[:-1]
    return f"…{text.lstrip()}" if keep_end else f"{text.rstrip()}…"


def width(text: str) -> int:
    """Columns of a terminal: two for a wide character, none for a mark on the one before."""
    return sum(0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF") for each in text)
