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
from dataclasses import dataclass
from typing import Any

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.evidence.normal import Normal, normal_quotes
from rlm_core.evidence.sources import Named, read_source
from rlm_core.task import Verdict

MIN_WORD_CHARS = 3
"""A shorter quote proves nothing, unless it stands as whole words in the document that it names."""
_WHOLE_CHARS = 8_000_000
"""Documents up to this size are normalised whole; of larger ones, only the places where words of the quote stand."""
_CACHED_CHARS = 32_000_000
_LONG_CHARS = 40
_WORDS_TRIED = 3
_MAX_WORD_PLACES = 5000
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Place:
    """What became of a quote. `start`, `end` are character offsets in the document's text, `line` counts from 1."""

    verdict: Verdict
    document: str | None = None
    start: int | None = None
    end: int | None = None
    line: int | None = None


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


def _in_document(
    quote: str, forms: tuple[str, ...], corpus: Corpus, document: Document, line: int | None
) -> Place | None:
    if document.chars > _WHOLE_CHARS:
        return _in_large_document(quote, forms, corpus, document, line)
    text = corpus.text(document.index)
    hits = _hits_around(quote, text, 0, len(text), _line_start(text, 0, len(text), line))
    if hits:
        return _nearest("exact", [(start, start + len(quote)) for start in hits], text, document, line)
    return _in_normal_form(forms, corpus, document, line)


def _in_normal_form(
    forms: tuple[str, ...], corpus: Corpus, document: Document, line: int | None = None
) -> Place | None:
    normal = _NORMAL_FORMS.of(corpus, document)
    for form in forms:
        if form not in normal.text:
            continue
        text = corpus.text(document.index)
        at = normal.normal_offset(_line_start(text, 0, len(text), line))
        hits = _hits_around(form, normal.text, 0, len(normal.text), at)
        if hits:
            spans = [normal.original_span(start, start + len(form)) for start in hits]
            return _nearest("normalised", spans, text, document, line)
    return None


def _in_large_document(
    quote: str, forms: tuple[str, ...], corpus: Corpus, document: Document, line: int | None
) -> Place | None:
    """As for any other, but without a copy of the text."""
    start, end, needle = document.start, document.start + document.bytes, _needle(quote)
    at = _line_start(corpus.data, start, end, line)
    if hits := _hits_around(needle, corpus.data, start, end, at):
        best = min(hits, key=lambda hit: corpus.data[min(at, hit) : max(at, hit)].count(b"\n"))
        return _place("exact", corpus, document, best, best + len(needle))
    return _near_words(forms, corpus, start, end)


def _nearest(verdict: Verdict, spans: list[tuple[int, int]], text: str, document: Document, line: int | None) -> Place:
    lines = [text.count("\n", 0, start) + 1 for start, _ in spans]
    best = min(range(len(spans)), key=lambda number: abs(lines[number] - (line or 0)))
    return Place(verdict, document.path, *spans[best], lines[best])


def _line_start(text: Any, start: int, end: int, line: int | None) -> int:
    """Where a line begins in `text[start:end]` (a `str` or mapped bytes); its end if it has fewer lines."""
    line_end = "\n" if isinstance(text, str) else b"\n"
    for _ in range((line or 1) - 1):
        if (found := text.find(line_end, start, end)) < 0:
            return end
        start = found + 1
    return start


def _hits_around(needle: str | bytes, text: Any, start: int, end: int, at: int) -> list[int]:
    """The first occurrence of `needle` from `at` on and the last one before it, in `text[start:end]`."""
    found = [text.find(needle, at, end), text.rfind(needle, start, max(start, min(at + len(needle) - 1, end)))]
    while found[0] >= 0 and _cuts_number(needle, text, found[0]):
        found[0] = text.find(needle, found[0] + 1, end)
    while found[1] >= 0 and _cuts_number(needle, text, found[1]):
        found[1] = text.rfind(needle, start, found[1] + len(needle) - 1)
    return [hit for hit in found if hit >= 0]


def _cuts_number(needle: str | bytes, text: Any, at: int) -> bool:
    """`5 units` is not in `15 units`. In a long quote a number cut at the end only means that somebody shortened it."""
    end = at + len(needle)
    edges = (text[max(at - 1, 0) : at + 1], text[end - 1 : end + 1])
    return len(needle) < _LONG_CHARS and any(len(two) == 2 and two.isdigit() for two in edges)


def _whole_words(quote: str, corpus: Corpus, named: Named) -> Place | None:
    if named.document is None:
        return None
    text = corpus.text(named.document.index)
    matches = re.finditer(rf"(?<!\w){re.escape(quote)}(?!\w)", text)
    spans = [match.span() for match in matches]
    return _nearest("exact", spans, text, named.document, named.line) if spans else None


def _exact_anywhere(quote: str, corpus: Corpus) -> Place | None:
    needle, data = _needle(quote), corpus.data
    at = data.find(needle)
    while at >= 0:
        document = _document_at(corpus, at)
        if at + len(needle) <= document.start + document.bytes and not _cuts_number(needle, data, at):
            return _place("exact", corpus, document, at, at + len(needle))
        at = data.find(needle, at + 1)
    return None


def _needle(quote: str) -> bytes:
    return quote.encode("utf-8", "surrogatepass")  # a lone surrogate is in no document


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
            for found_at in _hits_around(form, normal.text, 0, len(normal.text), 0):
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
