"""Which document and line does a source mean? Models name them in many ways: `path`, `path:12`, `path lines 3-5`, `[path] (L4)`,
`path, page 3`.

What is not understood is left out: a source helps to find a quote, it never keeps one from being found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.corpus.units import Unit

_MAX_SOURCE_CHARS = 500
_MAX_CANDIDATES = 32
"""Looking one up takes longer the more documents have the same file name."""
_LINE = re.compile(r"(?:\b(?:lines?|ln|l\.?|zeilen?)\s*|[:#]L?)(\d+)(?:\s*(?:-|–|to|bis|\.\.)\s*L?\d+)?", re.IGNORECASE)
_UNIT = re.compile(
    r"\b(?:pages?|pp?\.|seiten?|s\.|slides?|folien?|parts?|chapters?|paragraphs?)\s*(\d+)", re.IGNORECASE
)
_MAX_UNITS = 1_000
"""Units whose names are looked for in a source."""
_MIN_LABEL_CHARS = 3
_CUT = re.compile(r"[,;:#(\[ ]")
_BY_NUMBER = re.compile(r"\b(?:context|documents?|docs?)\s*\[\s*(\d+)\s*\]")
_AROUND = " \t\r\n\"'`“”‘’[](){}<>*,;:."


@dataclass(frozen=True, slots=True)
class Named:
    """What a source says: a document, and a line or a unit of it, as far as it says so."""

    document: Document | None
    line: int | None
    unit: Unit | None = None


def read_source(source: str | None, corpus: Corpus) -> Named:
    """The document and line that a source means, as models write it. What is not understood is left out."""
    text = (source or "")[:_MAX_SOURCE_CHARS].strip(_AROUND)
    if not text:
        return Named(None, None)
    if document := corpus.find(text):
        return Named(document, None)
    line = None
    if matches := list(_LINE.finditer(text)):
        line = int(matches[-1][1])
    if (match := _BY_NUMBER.search(text)) and int(match[1]) < len(corpus.documents):
        document = corpus.documents[int(match[1])]
        return Named(document, line, _unit(text, document))
    for candidate in islice(_paths_in(text), _MAX_CANDIDATES):
        if document := corpus.find(candidate):
            return Named(document, line, _unit(text, document))
    if len(corpus.documents) == 1:
        return Named(corpus.documents[0], line, _unit(text, corpus.documents[0]))
    return Named(None, line)


def document_at(corpus: Corpus, at: int) -> Document:
    """The document that holds a byte of the corpus."""
    return corpus.documents[bisect_right(corpus.documents, at, key=lambda document: document.start) - 1]


def unit_at(corpus: Corpus, path: str, char: int) -> str | None:
    """The unit of a document that holds a character, as people name it: `page 3`."""
    document = corpus.find(path)
    unit = document.units.at(char) if document and document.units else None
    return f"{document.units.kind} {unit.label}" if document and document.units and unit else None


def _unit(text: str, document: Document) -> Unit | None:
    """The page of a number, or a unit whose name is in the text: `prices.xlsx, sheet Fees`."""
    if document.units is None:
        return None
    spans, lower = document.units.spans, text.lower()
    if match := _UNIT.search(text):
        return next((unit for unit in spans if unit.label == match[1]), None)
    named = (unit for unit in spans[:_MAX_UNITS] if len(unit.label) >= _MIN_LABEL_CHARS and unit.label.lower() in lower)
    return max(named, key=lambda unit: len(unit.label), default=None)


def _paths_in(text: str) -> Iterator[str]:
    """What may be the path in a source, longest first: its beginnings, then its words."""
    for match in reversed(list(_CUT.finditer(text))):
        if candidate := text[: match.start()].strip(_AROUND):
            yield candidate
    for word in text.split():
        yield (word := word.strip(_AROUND))
        yield _LINE.sub("", word).strip(_AROUND)
