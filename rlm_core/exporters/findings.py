"""The findings of a run as rows: JSON for programs, CSV for spreadsheets. Each has what became of its quote, and its place.

Offsets are characters of the document, from 0. Unknown is `null`, or an empty cell. Knows no archive: what page a place is on
is told by a function.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence

from rlm_core.task import PROVEN, Json, earlier_labels
from rlm_core.view import RunView

UnitOf = Callable[[str, int], str | None]
"""From a document's path and a character to the unit that holds it: `page 3`."""
COLUMNS = (
    "item",
    "label",
    "verdict",
    "proven",
    "quote",
    "document",
    "unit",
    "line",
    "start",
    "end",
    "score",
    "places",
    "source",
    "note",
    "earlier_labels",
)
_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n")


def no_unit(document: str, char: int) -> None:
    """For whoever has no archive at hand."""


def findings_of(view: RunView, unit_of: UnitOf = no_unit) -> list[Json]:
    """The findings that stand, in order, each with the names of `COLUMNS`."""
    earlier = earlier_labels(finding for _, finding, _ in view.findings(corrected=True))
    return [
        {
            "item": finding.item,
            "label": finding.label,
            "verdict": checked.verdict if checked else None,
            "proven": checked is not None and checked.verdict in PROVEN,
            "quote": finding.quote,
            "document": checked.document if checked else None,
            "unit": unit_of(checked.document, checked.start)
            if checked and checked.document is not None and checked.start is not None
            else None,
            "line": checked.line if checked else None,
            "start": checked.start if checked else None,
            "end": checked.end if checked else None,
            "score": checked.score if checked else None,
            "places": checked.places if checked else None,
            "source": finding.source,
            "note": finding.note,
            "earlier_labels": list(earlier.get(finding.item, ())),
        }
        for _, finding, checked in view.findings()
    ]


def to_json(rows: Sequence[Json]) -> str:
    return json.dumps(rows, indent=1)


def to_csv(rows: Sequence[Json]) -> str:
    """One line for each finding, under a line with the names of the columns. A text that a spreadsheet would run as a formula
    gets an apostrophe in front."""
    out = io.StringIO()
    writer = csv.writer(out)  # ends lines in CR LF: only so is a cell with a bare CR put into quotes
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(_cell(row[name]) for name in COLUMNS)
    return out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    if value is None or isinstance(value, bool | int | float):
        return "" if value is None else str(value).lower()
    text = str(value).replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text
