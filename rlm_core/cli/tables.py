"""Rows as columns of text."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """The rows under their head, in columns as wide as they need; those in `right` are aligned to the right."""
    lines = [head, *rows]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_line(line, widths, right) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int], right: Collection[int]) -> str:
    padded = []
    for number, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - _width(cell))
        padded.append(space + cell if number in right else cell + space)
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    """Columns of a terminal: two for a wide character, none for a mark on the one before."""
    return sum(0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF") for each in text)
