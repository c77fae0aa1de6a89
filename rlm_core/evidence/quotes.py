"""Where is this quote? Finds the words of a quote in a corpus and says how sure that is.

First word for word, then in normal form (`normal.py`); what is not found so is not proven. The document that the quote's
source names is looked at first, then all others. Word-for-word search runs over the bytes of the whole corpus. A large
corpus is never normalised whole: only the document named, and the places where the rarest words of the quote stand (a quote
may be missed there if all its long words are cut by hyphens or oddly capitalised).

Knows documents, offsets and lines. Refuses to judge whether a quote supports a finding.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.evidence.normal import Normal, normal_quotes
from rlm_core.task import Verdict

MIN_WORD_CHARS = 3
"""A shorter quote proves nothing, unless it stands as whole words in the document that it names."""
_WHOLE_CHARS = 8_000_000
"""Documents up to this size are normalised whole; of larger ones, only the places where words of the quote stand."""
_CACHED_CHARS = 32_000_000
_LONG_CHARS = 40
_MAX_PLACES = 2000
_WORDS_TRIED = 3
_MAX_WORD_PLACES = 5000
_MAX_SOURCE_CHARS = 500
_LINE = re.compile(r"(?:\b(?:lines?|ln|l\.?|zeilen?)\s*|[:#]L?)(\d+)(?:\s*(?:-|–|to|bis|\.\.)\s*L?\d+)?", re.IGNORECASE)
_CUT = re.compile(r"[,;:#(\[ ]")
_BY_NUMBER = re.compile(r"\b(?:context|documents?|docs?)\s*\[\s*(\d+)\s*\]")
_AROUND = " \t\r\n\"'`“”‘’[](){}<>*,;:."
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Place:
    """What became of a quote. `start`, `end` are character offsets in the document's text, `line` counts from 1."""

    verdict: Verdict
    document: str | None = None
    start: int | None = None
    end: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """What a source says: a document, a line, both or neither."""

    document: Document | None
    line: int | None


def locate(quote: str | None, corpus: Corpus, source: str | None = None) -> Place:
    """Find `quote`. `source` (`path`, `path:12`, `path lines 3-5`, ...) names the document to look in first; its line decides
    between several places, else the first counts."""
    if quote is None or not quote.strip():
        return Place("no quote")
    named = read_source(source, corpus)
    forms = tuple(form for form in normal_quotes(quote) if form)
    if sum(each.isalnum() for each in quote) < MIN_WORD_CHARS:
        return _whole_words(quote.strip(), corpus, named) or Place("not found")
    if named.document and (place := _in_document(quote, forms, corpus, named.document, named.line)):
        return place
    return _exact_anywhere(quote, corpus) or _normal_anywhere(forms, corpus) or Place("not found")


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
    for candidate in _paths_in(text):
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


def _in_document(
    quote: str, forms: tuple[str, ...], corpus: Corpus, document: Document, line: int | None
) -> Place | None:
    text = corpus.text(document.index)
    spans = [(start, start + len(quote)) for start in _occurrences(quote, text)]
    if spans:
        return _nearest("exact", spans, text, document, line)
    if document.chars > _WHOLE_CHARS:
        return _near_words(forms, corpus, document.start, document.start + document.bytes)
    return _in_normal_form(forms, corpus, document, line)


def _in_normal_form(
    forms: tuple[str, ...], corpus: Corpus, document: Document, line: int | None = None
) -> Place | None:
    normal = _NORMAL_FORMS.of(corpus, document)
    for form in forms:
        spans = [normal.original_span(start, start + len(form)) for start in _occurrences(form, normal.text)]
        if spans:
            return _nearest("normalised", spans, corpus.text(document.index), document, line)
    return None


def _nearest(verdict: Verdict, spans: list[tuple[int, int]], text: str, document: Document, line: int | None) -> Place:
    lines = [text.count("\n", 0, spans[0][0]) + 1]
    for (before, _), (start, _) in pairwise(spans):
        lines.append(lines[-1] + text.count("\n", before, start))
    best = 0 if line is None else min(range(len(spans)), key=lambda at: abs(lines[at] - line))
    return Place(verdict, document.path, *spans[best], lines[best])


def _occurrences(needle: str, text: str) -> list[int]:
    """Where `needle` stands."""
    found: list[int] = []
    at = text.find(needle)
    while at >= 0 and len(found) < _MAX_PLACES:
        end = at + len(needle)
        if not _cuts_number(needle, text[at - 1 : at + 1], text[end - 1 : end + 1]):
            found.append(at)
        at = text.find(needle, at + 1)
    return found


