"""Which of several places is meant? What a finding says about where its quote stands: document, line, unit, and its item.

The line decides first (the nearest place), then the unit, then a document whose path names the item, then the place before
which the item is named last: the heading of its record, or the beginning of its row. What is left counts as several places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.corpus.units import Unit
from rlm_core.evidence.fields import Span
from rlm_core.evidence.scanning import line_start, lines_between
from rlm_core.evidence.sources import document_at, read_source

MAX_ITEM_CHARS = 200
_BEFORE, _BEHIND = 4_000, 400
"""How far before a place, and behind it in the same line, its item is looked for, in bytes."""
_MAX_ZONES = 50
_ZONE_CHARS, _LINES_AROUND = 3_000, 30


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known. `line` and `unit` are those of `document`."""

    document: Document | None = None
    line: int | None = None
    unit: Unit | None = None
    item: re.Pattern[str] | None = None
    """Finds the item as whole words."""


def hints_of(source: str | None, item: str | None, corpus: Corpus) -> Hints:
    """What a finding's source and item say."""
    named = read_source(source, corpus)
    item = (item or "").strip()
    pattern = None
    if item and len(item) <= MAX_ITEM_CHARS:
        pattern = re.compile(rf"(?<!\w){re.escape(item)}(?!\w)", re.IGNORECASE)
    return Hints(named.document, named.line, named.unit, pattern)


def narrowed(spans: Sequence[Span], corpus: Corpus, hints: Hints) -> Sequence[Span]:
    """The places that may be meant, of places in bytes of the corpus: one, where something decides."""
    document = hints.document
    inside = [each for each in spans if document and document.start <= each[0] < document.start + document.bytes]
    if len(spans) < 2:
        return spans
    if document and hints.line is not None and inside:
        at = line_start(corpus.data, document.start, document.start + document.bytes, hints.line)
        return [min(inside, key=lambda each: lines_between(corpus.data, min(at, each[0]), max(at, each[0])))]
    if document and hints.unit and inside:
        start, end = _unit_bytes(corpus, document, hints.unit)
        spans = [each for each in inside if start <= each[0] < end] or spans
    return _with_item(spans, corpus, hints.item) if hints.item and len(spans) > 1 else spans


def _unit_bytes(corpus: Corpus, document: Document, unit: Unit) -> Span:
    text = corpus.text(document.index)
    start = document.start + len(text[: unit.start].encode())
    return start, start + len(text[unit.start : unit.end].encode())


def _with_item(spans: Sequence[Span], corpus: Corpus, item: re.Pattern[str]) -> Sequence[Span]:
    by_path = [each for each in spans if item.search(document_at(corpus, each[0]).path)]
    spans = by_path or spans
    distances = [_distance(each, corpus, item) for each in spans] if len(spans) > 1 else []
    near = min((each for each in distances if each is not None), default=None)
    return spans if near is None else [each for each, far in zip(spans, distances, strict=True) if far == near]


def _distance(span: Span, corpus: Corpus, item: re.Pattern[str]) -> int | None:
    """How far before a place its item is named last; 0 if it is named behind it in the same line. What stands in the place
    itself decides nothing: it is the same in all of them."""
    document = document_at(corpus, span[0])
    first, last = max(document.start, span[0] - _BEFORE), min(document.start + document.bytes, span[1] + _BEHIND)
    before = corpus.data[first : span[0]].decode("utf-8", "ignore")
    behind, _, _ = corpus.data[span[1] : last].decode("utf-8", "ignore").partition("\n")
    if item.search(behind):
        return 0
    ends = [match.end() for match in item.finditer(before)]
    return len(before) - ends[-1] if ends else None


def zones(text: str, hints: Hints, normal_offset: Callable[[int], int], *, named: bool) -> Iterator[Span]:
    """Where to look most closely in a document's text, best first, in offsets of its normal form. `named`: the text is that of
    the document which the line and the unit belong to."""
    found: list[Span] = []
    if named and hints.line is not None:
        at, before = (line_start(text, 0, len(text), max(hints.line - back, 1)) for back in (0, _LINES_AROUND))
        found += [(at, at + _ZONE_CHARS), (max(before, at - _ZONE_CHARS), at + _ZONE_CHARS)]
    if named and hints.unit:
        found.append((hints.unit.start, hints.unit.end))
    if hints.item:
        mentions = islice(hints.item.finditer(text), _MAX_ZONES)
        found += [(match.start(), match.end() + _ZONE_CHARS) for match in mentions]
    for start, end in found:
        yield normal_offset(start), normal_offset(min(end, len(text)))
