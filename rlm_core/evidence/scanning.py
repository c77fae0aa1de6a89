"""Looks through text of any size (a `str`, or the mapped bytes of a corpus) in steps that are short for sure.

Every step is one search of a block by `find`, which takes time in proportion to the block whatever is in it; `rfind`, and
the `find` of a memory map, take the product of both lengths where text and needle are made for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rlm_core.evidence.work import Work

_BLOCK = 1 << 20
_LINES_BLOCK = 1 << 16
_INSIDE_CHARACTER = bytes(range(0x80, 0xC0))


def hits(needle: str | bytes, text: Any, start: int, end: int, work: Work) -> Iterator[int]:
    """Every occurrence in `text[start:end]`, first to last."""
    size = max(_BLOCK, 4 * len(needle))
    while start + len(needle) <= end:
        work.check()
        block = text[start : min(end, start + size + len(needle) - 1)]
        at = block.find(needle)
        while at >= 0:
            yield start + at
            work.check()
            at = block.find(needle, at + 1)
        start += size


def hits_backwards(needle: str | bytes, text: Any, start: int, end: int, work: Work) -> Iterator[int]:
    """Every occurrence in `text[start:end]`, last to first."""
    size = max(_BLOCK, 4 * len(needle))
    backwards = needle[::-1]
    while start + len(needle) <= end:
        work.check()
        block = text[max(start, end - size - len(needle) + 1) : end][::-1]
        at = block.find(backwards)
        while at >= 0:
            yield end - at - len(needle)
            work.check()
            at = block.find(backwards, at + 1)
        end -= size


def line_start(text: Any, start: int, end: int, line: int | None) -> int:
    """Where a line begins in `text[start:end]`; its end if it has fewer lines."""
    line_end = "\n" if isinstance(text, str) else b"\n"
    before = (line or 1) - 1
    while before > 0 and start < end:
        block = text[start : min(end, start + _LINES_BLOCK)]
        count = block.count(line_end)
        if count >= before:
            at = -1
            for _ in range(before):
                at = block.find(line_end, at + 1)
            return start + at + 1
        before -= count
        start += len(block)
    return end if before > 0 else start


def lines_between(data: Any, start: int, end: int) -> int:
    """How many lines end in these bytes."""
    return sum(data[at : min(end, at + _BLOCK)].count(b"\n") for at in range(start, end, _BLOCK))


def chars_between(data: Any, start: int, end: int) -> int:
    """How many characters begin in these bytes of UTF-8."""
    return sum(
        len(data[at : min(end, at + _BLOCK)].translate(None, _INSIDE_CHARACTER)) for at in range(start, end, _BLOCK)
    )
