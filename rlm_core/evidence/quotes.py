"""Where is this quote? Finds the words of a quote in a corpus and says how sure that is.

First word for word, then in normal form (`normal.py`); what is not found so is not proven. The document that the quote's
source names is looked at first, then all others. Word-for-word search runs over the bytes of the whole corpus. A large
corpus is never normalised whole: only the document named, and the places where the rarest words of the quote stand (a quote
may be missed there if all its long words are cut by hyphens or oddly capitalised).

The work is bounded, whatever the documents and the quote are made of: time, hits looked at, characters normalised. A search
that is given up says so ("not looked for"); "not found" means that it was not.

Knows documents, offsets and lines. Refuses to judge whether a quote supports a finding.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.events import QuoteChecked
from rlm_core.evidence.normal import Normal, TooManyEdits, normal_quotes
from rlm_core.evidence.scanning import chars_between, hits, hits_backwards, line_start, lines_between
from rlm_core.evidence.sources import read_source
from rlm_core.evidence.work import TooMuchWork, Work
from rlm_core.task import Verdict

MIN_WORD_CHARS = 3
"""A shorter quote proves nothing, unless it stands as whole words in the document that it names."""
MAX_QUOTE_CHARS = 100_000
"""A longer quote is not looked for."""
_MAX_HITS = 20_000
"""Occurrences that are looked at before a search is given up: each of them cuts a number, or reaches over a document's end."""
_BYTES_PER_S = 50_000_000
"""How fast a slow machine looks through a corpus for the words of a quote, in all their spellings."""
_WHOLE_CHARS = 8_000_000
"""Documents up to this size are normalised whole; of larger ones, only the places where words of the quote stand."""
_CACHED_CHARS = 32_000_000
_LONG_CHARS = 40
_WORDS_TRIED = 3
_MAX_WORD_PLACES = 5000
_WINDOW_BYTES = 1 << 20
_WORD = re.compile(r"[^\W_]+")

Fits = Callable[[int], bool]
"""Whether an occurrence that begins at an offset counts."""


@dataclass(frozen=True, slots=True)
class Place:
    """What became of a quote. `start`, `end` are character offsets in the document's text, `line` counts from 1."""

    verdict: Verdict
    document: str | None = None
    start: int | None = None
    end: int | None = None
    line: int | None = None
    score: float | None = None
    places: int | None = None

    def checked(self) -> QuoteChecked:
        """The same as a fact about a finding."""
        return QuoteChecked(self.verdict, self.document, self.start, self.end, self.line, self.score, self.places)


def locate(quote: str | None, corpus: Corpus, source: str | None = None, *, timeout_s: float = 5.0) -> Place:
    """Find `quote`. `source` (`path`, `path:12`, `path lines 3-5`, ...) names the document to look in first; its line decides
    between several places, else the first counts. The search is given up after `timeout_s`,
    and a little more for a corpus that takes long to read through."""
    if quote is None or not quote.strip():
        return Place("no quote")
    work = Work(timeout_s + len(corpus.data) / _BYTES_PER_S)
    try:
        place = _search(quote, corpus, source, work)
    except TooMuchWork:
        return Place("not looked for")
    return place or Place("not looked for" if work.incomplete else "not found")


def _search(quote: str, corpus: Corpus, source: str | None, work: Work) -> Place | None:
    if len(quote) > MAX_QUOTE_CHARS:
        raise TooMuchWork
    named = read_source(source, corpus)
    if sum(each.isalnum() for each in quote) < MIN_WORD_CHARS:
        if named.document is None:
            return None
        quote = quote.strip()
        whole = _whole_words(_needle(quote), corpus.data)
        return _exact_in(quote, corpus, named.document, named.line, whole, work)
    forms = tuple(form for form in normal_quotes(quote) if form)
    if named.document and (place := _in_document(quote, forms, corpus, named.document, named.line, work)):
        return place
    return _exact_anywhere(quote, corpus, work) or _normal_anywhere(forms, corpus, work)


def _in_document(
    quote: str, forms: tuple[str, ...], corpus: Corpus, document: Document, line: int | None, work: Work
) -> Place | None:
    if place := _exact_in(quote, corpus, document, line, _whole_numbers(_needle(quote), corpus.data), work):
        return place
    if document.chars > _WHOLE_CHARS:
        return _near_words(forms, corpus, document.start, document.start + document.bytes, work)
    return _in_normal_form(forms, corpus, document, line, work)


