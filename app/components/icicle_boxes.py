"""The boxes of an icicle: marks of a run with a place and a width. Pure, and knows no chart.

A mark is as wide as what it and everything in it took; what a turn's own model took is a box of its own. A mark of which
nothing is known has a narrow box of fixed width, and is named in words; one that took nothing has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.components.chart_look import harmless
from rlm_core import wording
from rlm_core.folding import Mark
from rlm_core.looks.look import Look
from rlm_core.looks.marks import Kind, fate, kind_of, part_cost
from rlm_core.plain import plain_line
from rlm_core.view import Totals

UNKNOWN_WIDTH = 0.012
"""Of the whole width, about 8 px."""
NAME_CHARS = 60
NAMED = 3


@dataclass(frozen=True, slots=True)
class Metric:
    """What widths can say. `value` and `unknown` are of sums over a mark; `says` puts both in words."""

    noun: str
    value: Callable[[Totals, float], float]
    unknown: Callable[[Totals], int]
    says: Callable[[float, int], str]
    says_of_run: Callable[[float, int], str] | None = None
    """Where all of it is said in fewer digits than its parts."""


def _tokens_in_words(value: float, unknown: int) -> str:
    if unknown and not value:
        return wording.UNKNOWN
    return f"{wording.count(int(value))}{' + ?' if unknown else ''}"


METRICS: Mapping[str, Metric] = {
    "cost": Metric(
        "cost", lambda sums, _: sums.cost_usd, lambda sums: sums.calls_without_cost, part_cost, wording.money
    ),
    "tokens": Metric(
        "number of tokens",
        lambda sums, _: float(sums.input_tokens + sums.output_tokens),
        lambda sums: sums.calls_without_usage,
        _tokens_in_words,
    ),
    "time": Metric("time in calls", lambda _, calls_s: calls_s, lambda _: 0, lambda value, _: wording.seconds(value)),
    "calls": Metric(
        "number of calls", lambda sums, _: float(sums.calls), lambda _: 0, lambda value, _: f"{value:,.0f}"
    ),
}


@dataclass(frozen=True, slots=True)
class Box:
    """`start` and `width` are shares of the whole width; `mark` is what a click selects."""

    id: str
    mark: str
    name: str
    kind: Kind
    level: int
    start: float
    width: float
    says: str
    share: str
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Boxes:
    boxes: tuple[Box, ...] = ()
    total: float = 0.0
    unknown_calls: int = 0
    nodes: int = 0
    """How many nodes have a box of their own."""
    notes: tuple[str, ...] = field(default=())
    """What cannot be seen from widths."""


def boxes_of(look: Look, metric: str, *, by_weight: bool = True) -> Boxes:
    """The boxes of all marks that took something, each after what it lies in."""
    if not look.tree.marks:
        return Boxes()
    return _Layout(look, METRICS[metric], by_weight).boxes()


class _Layout:
    def __init__(self, look: Look, metric: Metric, by_weight: bool) -> None:
        self.look, self.metric, self.by_weight = look, metric, by_weight
        self.root = look.tree.marks[0]
        self.total = self._value(self.root)
        self.made: list[Box] = []
        self.narrow: list[Mark] = []

    def boxes(self) -> Boxes:
        unknown = self.metric.unknown(self.root.subtree)
        if not self.total:
            return Boxes(unknown_calls=unknown)
        self.whole = self._width(self.root)
        self._place(self.root, 0, 0.0)
        nodes = sum(not each.is_group and each.kind not in ("more", "run") for each in self._drawn())
        return Boxes(tuple(self.made), self.total, unknown, nodes, tuple(self._notes()))

    def _drawn(self) -> list[Mark]:
        marks = self.look.tree.by_id
        return [marks[box.id] for box in self.made if box.id in marks]

    def _value(self, mark: Mark) -> float:
        return self.metric.value(mark.subtree, mark.calls_s)

    def _own(self, mark: Mark) -> float:
        return self.metric.value(mark.own, mark.own_calls_s)

    def _children(self, mark: Mark) -> list[Mark]:
        kept = [each for each in self.look.tree.children.get(mark.id, ()) if self._value(each) or self._is_narrow(each)]
        return sorted(kept, key=self._value, reverse=True) if self.by_weight else kept

    def _is_narrow(self, mark: Mark) -> bool:
        """Whether nothing is known of it, but something may be to be known."""
        return not self._value(mark) and self.metric.unknown(mark.subtree) > 0

    def _width(self, mark: Mark) -> float:
        """What a mark takes of the width, before all is scaled to one: its value, and room for what has none."""
        if self._is_narrow(mark):
            return UNKNOWN_WIDTH * self.total
        below = sum(map(self._width, self._children(mark)))
        return max(self._value(mark), below + (self._own(mark) if not mark.is_group else 0.0))

    def _place(self, mark: Mark, level: int, start: float) -> None:
        width, value, narrow = self._width(mark), self._value(mark), self._is_narrow(mark)
        unknown = self.metric.unknown(mark.subtree)
        name = self._name(mark)
        says = self.metric.says_of_run if mark is self.root and self.metric.says_of_run else self.metric.says
        self.made.append(
            Box(
                mark.id,
                mark.id,
                name,
                kind_of(mark, self.look.tree, self.look.reading.mended),
                level,
                start / self.whole,
                width / self.whole,
                says(value, unknown),
                wording.UNKNOWN if narrow else wording.share(value, self.total),
                narrow,
            )
        )
        if narrow:
            self.narrow.append(mark)
            return
        self._place_all_in(mark, level + 1, start)

    def _place_all_in(self, mark: Mark, level: int, start: float) -> None:
        children = self._children(mark)
        own = self._own(mark) if not mark.is_group else 0.0
        if own and children:  # the call that wrote a turn, beside the cells it wrote
            says, share = self.metric.says(own, self.metric.unknown(mark.own)), wording.share(own, self.total)
            model = Box(
                f"{mark.id}/model", mark.id, "model", "root", level, start / self.whole, own / self.whole, says, share
            )
            self.made.append(model)
            start += own
        for child in children:
            self._place(child, level, start)
            start += self._width(child)

    def _name(self, mark: Mark) -> str:
        title = plain_line(self.look.names[mark.id].title, NAME_CHARS)
        return " ".join(filter(None, [title, fate(mark, self.look.reading.mended)]))

    def _notes(self) -> list[str]:
        notes = []
        for running, says in ((False, "unknown"), (True, "not known yet")):
            named = [self._name(mark) for mark in self.narrow if (mark.status == "running") == running]
            if named:
                more = f" and {len(named) - NAMED:,} more" if len(named) > NAMED else ""
                notes.append(f"▨ {', '.join(named[:NAMED])}{more}: {self.metric.noun} {says}, drawn at a fixed width.")
        selected = self.look.selected if self.look.place.node else None
        if selected and selected.id not in {box.id for box in self.made}:
            notes.append(f"{self._name(selected)} is selected and has no box: no {self.metric.noun} fell on it.")
        return notes


def label(box: Box, room: int | None) -> str:
    """Name and value for a chart that reads tags: as much as a box has room for. `room` is that of the whole width."""
    name = harmless(box.name)
    whole = f" <b>{name}</b>  {box.says}"
    if room is None:
        return f"{whole}  {box.share}" if box.share != box.says else whole
    chars = int(room * box.width)
    if len(box.name) + 3 + len(box.says) <= chars:
        return whole
    if len(box.name) < chars:
        return f" <b>{name}</b>"
    return f" <b>{harmless(box.name[: chars - 2].rstrip())}…</b>" if chars >= 8 else ""
