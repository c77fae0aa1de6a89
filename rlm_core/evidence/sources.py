"""Which document and line does a source mean? Models name them in many ways: `path`, `path:12`, `path lines 3-5`, `[path] (L4)`.

What is not understood is left out: a source helps to find a quote, it never keeps one from being found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from rlm_core.corpus.corpus import Corpus, Document

_MAX_SOURCE_CHARS = 500
_MAX_CANDIDATES = 32
"""Looking one up takes longer the more documents have the same file name."""
_LINE = re.compile(r"(?:\b(?:lines?|ln|l\.?|zeilen?)\s*|[:#]L?)(\d+)(?:\s*(?:-|–|to|bis|\.\.)\s*L?\d+)?", re.IGNORECASE)
_CUT = re.compile(r"[,;:#(\[ ]")
_BY_NUMBER = re.compile(r"\b(?:context|documents?|docs?)\s*\[\s*(\d+)\s*\]")
_AROUND = " \t\r\n\"'`“”‘’[](){}<>*,;:."


@dataclass(frozen=True, slots=True)
class Named:
    """What a source says: a document, a line, both or neither."""

    document: Document | None
    line: int | None


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
        return Named(corpus.documents[int(match[1])], line)
    for candidate in islice(_paths_in(text), _MAX_CANDIDATES):
        if document := corpus.find(candidate):
            return Named(document, line)
    return Named(corpus.documents[0] if len(corpus.documents) == 1 else None, line)


def _paths_in(text: str) -> Iterator[str]:
    """What may be the path in a source, longest first: its beginnings, then its words."""
    for match in reversed(list(_CUT.finditer(text))):
        if candidate := text[: match.start()].strip(_AROUND):
            yield candidate
    for word in text.split():
        yield (word := word.strip(_AROUND))
        yield _LINE.sub("", word).strip(_AROUND)
