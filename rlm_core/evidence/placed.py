"""Where the findings of a run stand in its archive, as characters of numbered documents. Pure.

A place proves something where the quote's words stand there, and only there: quotes that stand in several places, or nowhere
as they are quoted, have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rlm_core import events as ev
from rlm_core.evidence.coverage import Span
from rlm_core.task import PROVEN


@dataclass(frozen=True, slots=True, order=True)
class Placed:
    """Characters of a document, given by its number in the archive."""

    document: int
    start: int
    end: int

    @property
    def span(self) -> Span:
        return self.start, self.end


def placed(checked: ev.QuoteChecked | None, numbers: Mapping[str, int]) -> Placed | None:
    """The one place where a quote was proven to stand; `numbers` has the documents by their paths. `None`: it has none."""
    if checked is None or checked.verdict not in PROVEN or checked.start is None or checked.end is None:
        return None
    number = numbers.get(checked.document or "")
    return None if number is None or checked.end <= checked.start else Placed(number, checked.start, checked.end)
