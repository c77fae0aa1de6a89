"""What differs, word by word, between a quote and the place that is like it.

Pure. Words are compared in normal form (`normal.py`): case, spacing and typography make no difference. Nor does punctuation,
except that which belongs to a number or a name: `1,5`, `-3`, `22-0318`, `don't`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import LCSseq

from rlm_core.evidence.normal import Normal

MAX_CHARS = 20_000
"""Of a longer quote or place only so much is compared."""
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_LETTER = rf"[^\W{_IDEOGRAPHS}]"
WORD = re.compile(
    rf"[{_IDEOGRAPHS}]"  # a word each: their languages have no spaces
    rf"|(?:(?<![^\s(\[])[-+](?=\d))?{_LETTER}+(?:(?:['.-]|(?<=\d)[,:/](?=\d)){_LETTER}+)*"
    r"|[%‰°€$£¥<>=≤≥±]"
)
"""A word of a text in normal form."""

Kind = Literal["same", "only in quote", "only in source"]


@dataclass(frozen=True, slots=True)
class Part:
    """Neighbouring words, each text as it is written on its side: `quote` or `source` is empty where they stand on one only."""

    kind: Kind
    quote: str
    source: str


@dataclass(frozen=True, slots=True)
class Difference:
    """All words of both sides in order. Of `words` in the quote, `agreeing` stand in the source in the same order."""

    parts: tuple[Part, ...]
    agreeing: int
    words: int


class Words:
    """A text as words: `keys` to compare, `original(first, last)` to show."""

    def __init__(self, text: str) -> None:
        self._text = text[:MAX_CHARS]
        self._normal = Normal(self._text)
        self._spans = [match.span() for match in WORD.finditer(self._normal.text)]
        self.keys = [self._normal.text[start:end] for start, end in self._spans]

    def original(self, first: int, last: int) -> str:
        """The words from one number up to another as they are written, with what stands between them and behind the last."""
        if first >= last:
            return ""
        start = self._start(first) if first else 0
        return self._text[start : self._start(last) if last < len(self._spans) else len(self._text)]

    def written(self, first: int, last: int) -> list[str]:
        """The same words, one by one and without what stands between them."""
        return [self._text[slice(*self._normal.original_span(*span))] for span in self._spans[first:last]]

    def _start(self, number: int) -> int:
        return self._normal.original_span(*self._spans[number])[0]


def difference(quote: str, source: str) -> Difference:
    """The word diff. Texts that say the same have one part."""
    ours, theirs = Words(quote), Words(source)
    parts: list[Part] = []
    agreeing = 0
    for same, (first, last), (their_first, their_last) in aligned(ours.keys, theirs.keys):
        quoted, stands = ours.original(first, last), theirs.original(their_first, their_last)
        if same:
            agreeing += last - first
            parts.append(Part("same", quoted, stands))
            continue
        parts += [Part("only in quote", quoted, "")] if quoted else []
        parts += [Part("only in source", "", stands)] if stands else []
    return Difference(tuple(parts), agreeing, len(ours.keys))


Range = tuple[int, int]


def aligned(quote: Sequence[str], source: Sequence[str]) -> list[tuple[bool, Range, Range]]:
    """Runs of words that are the same on both sides, and the runs between them: whether, which of `quote`, which of `source`."""
    found: list[tuple[bool, Range, Range]] = []
    for step in LCSseq.opcodes(quote, source):
        same, ours, theirs = step.tag == "equal", (step.src_start, step.src_end), (step.dest_start, step.dest_end)
        if found and not same and not found[-1][0]:  # a deletion beside an insertion is one change
            _, before, their_before = found.pop()
            ours, theirs = (before[0], ours[1]), (their_before[0], theirs[1])
        found.append((same, ours, theirs))
    return found
