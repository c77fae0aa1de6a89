"""The place that is most like a quote, and whether it says the same but for words that do not decide.

Of places that are alike nearly as much, the one that the finding's line, page or item points to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rlm_core.corpus.corpus import Document
from rlm_core.evidence import near
from rlm_core.evidence.deciding import differ_in_what_decides
from rlm_core.evidence.elided import MAX_GAP_CHARS, leaves_out_a_negation
from rlm_core.evidence.fields import Field, Span, fits_whole, likeliest_fields, whole_fields
from rlm_core.evidence.hints import zones
from rlm_core.evidence.near import Near
from rlm_core.evidence.wanted import Wanted

_POINTED_AT = 3.0
"""So much less like may be what the finding points to, of 100."""


@dataclass(frozen=True, slots=True)
class Like:
    """A place in bytes of the corpus. `score` is from 0 to 1; `conflicts`: a word that decides differs."""

    span: Span
    score: float
    conflicts: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    field: Field
    found: tuple[Near, ...]
    """For each part of the quote."""
    score: float
    worth: float


def most_like(wanted: Wanted, scope: Document | None) -> Like | None:
    """The best place in a document, or in any; `None` if nothing is like enough."""
    if any(len(part) > near.MAX_CHARS for part in wanted.normal_parts) and len(wanted.quote.split()) >= near.MIN_WORDS:
        wanted.work.incomplete = True
        return None
    candidates = (each for field in _fields(wanted, scope) for each in _candidates(wanted, field))
    best = max(candidates, key=lambda each: each.worth, default=None)
    if best is None:
        return None
    ((start, end),) = best.field.in_bytes([(best.found[0].start, best.found[-1].end)])
    return Like((start, end), round(best.score / 100, 3), _conflicts(wanted, best))


def _fields(wanted: Wanted, scope: Document | None) -> Iterator[Field]:
    if fits_whole(wanted.corpus, scope):
        yield from whole_fields(wanted.corpus, scope, wanted.work)
    elif wanted.forms:
        yield from likeliest_fields(wanted.forms[0], wanted.corpus, scope, wanted.reach, wanted.work)


def _candidates(wanted: Wanted, field: Field) -> Iterator[_Candidate]:
    """The best place in a field, and those where the finding points to."""
    hints, text = wanted.hints, field.normal.text
    named = field.is_whole and field.document == hints.document
    pointed_at = [*zones(field.text, hints, field.normal.normal_offset, named=named)]
    for rank, (first, last) in enumerate([(0, len(text)), *pointed_at]):
        found = _parts_near(wanted, text, first, last)
        if found:
            score = min(each.score for each in found)
            yield _Candidate(field, found, score, score + (_POINTED_AT - rank / 100 if rank else 0.0))
        elif not rank:
            return  # nowhere is nowhere in its zones


def _parts_near(wanted: Wanted, text: str, first: int, last: int) -> tuple[Near, ...] | None:
    """A place for each part, one behind the other."""
    found: list[Near] = []
    for part in wanted.normal_parts:
        here = near.nearest(part, text, wanted.work, first, last)
        if here is None:
            return None
        found.append(here)
        first, last = here.end, here.end + MAX_GAP_CHARS
    return tuple(found)


def _conflicts(wanted: Wanted, best: _Candidate) -> bool:
    normal = best.field.normal
    places = [best.field.text[slice(*normal.original_span(each.start, each.end))] for each in best.found]
    gaps = [normal.text[one.end : other.start] for one, other in pairwise(best.found)]
    differ = any(differ_in_what_decides(*each) for each in zip(wanted.parts, places, strict=True))
    return differ or any(map(leaves_out_a_negation, gaps))
