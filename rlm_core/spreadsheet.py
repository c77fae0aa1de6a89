"""Tables as CSV that is safe to open in a spreadsheet, whatever its cells were made from.

Knows cells; refuses to know what they mean.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

_RUN_AS_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """One line for each row, under a line with the names of the columns. A text that a spreadsheet would run as a formula gets
    an apostrophe in front; numbers stay numbers; `None` is an empty cell, several values are parted by semicolons."""
    out = io.StringIO()
    writer = csv.writer(out)  # ends lines in CR LF: only so is a cell with a bare CR put into quotes
    writer.writerow(columns)
    for row in rows:
        writer.writerow(map(_cell, row))
    return out.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, dict):
        value = [f"{name}: {said}" for name, said in value.items()]
    if isinstance(value, list | tuple):
        value = "; ".join(map(str, value))
    if value is None or isinstance(value, bool | int | float):
        return "" if value is None else str(value).lower()
    text = str(value).replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return f"'{text}" if text.startswith(_RUN_AS_FORMULAS) else text
