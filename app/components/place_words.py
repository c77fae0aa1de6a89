"""Places of documents in words, the same on all pages: `lines 120–134`, `page 3, line 131`. Pure."""

from __future__ import annotations

from app.backend import Document, Passage
from rlm_core.plain import plain_line

UNIT_CHARS = 60


def unit(document: Document, char: int) -> str:
    """`page 3`, `sheet Prices`: the part of a document that holds a character; nothing where it has no parts."""
    found = document.units.at(char) if document.units else None
    return f"{document.units.kind} {plain_line(found.label, UNIT_CHARS)}" if document.units and found else ""


def lines(first: int, last: int) -> str:
    return f"line {first:,}" if first == last else f"lines {first:,}–{last:,}"


def where(passage: Passage) -> str:
    """`page 3, lines 120–134`; of a place over several pages the first and the last."""
    first, last = (unit(passage.document, char) for char in (passage.start, max(passage.start, passage.end - 1)))
    said = first if first == last or not last else f"{first} – {last}" if first else last
    return ", ".join(filter(None, [said, lines(passage.first_line, passage.last_line)]))