def _cuts_number(needle: str | bytes, at_start: str | bytes, at_end: str | bytes) -> bool:
    """`5 units` is not in `15 units`. In a long quote a number cut at the end only means that somebody shortened it."""
    return len(needle) < _LONG_CHARS and any(len(two) == 2 and two.isdigit() for two in (at_start, at_end))


def _whole_words(quote: str, corpus: Corpus, named: Named) -> Place | None:
    if named.document is None:
        return None
    text = corpus.text(named.document.index)
    matches = re.finditer(rf"(?<!\w){re.escape(quote)}(?!\w)", text)
    spans = [match.span() for match, _ in zip(matches, range(_MAX_PLACES), strict=False)]
    return _nearest("exact", spans, text, named.document, named.line) if spans else None


def _exact_anywhere(quote: str, corpus: Corpus) -> Place | None:
    needle = quote.encode("utf-8", "surrogatepass")  # a lone surrogate is in no document
    at = corpus.data.find(needle)
    while at >= 0:
        document = _document_at(corpus, at)
        end = at + len(needle)
        inside = end <= document.start + document.bytes
        if inside and not _cuts_number(needle, corpus.data[max(at - 1, 0) : at + 1], corpus.data[end - 1 : end + 1]):
            return _place("exact", corpus, document, at, end)
        at = corpus.data.find(needle, at + 1)
    return None


def _normal_anywhere(forms: tuple[str, ...], corpus: Corpus) -> Place | None:
    if corpus.chars > _WHOLE_CHARS:
        return _near_words(forms, corpus, 0, len(corpus.data))
    places = (_in_normal_form(forms, corpus, document) for document in corpus.documents)
    return next((place for place in places if place), None)


def _near_words(forms: tuple[str, ...], corpus: Corpus, start: int, end: int) -> Place | None:
    """Look only where long words of the quote stand, rarest first. Misses a quote none of whose words is intact there."""
    words = sorted({*_WORD.findall(forms[0])}, key=lambda word: -len(word))[:_WORDS_TRIED]
    places = sorted((_word_places(word, corpus, start, end) for word in words), key=len)
    reach = 4 * len(forms[0].encode()) + 200
    for at in (at for found in places for at in found):
        document = _document_at(corpus, at)
        first = _char_start(corpus, max(document.start, at - reach))
        last = _char_start(corpus, min(document.start + document.bytes, at + reach))
        window = corpus.data[first:last].decode("utf-8")
        normal = Normal(window)
        for form in forms:
            for found_at in _occurrences(form, normal.text)[:1]:
                left, right = normal.original_span(found_at, found_at + len(form))
                before = first + len(window[:left].encode())
                return _place("normalised", corpus, document, before, before + len(window[left:right].encode()))
    return None


def _word_places(word: str, corpus: Corpus, start: int, end: int) -> list[int]:
    """Offsets in bytes of a lower-case word as it is commonly written, in order, as many as are worth looking at."""
    found: list[int] = []
    for written in {word, word.capitalize(), word.upper()}:
        needle, count = written.encode(), 0
        at = corpus.data.find(needle, start, end)
        while at >= 0 and count < _MAX_WORD_PLACES:
            found.append(at)
            count += 1
            at = corpus.data.find(needle, at + len(needle), end)
    return sorted(found)


def _char_start(corpus: Corpus, at: int) -> int:
    """The next offset at which a character begins."""
    while at < len(corpus.data) and corpus.data[at] & 0xC0 == 0x80:
        at += 1
    return at


def _document_at(corpus: Corpus, at: int) -> Document:
    return corpus.documents[bisect_right(corpus.documents, at, key=lambda document: document.start) - 1]


def _place(verdict: Verdict, corpus: Corpus, document: Document, first: int, last: int) -> Place:
    """From offsets in bytes of the corpus to characters and lines of the document."""
    before = corpus.data[document.start : first]
    start = len(before) if document.bytes == document.chars else len(before.decode("utf-8"))
    end = start + len(corpus.data[first:last].decode("utf-8"))
    return Place(verdict, document.path, start, end, before.count(b"\n") + 1)


class _NormalForms:
    """The normal forms used last, up to a number of characters."""

    def __init__(self) -> None:
        self._forms: OrderedDict[tuple[str, int], Normal] = OrderedDict()
        self._chars = 0
        self._lock = threading.Lock()

    def of(self, corpus: Corpus, document: Document) -> Normal:
        key = (str(corpus.folder), document.index)
        with self._lock:
            if key in self._forms:
                self._forms.move_to_end(key)
                return self._forms[key]
        normal = Normal(corpus.text(document.index))
        with self._lock:
            if key not in self._forms:
                self._forms[key] = normal
                self._chars += normal.chars
            while self._chars > _CACHED_CHARS:
                self._chars -= self._forms.popitem(last=False)[1].chars
        return normal


_NORMAL_FORMS = _NormalForms()
