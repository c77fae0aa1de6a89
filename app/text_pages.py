"""A long text in pages, and where words stand in it. Pure: offsets are of the text as it is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

PAGE_CHARS = 20_000
PAGE_LINES = 500
MOST_HITS = 10_000
LINE_END = re.compile(r"\n")


@dataclass(frozen=True, slots=True)
class Page:
    start: int
    end: int
    line: int
    """The number of its first line, from 1."""


def pages_of(text: str) -> list[Page]:
    """Pages that end with a line, unless that alone is longer than a page."""
    pages: list[Page] = []
    start, line = 0, 1
    while start < len(text) or not pages:
        end, lines = _end(text, start)
        pages.append(Page(start, end, line))
        start, line = end, line + lines
    return pages


def _end(text: str, start: int) -> tuple[int, int]:
    """Where the page that begins there ends, and how many lines end in it."""
    ends = [each.end() for each in islice(LINE_END.finditer(text, start, start + PAGE_CHARS), PAGE_LINES)]
    if start + PAGE_CHARS >= len(text) and len(ends) < PAGE_LINES:
        return len(text), len(ends)
    return (ends[-1], len(ends)) if ends else (start + PAGE_CHARS, 0)


def hits_of(text: str, words: str) -> list[tuple[int, int]]:
    """Where these words stand, however they are written, up to `MOST_HITS` times."""
    if not words:
        return []
    found = re.finditer(re.escape(words), text, re.IGNORECASE)
    return [each.span() for each in islice(found, MOST_HITS)]


def page_with(pages: Sequence[Page], offset: int) -> int:
    """Which page holds a character."""
    return max(0, bisect_right([each.start for each in pages], offset) - 1)


def pieces(text: str, page: Page, hits: Sequence[tuple[int, int]], chosen: int | None) -> list[tuple[str, str]]:
    """The text of a page in pieces, each with what it is: nothing, `hit`, or `chosen`, the hit that is looked at."""
    found, at = [], page.start
    for number, (start, end) in enumerate(hits):
        if end <= page.start or start >= page.end:
            continue
        start, end = max(start, page.start), min(end, page.end)
        if start > at:
            found.append(("", text[at:start]))
        found.append(("chosen" if number == chosen else "hit", text[start:end]))
        at = end
    return [*found, ("", text[at : page.end])] if at < page.end else found