def _exact_in(quote: str, corpus: Corpus, document: Document, line: int | None, fits: Fits, work: Work) -> Place | None:
    start, end, needle = document.start, document.start + document.bytes, _needle(quote)
    at = line_start(corpus.data, start, end, line)
    found = _hits_around(needle, corpus.data, start, end, at, fits, work)
    if not found:
        return None
    best = min(found, key=lambda hit: lines_between(corpus.data, min(at, hit), max(at, hit)))
    return _place("exact", corpus, document, best, best + len(needle))


def _in_normal_form(
    forms: tuple[str, ...], corpus: Corpus, document: Document, line: int | None, work: Work
) -> Place | None:
    normal = _NORMAL_FORMS.of(corpus, document, work)
    if normal is None:
        work.incomplete = True
        return None
    for form in forms:
        work.check()
        if form not in normal.text:
            continue
        text = corpus.text(document.index)
        at = normal.normal_offset(line_start(text, 0, len(text), line))
        fits = _whole_numbers(form, normal.text)
        if found := _hits_around(form, normal.text, 0, len(normal.text), at, fits, work):
            spans = [normal.original_span(start, start + len(form)) for start in found]
            lines = [text.count("\n", 0, start) + 1 for start, _ in spans]
            best = min(range(len(spans)), key=lambda number: abs(lines[number] - (line or 0)))
            return Place("normalised", document.path, *spans[best], lines[best])
    return None


def _hits_around(needle: str | bytes, text: Any, start: int, end: int, at: int, fits: Fits, work: Work) -> list[int]:
    """The first occurrence of `needle` that fits from `at` on and the last one before it, in `text[start:end]`."""
    before_at = min(at + len(needle) - 1, end)
    found = (
        _first_fitting(hits(needle, text, at, end, work), fits),
        _first_fitting(hits_backwards(needle, text, start, before_at, work), fits),
    )
    return [hit for hit in found if hit is not None]


def _first_fitting(found: Iterator[int], fits: Fits) -> int | None:
    for number, hit in enumerate(found):
        if fits(hit):
            return hit
        if number >= _MAX_HITS:
            raise TooMuchWork
    return None


def _whole_numbers(needle: str | bytes, text: Any) -> Fits:
    """`5 units` is not in `15 units`. In a long quote a number cut at the end only means that somebody shortened it."""
    if len(needle) >= _LONG_CHARS:
        return lambda at: True

    def fits(at: int) -> bool:
        before, first = _chars_at(text, at)
        last, after = _chars_at(text, at + len(needle))
        return not ((before and (before + first).isdigit()) or (after and (last + after).isdigit()))

    return fits


def _whole_words(needle: bytes, text: Any) -> Fits:
    def fits(at: int) -> bool:
        around = _chars_at(text, at)[0] + _chars_at(text, at + len(needle))[1]
        return not any(each.isalnum() or each == "_" for each in around)

    return fits


def _chars_at(text: Any, at: int) -> tuple[str, str]:
    """The characters before and behind a place between two characters, "" at an end of the text."""
    before, behind = text[max(at - 4, 0) : at], text[at : at + 4]
    if not isinstance(text, str):
        before, behind = before.decode("utf-8", "ignore"), behind.decode("utf-8", "ignore")
    return before[-1:], behind[:1]


def _exact_anywhere(quote: str, corpus: Corpus, work: Work) -> Place | None:
    needle, data = _needle(quote), corpus.data
    whole_numbers = _whole_numbers(needle, data)

    def fits(at: int) -> bool:
        document = _document_at(corpus, at)
        return at + len(needle) <= document.start + document.bytes and whole_numbers(at)

    at = _first_fitting(hits(needle, data, 0, len(data), work), fits)
    return None if at is None else _place("exact", corpus, _document_at(corpus, at), at, at + len(needle))


def _needle(quote: str) -> bytes:
    return quote.encode("utf-8", "surrogatepass")  # a lone surrogate is in no document


def _normal_anywhere(forms: tuple[str, ...], corpus: Corpus, work: Work) -> Place | None:
    if corpus.chars > _WHOLE_CHARS:
        return _near_words(forms, corpus, 0, len(corpus.data), work)
    places = (_in_normal_form(forms, corpus, document, None, work) for document in corpus.documents)
    return next((place for place in places if place), None)


