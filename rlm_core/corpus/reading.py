"""What a reader makes of one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rlm_core.corpus.units import Units


@dataclass(frozen=True, slots=True)
class Inside:
    """A file inside a file, such as an attachment: it is walked as if it had been packed in an archive of that name."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a document, and what was learnt on the way. `text` holds no lone surrogates."""

    text: str
    pieces: Callable[[], Iterator[str]] | None = None
    """The text piece by piece, instead of `text`, where it is too large to be held."""
    encoding: str | None = None
    encoding_confidence: float | None = None
    replaced: int = 0
    warning: str = ""
    """Sentences for the person who uploaded it: what was lost, and where."""
    rows: int | None = None
    delimiter: str | None = None
    bad_lines: tuple[int, ...] = ()
    units: Units | None = None
    pages: int | None = None
    pages_without_text: tuple[int, ...] = ()
    """Pages, from 1, of which nothing can be read: pictures of text, or blank."""
    sheets: dict[str, str] = field(default_factory=dict)
    """Name of each sheet of a workbook -> `visible` or `hidden`, in order."""
    cells: dict[str, str] = field(default_factory=dict)
    """`Sheet!A1` -> text, of all cells that are not empty; of small workbooks only."""
    inside: tuple[Inside, ...] = ()

    def facts(self) -> dict[str, Any]:
        """All but the texts and bytes, as JSON: what crosses the pipe of a converter beside them."""
        return {
            "encoding": self.encoding,
            "encoding_confidence": self.encoding_confidence,
            "replaced": self.replaced,
            "warning": self.warning,
            "rows": self.rows,
            "delimiter": self.delimiter,
            "bad_lines": self.bad_lines,
            "units": self.units.to_list() if self.units else None,
            "pages": self.pages,
            "pages_without_text": self.pages_without_text,
            "sheets": self.sheets,
            "cells": self.cells,
            "inside": [[each.name, len(each.data)] for each in self.inside],
        }

    @classmethod
    def of(cls, text: str, facts: dict[str, Any], inside: tuple[Inside, ...] = ()) -> Reading:
        """The inverse of `facts`. Raises `TypeError`, `ValueError`, `KeyError` or `IndexError` for what is none."""
        rest = {name: value for name, value in facts.items() if name != "inside"}
        rest["units"] = Units.from_list(rest["units"]) if rest["units"] else None
        rest["bad_lines"] = tuple(rest["bad_lines"])
        rest["pages_without_text"] = tuple(rest["pages_without_text"])
        return cls(text, **rest, inside=inside)
