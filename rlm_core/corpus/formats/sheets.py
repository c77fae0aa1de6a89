"""How a workbook is written down: for each sheet a heading, a line with the column letters, and a line for each row that is not
empty, so that the address of any cell can be read off.

    Sheet: Prices (hidden)
    \tA\tB\tC
    2\tbread\t\t1.5

Knows this form and its bounds; refuses to know file formats: it is handed cells that are text already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rlm_core.corpus.formats.parts import Parts
from rlm_core.corpus.reading import Reading

Row = tuple[int, list[tuple[int, str]]]
"""The number of a row, and its cells that are not empty: column and text. Both count from 1 and grow."""

MAX_CELLS_BY_ADDRESS = 500
_GAP = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


class Sheets:
    """A workbook under construction."""

    def __init__(self) -> None:
        self._parts = Parts("sheet")
        self._states: dict[str, str] = {}
        self._cells: dict[str, str] = {}
        self._cell_count = 0

    def add(self, name: str, hidden: bool, rows: Iterable[Row], beside: Iterable[str] = ()) -> bool:
        """Append a sheet; `beside` are lines for what hangs on it. `False` if it had to be cut: nothing can follow it."""
        title = one_line(name)
        self._states[title] = "hidden" if hidden else "visible"
        heading = f"Sheet: {title}{' (hidden)' if hidden else ''}"
        lines, length, last_column = [], len(heading), 0
        for number, cells in rows:
            cells = [(column, kept) for column, text in cells if (kept := one_line(text)) and not kept.isspace()]
            if not cells:
                continue
            self._keep(title, number, cells)
            lines.append(_line(number, cells))
            length += len(lines[-1]) + 1
            last_column = max(last_column, cells[-1][0])
            if length > self._parts.room:
                break
        letters = [f"\t{letters_of(column)}" for column in range(1, last_column + 1)]
        return self._parts.add(title, "\n".join([heading, *(["".join(letters)] if letters else []), *lines, *beside]))

    def reading(self, *warnings: str) -> Reading:
        cells = self._cells if self._cell_count <= MAX_CELLS_BY_ADDRESS else {}
        return self._parts.reading(*warnings, sheets=self._states, cells=cells)

    def _keep(self, sheet: str, number: int, cells: list[tuple[int, str]]) -> None:
        self._cell_count += len(cells)
        if self._cell_count <= MAX_CELLS_BY_ADDRESS:
            self._cells |= {f"{sheet}!{letters_of(column)}{number}": text for column, text in cells}


def one_line(text: str) -> str:
    """A cell's text with its line ends and tabs as spaces, which mark rows and columns here."""
    return _GAP.sub(" ", text)


def letters_of(column: int) -> str:
    """`1` -> `A`, `28` -> `AB`."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _line(number: int, cells: list[tuple[int, str]]) -> str:
    written, at = [str(number)], 0
    for column, text in cells:
        written.append("\t" * (column - at) + text)
        at = column
    return "".join(written)
