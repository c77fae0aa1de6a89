"""A document, open at a place: a window of its lines, the quote marked in it, and a strip that shows where in the document
both are. What is looked at, and what is looked for, is in the address."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import streamlit as st

from app import evidence_place
from app.backend import OpenDocument, Unit, Units
from app.components.shown_lines import ShownLines
from app.places import STATIC
from rlm_core import wording
from rlm_core.evidence.windows import MAX_WORDS_CHARS, Line
from rlm_core.plain import plain, plain_line

KEY = "source-reader"
AS_NAMED = "The quote was not found. This is the place that the model named."
UNIT_CHARS = 60
UNITS_OF_A_LINE = 3
LISTED_UNITS = 500
"""Units whose names are offered; a jump may lead to any."""
NOTHING_KNOWN = ShownLines()
Marks = Sequence[tuple[str, tuple[int, int] | None]]
"""Names of marks, and the characters of the document that each covers."""

_component = st.components.v2.component(
    "source_reader",
    html='<div class="reader"></div>',
    css=(STATIC / "source_reader.css").read_text(encoding="utf-8"),
    js=(STATIC / "source_reader.js").read_text(encoding="utf-8"),
)


def show(opened: OpenDocument, container: str, words: str, at: str, shown: ShownLines | None = None) -> None:
    """Draw the window. `container` is left out of the path, `words` were looked for; a new `at` scrolls to the place."""
    _component(
        key=KEY,
        data=data(opened, container, words, at, shown or NOTHING_KNOWN),
        on_jump_change=_jump,
        on_find_change=_find,
        on_unit_change=_go_to_unit,
    )


def data(
    opened: OpenDocument, container: str, words: str, at: str, shown: ShownLines = NOTHING_KNOWN
) -> dict[str, Any]:
    """What the reader is drawn from; all of it is text."""
    window, hits = opened.window, opened.hits
    marks: Marks = (("quote", opened.quote), ("hit", opened.hit))
    return {
        "path": plain_line(opened.path.removeprefix(container), 300),
        "facts": f"{wording.exact(window.total_chars, 'character')}, {wording.exact(window.total_lines, 'line')}",
        "total": window.total_lines,
        "line": window.line,
        "lines": [
            {**_line(line, marks), "shown": shown.of(line), "unit": units_in(opened.units, line)}
            for line in window.lines
        ],
        "unit": _unit_before(opened),
        "units": _units(opened.units),
        "strip": shown.strip,
        "cited": shown.cited,
        "quote_at": _share(opened, opened.quote, opened.quote_line),
        "hit_at": _share(opened, opened.hit),
        "legend": _legend(opened, shown),
        "notice": _notice(opened),
        "find": words,
        "hit": hits.number if opened.hit and hits else 0,
        "hits": hits.count if hits else 0,
        "found": hits_in_words(opened, words),
        "at": at,
    }


def hits_in_words(opened: OpenDocument, words: str) -> str:
    hits = opened.hits
    if hits is None or not words:
        return ""
    if not hits.complete:
        return f"{hits.count:,} so far, the search was given up"
    if not hits.count:
        return "not in this document"
    return wording.m_of_n(hits.number, hits.count) if hits.number else f"{hits.count:,} found"


def _notice(opened: OpenDocument) -> str:
    if opened.no_unit:
        what = opened.units.kind if opened.units else "part"
        return f"This document has no {what} {plain_line(opened.no_unit, 60)}."
    return AS_NAMED if opened.as_named else ""


def _legend(opened: OpenDocument, shown: ShownLines) -> list[tuple[str, str]]:
    """The marks in the text and on the strip, each with what it says."""
    said = []
    if shown.mine_in_words:
        said.append(("mine", shown.mine_in_words))
    if opened.quote is not None:
        start, end = opened.quote
        unit = opened.units.at(start) if opened.units else None
        where = f"{unit_words(opened.units, unit)}, " if opened.units and unit else ""
        said.append(("quote", f"{where}characters {start + 1:,}–{end:,}"))
    return [*said, *shown.legend]


def units_in(units: Units | None, line: Line) -> str:
    """The units that begin in a line: `page 3`."""
    if units is None:
        return ""
    first = bisect_left(units.spans, line.begin, key=lambda unit: unit.start)
    last = bisect_left(units.spans, line.begin + line.chars + 1, key=lambda unit: unit.start)
    found = [unit_words(units, each) for each in units.spans[first : min(last, first + UNITS_OF_A_LINE)]]
    more = [f"and {last - first - UNITS_OF_A_LINE:,} more"] if last - first > UNITS_OF_A_LINE else []
    return ", ".join([*found, *more])


def unit_words(units: Units, unit: Unit) -> str:
    return f"{units.kind} {plain_line(unit.label, UNIT_CHARS)}"


def _unit_before(opened: OpenDocument) -> str:
    """The unit that the window begins in, if it began before."""
    first = opened.window.lines[0] if opened.window.lines else None
    unit = opened.units.at(first.begin) if opened.units and first else None
    return unit_words(opened.units, unit) if opened.units and unit else ""


def _units(units: Units | None) -> dict[str, Any] | None:
    """What can be jumped to."""
    if units is None:
        return None
    labels = [plain_line(each.label, UNIT_CHARS) for each in units.spans[:LISTED_UNITS]]
    return {"kind": units.kind, "many": len(units.spans), "labels": labels}


def _line(line: Line, marks: Marks) -> dict[str, Any]:
    return {
        "number": line.number,
        "pieces": [[plain(text), names] for text, names in pieces(line, marks)],
        "before": f"{line.missing_before:,} characters are left out" if line.missing_before else "",
        "after": f"{line.missing_after:,} characters are left out" if line.missing_after else "",
    }


def pieces(line: Line, marks: Marks) -> Iterator[tuple[str, str]]:
    """The text of a line in pieces, each with the names of the marks that cover it."""
    parts = [(name, part) for name, span in marks if span and (part := line.part(*span))]
    cuts = sorted({0, len(line.text), *(at for _, part in parts for at in part)})
    for start, end in pairwise(cuts):
        yield line.text[start:end], " ".join(name for name, part in parts if part[0] <= start < part[1])


def _share(opened: OpenDocument, span: tuple[int, int] | None, line: int | None = None) -> float | None:
    """How far down the document some characters begin, from 0 to 1. Outside the window as far as their `line` says."""
    total = opened.window.total_lines
    for each in opened.window.lines:
        if span and each.begin <= span[0] <= each.begin + each.chars:
            return (each.number - 1 + (span[0] - each.begin) / (each.chars + 1)) / total
    return min(max(line - 1, 0), total) / total if line and total else None


def _jump() -> None:
    line = st.session_state[KEY].jump
    if isinstance(line, int) and line > 0:
        evidence_place.move(line=line, hit=None, unit=None)


def _go_to_unit() -> None:
    label = st.session_state[KEY].unit
    if isinstance(label, str):
        evidence_place.move(unit=label[:MAX_WORDS_CHARS], line=None, hit=None)


def _find() -> None:
    asked = st.session_state[KEY].find or {}
    words, hit = str(asked.get("words", ""))[:MAX_WORDS_CHARS], asked.get("hit")
    evidence_place.move(find=words, hit=hit if words and isinstance(hit, int) else None, line=None, unit=None)
