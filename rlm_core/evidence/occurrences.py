"""Where words stand whole: not as a part of a longer number, nor of a word that says the opposite.

Works on a `str` and on the mapped bytes of a corpus alike; offsets are those of what it is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from rlm_core.evidence.scanning import hits, hits_backwards
from rlm_core.evidence.work import TooMuchWork, Work

MAX_PLACES = 5_000
"""Places that are told apart; of more, the first."""
_MAX_HITS = 20_000
"""Occurrences that are looked at before a search is given up: each of them cuts a number, or reaches over a document's end."""
_AROUND = 32
_NUMBER_BEFORE = re.compile(r"\d[.,:/-]?\Z|(?:\A|[\s(\[])[-−+]\Z")
_NUMBER_BEHIND = re.compile(r"[.,:/-]?\d")
_NEGATED_BEFORE = re.compile(r"(?:\A|\W)(?:un|in|im|il|ir|dis|mis|non-?)\Z", re.IGNORECASE)
_NEGATED_BEHIND = re.compile(r"(?:n['’]t|less|los|frei)\b", re.IGNORECASE)

Fits = Callable[[int], bool]
"""Whether an occurrence that begins at an offset counts."""


def whole(needle: str | bytes, text: Any) -> Fits:
    """`5 units` is not in `15 units` nor in `-5 units`, `able to` not in `unable to`, `it was` not in `it wasn't`."""
    plain = needle if isinstance(needle, str) else needle.decode("utf-8", "replace")
    number_first, word_first = plain[:1].isdigit(), plain[:1].isalpha()
    number_last, word_last = plain[-1:].isdigit(), plain[-1:].isalpha()

    def fits(at: int) -> bool:
        before, behind = around(text, at, at + len(needle))
        return not (
            (number_first and _NUMBER_BEFORE.search(before))
            or (word_first and _NEGATED_BEFORE.search(before))
            or (number_last and _NUMBER_BEHIND.match(behind))
            or (word_last and _NEGATED_BEHIND.match(behind))
        )

    return fits


def whole_words(needle: bytes, text: Any) -> Fits:
    """It neither begins nor ends within a word or a number."""
    in_numbers = whole(needle, text)

    def fits(at: int) -> bool:
        before, behind = around(text, at, at + len(needle))
        return in_numbers(at) and not any(each.isalnum() or each == "_" for each in before[-1:] + behind[:1])

    return fits


def around(text: Any, start: int, end: int) -> tuple[str, str]:
    """Some characters before and behind a place."""
    before, behind = text[max(start - _AROUND, 0) : start], text[end : end + _AROUND]
    if not isinstance(text, str):
        before, behind = before.decode("utf-8", "ignore"), behind.decode("utf-8", "ignore")
    return before, behind


def occurrences(
    needle: str | bytes,
    text: Any,
    start: int,
    end: int,
    work: Work,
    fits: Fits,
    *,
    at: int | None = None,
    most: int = MAX_PLACES,
) -> list[int]:
    """All that fit in `text[start:end]`, in order; with `at` the first from there on and the last one before it."""
    if at is None:
        return _fitting(hits(needle, text, start, end, work), fits, most)
    before_at = min(at + len(needle) - 1, end)
    behind = _fitting(hits(needle, text, at, end, work), fits, 1)
    return behind + _fitting(hits_backwards(needle, text, start, before_at, work), fits, 1)


def _fitting(found: Iterator[int], fits: Fits, most: int) -> list[int]:
    """Raises `TooMuchWork` where very many do not fit, and none does."""
    fitting: list[int] = []
    for number, hit in enumerate(found):
        if fits(hit):
            fitting.append(hit)
        if len(fitting) == most or (fitting and number >= _MAX_HITS):
            break
        if number >= _MAX_HITS:
            raise TooMuchWork
    return fitting
