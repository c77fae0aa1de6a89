"""A text without the accidents of typography, and the way back: every place in it maps to a place in the original.

Quotes, dashes, spaces and full-width letters become plain, ligatures are spelled out, invisible characters vanish, words cut
at a line end are joined, runs of white space become one space, and all is lower case. Digits, signs and words stay: two
texts that are equal here say the same. A text made of nothing but such accidents is refused: `TooManyEdits`.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from rlm_core.evidence.work import TooMuchWork, Work

_INVISIBLE = r"\xad\x02\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe"
_EDIT = (  # opens with one set of characters, for speed: nearly all of a text is in step with its normal form
    rf"[- \n{_INVISIBLE}ﬀ-ﬆ…](?:"
    r"(?<=\w-) *\n *(?=[^\W\d_])"  # a word cut at a line end
    r"|(?<=[ \n])[ \n]+"
    r"|(?<=[\xad\x02\ufffe]) *\n *"  # the same with a soft hyphen, or as PDF readers write it
    rf"|(?<=[{_INVISIBLE}ﬀ-ﬆ…]))"
)
_EDITS = re.compile(_EDIT)
_MAX_MARKS = 16
"""On one letter; composing takes the square of their number. No language needs so many, and more stay as they are."""
_MARK = re.compile(r"[\u0300-\u036f]")
_EDITS_WITH_MARKS = re.compile(rf"{_EDIT}|\w[\u0300-\u036f]{{1,{_MAX_MARKS}}}")
_IN_WORD_HYPHEN = re.compile(r"(?<=\w)-(?=[^\W\d_])")
_MAX_HYPHENS = 4
_MAX_EDITS = 2_000_000
_EDIT_CHARS = 8
"""What an edit costs, in characters that need none."""
_EDITS_COUNTED_AT_ONCE = 10_000


class TooManyEdits(TooMuchWork):
    """Whatever else is done, this text takes too long to bring into normal form."""


class Normal:
    """A text in its normal form, `text`, and the way back to the offsets of the original."""

    def __init__(self, original: str, work: Work | None = None) -> None:
        """Raises `TooManyEdits`, or `TooMuchWork` when that of the whole search is used up."""
        if work:
            work.spend(len(original))
        plain = original.translate(_plain()).lower()  # both keep the length
        parts: list[str] = []
        # Each edit replaced original[from:to] by text[start:end]; between edits both run in step.
        self._starts, self._ends, self._from, self._to = array("q"), array("q"), array("q"), array("q")
        at = length = 0
        edits = _EDITS_WITH_MARKS if _MARK.search(plain) else _EDITS
        for number, match in enumerate(edits.finditer(plain), 1):
            if not number % _EDITS_COUNTED_AT_ONCE:
                _count_edits(number, work)
            first, last = match.span()
            new = _replacement(match[0])
            length += first - at
            self._starts.append(length)
            length += len(new)
            self._ends.append(length)
            self._from.append(first)
            self._to.append(last)
            parts += (plain[at:first], new)
            at = last
        parts.append(plain[at:])
        self.text = "".join(parts).replace("\n", " ")
        self.weight = len(original) + _EDIT_CHARS * len(self._from)
        """What it takes up, in characters."""

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the original."""
        before = bisect_right(self._starts, start) - 1
        first = start
        if before >= 0:
            first = self._from[before] if start < self._ends[before] else self._to[before] + start - self._ends[before]
        before = bisect_left(self._starts, end) - 1
        last = end
        if before >= 0:
            last = self._to[before] if end <= self._ends[before] else self._to[before] + end - self._ends[before]
        return first, last

    def normal_offset(self, original: int) -> int:
        """The offset in `text` of what stands at an offset of the original."""
        before = bisect_right(self._from, original) - 1
        if before < 0:
            return original
        return self._ends[before] + max(0, original - self._to[before])


def normal_quotes(quote: str) -> Iterator[str]:
    """The normal forms to look for, likeliest first: as it is; without marks around it; and without some of its hyphens, since
    a word may be cut in the document at a hyphen of its own."""
    whole = Normal(quote).text.strip()
    yield whole
    text = without_marks(whole)
    if text != whole:
        yield text
    hyphens = [match.start() for match in _IN_WORD_HYPHEN.finditer(text)][:_MAX_HYPHENS]
    for count in range(1, len(hyphens) + 1):
        for dropped in combinations(hyphens, count):
            starts, ends = (0, *(at + 1 for at in dropped)), (*dropped, len(text))
            yield "".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def without_marks(text: str) -> str:
    """A text in normal form without the marks that people and models put around a quote."""
    return text.strip(_OUTER)


_OUTER = " \t\n\"'`.…*_"


_SPELLED_OUT = {"…": "...", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


def _count_edits(number: int, work: Work | None) -> None:
    if number > _MAX_EDITS:
        raise TooManyEdits
    if work:
        work.spend(_EDIT_CHARS * _EDITS_COUNTED_AT_ONCE)


def _replacement(cut: str) -> str:
    if cut[0] in " \n":
        return " "
    if _MARK.match(cut[-1]):
        return unicodedata.normalize("NFC", cut)
    return _SPELLED_OUT.get(cut[0], "")


@cache
def _plain() -> dict[int, str]:
    """Characters and what they are plainly, one for one."""
    table = dict.fromkeys(map(ord, "\t\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"), " ")
    table |= dict.fromkeys(range(0x2000, 0x200B), " ")
    table |= dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
    table |= dict.fromkeys(map(ord, "“”„‟«»″＂"), '"')
    table |= dict.fromkeys(map(ord, "‘’‚‛‹›´`′＇"), "'")
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code not in table}
    table[0x130] = "i"  # the one character whose lower case is two
    return table
