"""Where the words of a quote stand: as they are written, in normal form, or with parts left out.

Each level gives all places in a document, or in all of them, in bytes of the corpus. With a line to choose by, two places
around it are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.evidence.elided import in_order
from rlm_core.evidence.fields import Field, Span, fields_around_words, fits_whole, whole_fields
from rlm_core.evidence.occurrences import MAX_PLACES, occurrences, whole, whole_words
from rlm_core.evidence.scanning import line_start
from rlm_core.evidence.sources import document_at
from rlm_core.evidence.wanted import Wanted


def word_for_word(wanted: Wanted, scope: Document | None) -> list[Span]:
    """The very words."""
    return _bytes(wanted, wanted.needle, scope, words_only=False)


def as_whole_words(wanted: Wanted, document: Document) -> list[Span]:
    """The very words, neither beginning nor ending within a word: for what is very short."""
    return _bytes(wanted, wanted.quote.strip().encode("utf-8", "surrogatepass"), document, words_only=True)


def _bytes(wanted: Wanted, needle: bytes, scope: Document | None, *, words_only: bool) -> list[Span]:
    corpus, line = wanted.corpus, wanted.hints.line
    data = corpus.data
    start, end = range_of(corpus, scope)
    at = line_start(data, start, end, line) if scope and line is not None else None
    stands = whole_words(needle, data) if words_only else whole(needle, data)

    def fits(hit: int) -> bool:
        return hit + len(needle) <= range_of(corpus, scope or document_at(corpus, hit))[1] and stands(hit)

    return [(hit, hit + len(needle)) for hit in occurrences(needle, data, start, end, wanted.work, fits, at=at)]


def range_of(corpus: Corpus, document: Document | None) -> Span:
    return (document.start, document.start + document.bytes) if document else (0, len(corpus.data))


def in_normal_form(wanted: Wanted, scope: Document | None) -> list[Span]:
    """The words but for the accidents of typography."""
    return _in_fields(wanted, scope, lambda field: _likeliest_form(wanted, field, scope))


def with_parts_left_out(wanted: Wanted, scope: Document | None) -> list[Span]:
    """All parts of a quote that leaves something out, in order."""
    if len(wanted.parts) < 2:
        return []
    return _in_fields(wanted, scope, lambda field: in_order(wanted.normal_parts, field.normal.text, wanted.work))


def _in_fields(wanted: Wanted, scope: Document | None, find: Callable[[Field], list[Span]]) -> list[Span]:
    for fields in _groups(wanted, scope):
        found = {span for field in fields for span in field.in_bytes(find(field))}
        if found:
            return sorted(found)[:MAX_PLACES]
    return []


def _groups(wanted: Wanted, scope: Document | None) -> Iterator[Iterator[Field]]:
    """Fields to look in, in groups: what was found in one need not be looked for in the next."""
    if fits_whole(wanted.corpus, scope):
        yield whole_fields(wanted.corpus, scope, wanted.work)
    elif wanted.forms:
        yield from fields_around_words(wanted.forms[0], wanted.corpus, scope, wanted.reach, wanted.work)


def _likeliest_form(wanted: Wanted, field: Field, scope: Document | None) -> list[Span]:
    text, line = field.normal.text, wanted.hints.line
    for form in wanted.forms:
        wanted.work.check()
        if form not in text:
            continue
        at = None
        if scope and line is not None and field.is_whole:
            at = field.normal.normal_offset(line_start(field.text, 0, len(field.text), line))
        if found := occurrences(form, text, 0, len(text), wanted.work, whole(form, text), at=at):
            return [(start, start + len(form)) for start in sorted(found)]
    return []
