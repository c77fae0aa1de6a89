"""The parts that a document itself is made of: pages, sheets, slides, parts of a mail.

A unit has a label, which is how people name the part, and the characters of the document's text that it takes up. Text
between units (a line end, a heading) belongs to none. Documents without parts have no units: lines of text name places there.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Literal, get_args

UnitKind = Literal["page", "sheet", "slide", "part", "chapter", "paragraph"]
"""What the units of one document are called; all of them are of one kind."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One part. `start` and `end` are character offsets in the document's text; `label` is "3", "Prices", "body"."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Units:
    """All parts of a document, in the order of its text, none overlapping another."""

    kind: UnitKind
    spans: tuple[Unit, ...]

    def at(self, char: int) -> Unit | None:
        """The unit that holds this character, or `None` between units."""
        found = bisect_right(self.spans, char, key=lambda unit: unit.start) - 1
        return self.spans[found] if found >= 0 and char < self.spans[found].end else None

    def to_list(self) -> list[Any]:
        """`[kind, [label, start, end], ...]`: the form in the table of documents, also read by the sandbox's `context`."""
        return [self.kind, *([unit.label, unit.start, unit.end] for unit in self.spans)]

    @classmethod
    def from_list(cls, data: list[Any]) -> Units:
        return cls(data[0], tuple(Unit(*each) for each in data[1:]))


def claimed(data: Any, chars: int) -> Units | None:
    """The units that code claims for a text of so many characters, in the form of `to_list`; `None` if they cannot be."""
    if not isinstance(data, list) or len(data) < 2 or data[0] not in get_args(UnitKind):
        return None
    at = 0
    for each in data[1:]:
        if not (isinstance(each, list) and len(each) == 3 and isinstance(each[0], str)):
            return None
        if not (type(each[1]) is type(each[2]) is int and at <= each[1] <= each[2] <= chars):
            return None
        at = each[2]
    return Units.from_list(data)
