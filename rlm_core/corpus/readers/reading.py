"""What a reader makes of one file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a document, and what was learnt on the way. `text` holds no lone surrogates."""

    text: str
    encoding: str | None = None
    encoding_confidence: float | None = None
    replaced: int = 0
    warning: str = ""
    rows: int | None = None
    delimiter: str | None = None
    bad_lines: tuple[int, ...] = ()
