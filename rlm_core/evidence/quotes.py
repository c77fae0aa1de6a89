"""Where is this quote? Finds the words of a quote in a corpus and says how sure that is.

First word for word, then in normal form (`normal.py`), then with parts left out (`elided.py`): such a quote is proven. Words
that stand in several places, where nothing that the finding says decides for one (`hints.py`), are ambiguous. At last what is
like the quote (`near.py`): never proven, and in conflict where a word that decides differs (`deciding.py`). The document that
the quote's source names is looked at first, then all others.

The work is bounded, whatever the documents and the quote are made of: time, hits looked at, characters normalised. A search
that is given up says so ("not looked for"); "not found" means that it was not.

Knows documents, offsets and lines. Refuses to judge whether a quote supports a finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.events import QuoteChecked
from rlm_core.evidence import standing
from rlm_core.evidence.fields import Span
from rlm_core.evidence.hints import hints_of, narrowed
from rlm_core.evidence.likeness import most_like
from rlm_core.evidence.scanning import chars_between, lines_between
from rlm_core.evidence.sources import document_at
from rlm_core.evidence.wanted import Wanted
from rlm_core.evidence.work import TooMuchWork, Work
from rlm_core.task import Verdict

MIN_WORD_CHARS = 3
"""A shorter quote proves nothing, unless it stands as whole words in the document that it names."""
MAX_QUOTE_CHARS = 100_000
"""A longer quote is not looked for."""
_BYTES_PER_S = 50_000_000
"""How fast a slow machine looks through a corpus for the words of a quote, in all their spellings."""


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


def locate(
    quote: str | None,
    corpus: Corpus,
    source: str | None = None,
    *,
    item: str | None = None,
    timeout_s: float = 5.0,
) -> Place:
    """Find `quote`. `source` (`path`, `path:12`, `path, page 3`, ...) names the document to look in first; its line or page and
    the finding's `item` decide between several places. The search is given up after `timeout_s`, and a little more for a
    corpus that takes long to read through."""
    if quote is None or not quote.strip():
        return Place("no quote")
    if len(quote) > MAX_QUOTE_CHARS:
        return Place("not looked for")
    work = Work(timeout_s + len(corpus.data) / _BYTES_PER_S)
    try:
        place = _search(Wanted(quote, corpus, hints_of(source, item, corpus), work))
    except TooMuchWork:
        return Place("not looked for")
    return place or Place("not looked for" if work.incomplete else "not found")


def _search(wanted: Wanted) -> Place | None:
    named = wanted.hints.document
    if sum(each.isalnum() for each in wanted.quote) < MIN_WORD_CHARS:
        return _chosen("exact", standing.as_whole_words(wanted, named), wanted) if named else None
    scopes = (named, None) if named else (None,)
    for scope in scopes:
        if place := _proven(wanted, scope):
            return place
    for scope in scopes:
        if like := most_like(wanted, scope):
            return _place("conflict" if like.conflicts else "fuzzy", wanted.corpus, like.span, score=like.score)
    return None


def _proven(wanted: Wanted, scope: Document | None) -> Place | None:
    """Where the words stand in a document, or in any."""
    return (
        _chosen("exact", standing.word_for_word(wanted, scope), wanted)
        or _chosen("normalised", standing.in_normal_form(wanted, scope), wanted)
        or _chosen("normalised", standing.with_parts_left_out(wanted, scope), wanted)
    )


def _chosen(verdict: Verdict, spans: Sequence[Span], wanted: Wanted) -> Place | None:
    """The place that is meant; of several that may be meant the first, and how many they are."""
    if not spans:
        return None
    left = narrowed(spans, wanted.corpus, wanted.hints)
    if len(left) > 1:
        return _place("ambiguous", wanted.corpus, left[0], places=len(left))
    return _place(verdict, wanted.corpus, left[0])


def _place(
    verdict: Verdict, corpus: Corpus, span: Span, *, score: float | None = None, places: int | None = None
) -> Place:
    """From offsets in bytes of the corpus to characters and lines of the document."""
    document = document_at(corpus, span[0])
    ascii_only = document.bytes == document.chars
    start = span[0] - document.start if ascii_only else chars_between(corpus.data, document.start, span[0])
    end = start + len(corpus.data[slice(*span)].decode("utf-8"))
    line = lines_between(corpus.data, document.start, span[0]) + 1
    return Place(verdict, document.path, start, end, line, score, places)
