"""Strips: characters of a text as marks on a line from 0 to 10,000, at most so many of them. Pure.

Of more pieces than can be told apart each hundredth of a percent has a mark as wide as its share is: drawn, the mean is right.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlm_core.evidence.coverage import Span

WIDE = 10_000
MOST = 300
BINS = 1_000
Marks = list[tuple[int, int]]
"""Start and width of each."""


def marks(spans: Sequence[Span], chars: int, most: int = MOST) -> Marks:
    """Spans of characters, in order and apart, as marks of a text that has so many."""
    if not chars:
        return []
    scaled = [(WIDE * start / chars, WIDE * end / chars) for start, end in spans]
    if len(scaled) > most:
        scaled = _binned(scaled)
    return [(round(start), max(1, round(end) - round(start))) for start, end in scaled]


def at(char: int, chars: int) -> int:
    """Where a character lies on the strip."""
    return round(WIDE * min(max(char, 0), chars) / chars) if chars else 0


RULER = 1_000
"""Places of a document, evenly apart, of which the lines are known."""
FEW_LINES = 100


def by_line(spans: Sequence[Span], chars: int, ruler: Sequence[int], lines: int) -> Marks:
    """The same on a strip that is divided by lines. `ruler` has the lines at `RULER` places and behind the end. A document of few
    lines, which may be of any length, is divided by its characters."""
    if lines < FEW_LINES or not chars:
        return marks(spans, chars)

    def place(char: int) -> int:
        step, rest = divmod(RULER * min(char, chars), chars)
        line = ruler[step] + (ruler[min(step + 1, RULER)] - ruler[step]) * rest / chars
        return round(WIDE * (line - 1))

    return marks([(place(start), place(end)) for start, end in spans], WIDE * lines)


def _binned(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    size = WIDE / BINS
    filled = [0.0] * BINS
    for start, end in spans:
        for each in range(int(start / size), min(BINS, int(end / size) + 1)):
            filled[each] += max(0.0, min(end, (each + 1) * size) - max(start, each * size))
    joined: list[tuple[float, float]] = []
    for number, width in enumerate(filled):
        start = number * size
        if width <= 0:
            continue
        if joined and joined[-1][1] >= start - 1e-6:
            joined[-1] = (joined[-1][0], start + width)
        else:
            joined.append((start, start + width))
    return joined
