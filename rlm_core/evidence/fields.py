"""The texts that a quote is looked for in, in normal form: whole documents, or of a large corpus the parts that are worth it.

A large corpus is never normalised whole: only the windows around the rarest words of the quote are. All places are told in
bytes of the corpus, so that those of different fields can be compared.
"""

from __future__ import annotations

import re
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.evidence.normal import Normal, TooManyEdits
from rlm_core.evidence.scanning import hits
from rlm_core.evidence.sources import document_at
from rlm_core.evidence.work import Work

Span = tuple[int, int]
WHOLE_CHARS = 8_000_000
"""What is not larger is normalised whole."""
_CACHED_CHARS = 32_000_000
_WORDS_TRIED = 3
_WORDS_COMPARED, _MAX_WORDS_COMPARED = 4, 10
"""Words that stand in neither no nor very many places, and how many are looked up to find them."""
_MAX_WORD_PLACES = 5000
_WINDOW_BYTES = 1 << 20
_LIKELY_WINDOWS = 40
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Field:
    """A document, or a part of it from byte `first` of the corpus on."""

    document: Document
    first: int
    text: str
    normal: Normal

    @property
    def is_whole(self) -> bool:
        return len(self.text) == self.document.chars

    def in_bytes(self, spans: Iterable[Span]) -> list[Span]:
        """Places in the normal form, in their order, as places in the corpus."""
        found: list[Span] = []
        at, before = 0, self.first
        for start, end in (self.normal.original_span(*each) for each in spans):
            before += len(self.text[at:start].encode())
            at = start
            found.append((before, before + len(self.text[start:end].encode())))
        return found


def whole_fields(corpus: Corpus, document: Document | None, work: Work) -> Iterator[Field]:
    """A document, or all of them. One that has too many edits is left out."""
    for each in (document,) if document else corpus.documents:
        normal = _NORMAL_FORMS.of(corpus, each, work)
        if normal:
            yield Field(each, each.start, corpus.text(each.index), normal)
        else:
            work.incomplete = True


def fits_whole(corpus: Corpus, document: Document | None) -> bool:
    return (document.chars if document else corpus.chars) <= WHOLE_CHARS


def fields_around_words(
    form: str, corpus: Corpus, document: Document | None, reach: int, work: Work
) -> Iterator[Iterator[Field]]:
    """For each of the quote's rarest words the windows that hold it, rarest first. Whoever finds the quote in the first need
    not look at the others. Misses a quote none of whose long words is intact there."""
    found = sorted(islice(_word_places(form, corpus, document, work), _WORDS_TRIED), key=len)
    if found and len(found[0]) >= _MAX_WORD_PLACES:
        work.incomplete = True  # even the rarest word stands in more places than are looked at
    for places in found:
        yield (_field(corpus, window, work) for window in windows(places, reach, corpus))


def likeliest_fields(form: str, corpus: Corpus, document: Document | None, reach: int, work: Work) -> Iterator[Field]:
    """The windows that hold the most different words of a quote, as many as are worth looking at."""
    tried = islice(_word_places(form, corpus, document, work), _MAX_WORDS_COMPARED)
    telling = (each for each in tried if 0 < len(each) < _MAX_WORD_PLACES)
    places = [*islice(telling, _WORDS_COMPARED)]
    marked = sorted((at, number) for number, each in enumerate(places) for at in each)
    held, counts, around = deque[tuple[int, int]](), Counter[int](), list[tuple[int, int]]()
    for at, number in marked:
        held.append((at, number))
        counts[number] += 1
        while held[0][0] < at - reach:
            counts[held.popleft()[1]] -= 1
        around.append((sum(map(bool, counts.values())), held[0][0]))
    best = sorted({at for _, at in nlargest(_LIKELY_WINDOWS, around)})
    for window in windows(best, reach, corpus):
        yield _field(corpus, window, work)


def _field(corpus: Corpus, window: Span, work: Work) -> Field:
    text = corpus.data[slice(*window)].decode("utf-8")
    return Field(document_at(corpus, window[0]), window[0], text, Normal(text, work))


def _word_places(form: str, corpus: Corpus, document: Document | None, work: Work) -> Iterator[list[int]]:
    """Where the words of a quote stand, the longest word first, in bytes, as they are commonly written."""
    start, end = (document.start, document.start + document.bytes) if document else (0, len(corpus.data))
    for word in sorted({*_WORD.findall(form)}, key=lambda word: (-len(word), word)):
        places: list[int] = []
        for written in sorted({word, word.capitalize(), word.upper()}):
            places += islice(hits(written.encode(), corpus.data, start, end, work), _MAX_WORD_PLACES)
        yield sorted(places)


def windows(places: list[int], reach: int, corpus: Corpus) -> Iterator[Span]:
    """Parts of documents around the places, in bytes. What overlaps is one window, unless it grows long: then the next begins
    `reach` before its first place, so that whatever stands around a place is whole in some window."""
    first = last = -1
    for at in places:
        document = document_at(corpus, at)
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