def _near_words(forms: tuple[str, ...], corpus: Corpus, start: int, end: int, work: Work) -> Place | None:
    """Look only where long words of the quote stand, rarest first. Misses a quote none of whose words is intact there."""
    words = sorted({*_WORD.findall(forms[0])}, key=lambda word: (-len(word), word))[:_WORDS_TRIED]
    found = sorted((_word_places(word, corpus, start, end, work) for word in words), key=len)
    if found and len(found[0]) >= _MAX_WORD_PLACES:
        work.incomplete = True  # even the rarest word stands in more places than are looked at
    reach = 4 * len(forms[0].encode()) + 200
    for first, last in (window for places in found for window in _windows(places, reach, corpus)):
        window = corpus.data[first:last].decode("utf-8")
        normal = Normal(window, work)
        for form in forms:
            all_of_it = hits(form, normal.text, 0, len(normal.text), work)
            at = _first_fitting(all_of_it, _whole_numbers(form, normal.text))
            if at is not None:
                left, right = normal.original_span(at, at + len(form))
                before = first + len(window[:left].encode())
                document = _document_at(corpus, first)
                return _place("normalised", corpus, document, before, before + len(window[left:right].encode()))
    return None


def _word_places(word: str, corpus: Corpus, start: int, end: int, work: Work) -> list[int]:
    """Offsets in bytes of a lower-case word as it is commonly written, in order, as many as are worth looking at."""
    found: list[int] = []
    for written in sorted({word, word.capitalize(), word.upper()}):
        found += islice(hits(written.encode(), corpus.data, start, end, work), _MAX_WORD_PLACES)
    return sorted(found)


def _windows(places: list[int], reach: int, corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Parts of documents around the places, in bytes. What overlaps is one window, unless it grows long: then the next begins
    `reach` before its first place, so that whatever stands around a place is whole in some window."""
    first = last = -1
    for at in places:
        document = _document_at(corpus, at)
        left = _char_start(corpus, max(document.start, at - reach))
        right = _char_start(corpus, min(document.start + document.bytes, at + reach))
        if left > last or right - first > max(_WINDOW_BYTES, 8 * reach):
            if last >= 0:
                yield first, last
            first = left
        last = right
    if last >= 0:
        yield first, last


def _char_start(corpus: Corpus, at: int) -> int:
    """The next offset at which a character begins."""
    while at < len(corpus.data) and corpus.data[at] & 0xC0 == 0x80:
        at += 1
    return at


def _document_at(corpus: Corpus, at: int) -> Document:
    return corpus.documents[bisect_right(corpus.documents, at, key=lambda document: document.start) - 1]


def _place(verdict: Verdict, corpus: Corpus, document: Document, first: int, last: int) -> Place:
    """From offsets in bytes of the corpus to characters and lines of the document."""
    ascii_only = document.bytes == document.chars
    start = first - document.start if ascii_only else chars_between(corpus.data, document.start, first)
    end = start + len(corpus.data[first:last].decode("utf-8"))
    return Place(verdict, document.path, start, end, lines_between(corpus.data, document.start, first) + 1)


class _NormalForms:
    """The normal forms used last, up to a number of characters; `None` for a document that has too many edits."""

    def __init__(self) -> None:
        self._forms: OrderedDict[tuple[str, int], Normal | None] = OrderedDict()
        self._chars = 0
        self._lock = threading.Lock()

    def of(self, corpus: Corpus, document: Document, work: Work) -> Normal | None:
        key = (str(corpus.folder), document.index)
        with self._lock:
            if key in self._forms:
                self._forms.move_to_end(key)
                return self._forms[key]
        normal: Normal | None
        try:
            normal = Normal(corpus.text(document.index), work)
        except TooManyEdits:
            normal = None
        with self._lock:
            if key not in self._forms:
                self._forms[key] = normal
                self._chars += _weight(normal)
            while self._chars > _CACHED_CHARS:
                self._chars -= _weight(self._forms.popitem(last=False)[1])
        return normal


def _weight(normal: Normal | None) -> int:
    return normal.weight if normal else 1


_NORMAL_FORMS = _NormalForms()
