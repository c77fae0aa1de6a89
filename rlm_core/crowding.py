"""Which turns of a tree are closed where it has more marks than can be looked at.

Those in which nothing of note happened come first, then those with a failure or something cited in them, which say so when
they are closed; of each the innermost before those that they lie in, and the cheapest before others. Nothing is closed that
the answer lies in, or what must be kept. Pure; knows of a mark only what it must to decide this.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from rlm_core.view import Totals


class Drawn(Protocol):
    """What is known of a mark; the members are those of `folding.Mark`."""

    @property
    def id(self) -> str: ...
    @property
    def parent(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def subtree(self) -> Totals: ...
    @property
    def calls_s(self) -> float: ...
    @property
    def cited(self) -> int: ...
    @property
    def hidden(self) -> int: ...
    @property
    def is_group(self) -> bool: ...
    @property
    def failed(self) -> bool: ...


class Crowd:
    """The marks of a tree, each after its parent, and which of its turns are closed so far."""

    def __init__(self, marks: Sequence[Drawn], kept: Collection[str]) -> None:
        self.marks = {mark.id: mark for mark in marks}
        self.closed: set[str] = set()
        self.left = len(marks)
        """How many marks are still drawn."""
        self.size = dict.fromkeys(self.marks, 1)
        self.nodes = {mark.id: 0 if mark.kind == "more" else mark.hidden + (not mark.is_group) for mark in marks}
        """How many nodes each mark and everything in it account for."""
        self.level: dict[str, int] = {}
        self.of_note: set[str] = set()
        self.kept: set[str] = set()
        for mark in marks:
            self.level[mark.id] = self.level.get(mark.parent or "", 0) + 1
        for mark in reversed(marks):
            if mark.failed or mark.cited:
                self.of_note.add(mark.id)
            if mark.id in kept or mark.kind == "answer":
                self.kept.add(mark.id)
            self._pass_on(mark)

    def _pass_on(self, mark: Drawn) -> None:
        if mark.parent not in self.marks:
            return
        self.size[mark.parent] += self.size[mark.id]
        self.nodes[mark.parent] += self.nodes[mark.id]
        for some in (self.of_note, self.kept):
            if mark.id in some:
                some.add(mark.parent)

    def close(self, most: int, *, of_note: bool) -> None:
        """Close turns with or without anything of note in them, until no more than so many marks are left."""
        turns = [
            mark
            for mark in self.marks.values()
            if mark.kind == "turn" and mark.id not in self.kept and (mark.id in self.of_note) == of_note
        ]
        turns.sort(key=lambda mark: (-self.level[mark.id], mark.subtree.cost_usd, mark.calls_s))
        for turn in turns:
            if self.left <= most:
                return
            if self.size[turn.id] > 1:
                self._close(turn)

    def _close(self, turn: Drawn) -> None:
        gone = self.size[turn.id] - 1
        self.closed.add(turn.id)
        self.left -= gone
        above: str | None = turn.id
        while above in self.marks:
            self.size[above] -= gone
            above = self.marks[above].parent

    def draws(self, mark: Drawn) -> bool:
        """Whether it does not lie in a closed turn."""
        above = mark.parent
        while above in self.marks:
            if above in self.closed:
                return False
            above = self.marks[above].parent
        return True
