"""The findings of a run as rows: JSON for programs, CSV for spreadsheets. Each has what became of its quote, and its place.

Offsets are characters of the document, from 0. Unknown is `null`, or an empty cell. `shown`: whether a model had been shown the
quoted words `before` the finding was recorded, only `afterwards`, or `never` (`evidence/shown_before.py`). Knows no archive: what
page a place is on is told by a function, and what was shown by whoever has looked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from rlm_core.evidence.shown_before import Shown
from rlm_core.spreadsheet import csv_text
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
    "shown",
    "source",
    "note",
    "earlier_labels",
)


def no_unit(document: str, char: int) -> None:
    """For whoever has no archive at hand."""


def findings_of(
    view: RunView, unit_of: UnitOf = no_unit, shown: Mapping[str, Shown] = MappingProxyType({})
) -> list[Json]:
    """The findings that stand, in order, each with the names of `COLUMNS`. `shown` is by the span of the finding."""
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
            "shown": shown.get(span),
            "source": finding.source,
            "note": finding.note,
            "earlier_labels": list(earlier.get(finding.item, ())),
        }
        for span, finding, checked in view.findings()
    ]


def to_json(rows: Sequence[Json]) -> str:
    return json.dumps(rows, indent=1)


def to_csv(rows: Sequence[Json]) -> str:
    """One line for each finding, safe to open in a spreadsheet."""
    return csv_text(COLUMNS, ([row[name] for name in COLUMNS] for row in rows))
