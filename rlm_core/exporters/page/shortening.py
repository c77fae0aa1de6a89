"""Texts cut so that a page of any run stays a file that opens. What is left out is said in its place, with its count.

Pure: pieces go in as `looks.blocks` makes them (a text, or a gap with pieces inside), and come out the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rlm_core.plain import plain
from rlm_core.task import Json

LEAST_CHARS = 200
"""Of each text, at least so much is kept."""


def shortened(pieces: Sequence[Any], most: int) -> list[Any]:
    """The pieces with no more than so many characters in all; the rest is counted in a gap of its own."""
    return list(_Cutter(most).pieces(pieces))


def cut(text: str, most: int) -> Json:
    """`text`, made plain, and in `note` how much of it that is where it is not all."""
    missing = len(text) - most
    if missing <= 0:
        return {"text": plain(text), "note": ""}
    return {"text": plain(text[:most]), "note": f"first {most:,} of {len(text):,} characters"}


class _Cutter:
    def __init__(self, most: int) -> None:
        self.left = max(LEAST_CHARS, most)

    def pieces(self, pieces: Sequence[Any]) -> Iterator[Any]:
        for piece in pieces:
            if isinstance(piece, str):
                yield from self._text(piece)
            elif piece["inside"]:
                yield {**piece, "inside": list(self.pieces(piece["inside"]))}
            else:
                yield piece

    def _text(self, text: str) -> Iterator[Any]:
        kept = text[: self.left]
        self.left -= len(kept)
        if kept:
            yield kept
        if missing := len(text) - len(kept):
            yield {"words": f"{missing:,} more characters are not in this file", "inside": [], "hatched": True}
