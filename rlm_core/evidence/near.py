"""Where in one text stands what is most like a quote? Both are in normal form (`normal.py`), and so are all offsets.

rapidfuzz finds the place by letters; where it begins and ends is decided by words. A long quote is looked for by pieces of it.
Every step is short for sure: blocks of text, pieces of a quote. Refuses to say what the likeness is worth (`deciding.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from rlm_core.evidence.differences import WORD
from rlm_core.evidence.work import Work

CUT_OFF = 85.0
"""A place must be this like a piece of the quote, of 100."""
MIN_CHARS, MIN_WORDS = 6, 2
"""What is shorter is like too many places."""
MAX_CHARS = 20_000
_LOWEST = 75.0
"""A whole place, cut to words, may be a little less like than its letters were."""
_PIECE_CHARS = 200
_MAX_PIECES = 5
_BLOCK_CHARS = 50_000
_EARLIER_TRIED = 8
"""Times that an earlier place, which is as much like, is looked for: rapidfuzz gives any."""
_EDGE_WORDS = 40
_CHANGED, _LEFT_OUT = 0.99, 1.0
"""A changed word is likelier than one that was left out beside one that was added."""


@dataclass(frozen=True, slots=True)
class Near:
    """A place that is like the quote; `score` is of 100."""

    start: int
    end: int
    score: float


def nearest(quote: str, text: str, work: Work, first: int = 0, last: int | None = None) -> Near | None:
    """The most like place that begins within `text[first:last]`; of several the first. `None`: nothing is like enough."""
    words = [match.span() for match in WORD.finditer(quote)]
    if len(words) < MIN_WORDS or not MIN_CHARS <= len(quote) <= MAX_CHARS:
        return None
    best: Near | None = None
    for begin, piece in _pieces(quote):
        found = _like(piece, text, first, len(text) if last is None else min(last, len(text)), work)
        if found is None:
            continue
        near = _cut_to_words(quote, text, found - begin, work)
        if near and near.score >= _LOWEST and (best is None or near.score > best.score):
            best = near
    return best


def _pieces(quote: str) -> Iterator[tuple[int, str]]:
    """The quote, or of a long one some parts, each with its offset."""
    if len(quote) <= _PIECE_CHARS * 3 // 2:
        yield 0, quote
        return
    count = min(_MAX_PIECES, len(quote) // _PIECE_CHARS)
    step = (len(quote) - _PIECE_CHARS) / max(count - 1, 1)
    for number in range(count):
        begin = round(number * step)
        yield begin, quote[begin : begin + _PIECE_CHARS]


def _like(piece: str, text: str, first: int, last: int, work: Work) -> int | None:
    """Where the place most like a piece begins; of several the first."""
    best, at = CUT_OFF, None
    for start in range(first, last, _BLOCK_CHARS):
        block = text[start : min(start + _BLOCK_CHARS, last) + len(piece)]
        for _ in range(_EARLIER_TRIED):
            work.check()
            found = _most_alike(piece, block, best)
            if found is None or (at is not None and found[0] == best and start + found[1] >= at):
                break
            best, at = found[0], start + found[1]
            block = block[: found[1] + len(piece) - 1]
    return at


def _most_alike(piece: str, block: str, cut_off: float) -> tuple[float, int] | None:
    """Likeness of the most like place in a block, and where it begins; a block that is much shorter than the piece has none."""
    if len(block) < len(piece) // 2:
        return None
    found = fuzz.partial_ratio_alignment(piece, block, score_cutoff=cut_off)
    return (found.score, found.dest_start - found.src_start) if found else None


def _cut_to_words(quote: str, text: str, at: int, work: Work) -> Near | None:
    """The words of the text that the quote's first to last word stand for, near a place."""
    slack = min(len(quote) // 4, 500) + 30
    ours = [match.group() for match in WORD.finditer(quote)]
    head, tail = ours[:_EDGE_WORDS], ours[-_EDGE_WORDS:]
    begin = max(at - slack, 0)
    begin_words = _words(text, begin, begin + 2 * slack + len(" ".join(head)) * 5 // 4)
    end = max(at + len(quote) - len(" ".join(tail)) * 5 // 4 - slack, 0)
    end_words = _words(text, end, at + len(quote) + slack)
    if not begin_words or not end_words:
        return None
    work.check()
    backwards = _best_end(head[::-1], [text[slice(*each)] for each in reversed(begin_words)])
    forwards = _best_end(tail, [text[slice(*each)] for each in end_words])
    start, stop = begin_words[len(begin_words) - backwards][0], end_words[forwards - 1][1]
    if stop <= start:
        return None
    stop += quote[-1:] in ".!?)\"'" and text[stop : stop + 1] == quote[-1:]
    return Near(start, stop, fuzz.ratio(quote, text[start:stop]))


def _words(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the words begin and end that lie in `text[start:end]`, whole where they are cut there."""
    while start and text[start - 1] != " " and start > end - 10 * _PIECE_CHARS:
        start -= 1
    behind = text.find(" ", end, end + _PIECE_CHARS)
    return [match.span() for match in WORD.finditer(text, start, behind if behind >= 0 else end)]


def _best_end(words: Sequence[str], among: Sequence[str]) -> int:
    """How many words of `among` are used when all `words` are matched to a run of it with the fewest changes. At least one."""
    before = [0.0] * (len(among) + 1)  # a run may begin anywhere
    for row, word in enumerate(words, 1):
        current = [row * _LEFT_OUT]
        for column, other in enumerate(among, 1):
            changed = before[column - 1] + (0.0 if word == other else _CHANGED)
            current.append(min(changed, before[column] + _LEFT_OUT, current[-1] + _LEFT_OUT))
        before = current
    return max(1, min(range(len(before)), key=lambda column: (before[column], -column)))
