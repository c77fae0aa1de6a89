"""Quotes that leave something out: `first part ... last part`. Their parts stand in order, near each other, in one document.

What is left out between two parts is not proven to be harmless: a negation that was dropped from within a sentence is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlm_core.evidence.deciding import negates
from rlm_core.evidence.occurrences import MAX_PLACES, occurrences, whole
from rlm_core.evidence.work import Work

MAX_GAP_CHARS = 5_000
"""What may be left out between two parts."""
MAX_PARTS = 10
_MIN_WORDS, _MIN_CHARS = 2, 8
_LEFT_OUT = re.compile(r"[\[(]\s?(?:\.{2,9}|…)\s?[\])]|…|\.{3,9}|\. \. \.")
_SENTENCE_END = re.compile(r"[.!?][\"')\]]*\s|\n\s*\n")


def parts_of(quote: str) -> list[str]:
    """The parts between what is left out, as they are written; the whole quote where one of them is too short to be found."""
    parts = [part.strip() for part in _LEFT_OUT.split(quote)]
    parts = [part for part in parts if part]
    long_enough = all(len(part) >= _MIN_CHARS or len(part.split()) >= _MIN_WORDS for part in parts)
    return parts if 1 < len(parts) <= MAX_PARTS and long_enough else [quote]


def in_order(parts: Sequence[str], text: str, work: Work) -> list[tuple[int, int]]:
    """Where all parts stand one behind the other in a text, and no negation was left out; all in normal form."""
    found = []
    for start in occurrences(parts[0], text, 0, len(text), work, whole(parts[0], text)):
        at = start + len(parts[0])
        for part in parts[1:]:
            until = min(len(text), at + MAX_GAP_CHARS + len(part))
            behind = next(iter(occurrences(part, text, at, until, work, whole(part, text), most=1)), None)
            if behind is None or leaves_out_a_negation(text[at:behind]):
                break
            at = behind + len(part)
        else:
            found.append((start, at))
        if len(found) == MAX_PLACES:
            break
    return found


def leaves_out_a_negation(gap: str) -> bool:
    """Whether what stands between two parts of one sentence turns it into its opposite."""
    return not _SENTENCE_END.search(gap) and negates(gap)
