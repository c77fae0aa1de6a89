"""Where each mark stands: a tidy tree from left to right, computed in one pass.

Columns are levels of the tree, so that equal things stand below each other. What hangs from a box has a band of rows of its
own, and the box stands in the middle between its first and its last child. Members drawn under a group stand in rows below
its box. Pure: sizes go in, places come out, in pixels, y downwards. It knows no text and no colour.
(Reingold and Tilford 1981, "Tidier drawings of trees", for columns of one width.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

GAP_X, GAP_Y = 26.0, 14.0
CHIP_GAP = 8.0
UNDER_GAP = 16.0
"""Between a box and the first row of chips below it."""


@dataclass(frozen=True, slots=True)
class Box:
    """Something to be placed. A `chip` stands in a row below its parent instead of in the next column."""

    id: str
    parent: str | None
    width: float
    height: float
    chip: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """Left upper corner, and the column that it is in."""

    x: float
    y: float
    column: int


@dataclass(frozen=True, slots=True)
class Column:
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class Layout:
    spots: Mapping[str, Spot]
    columns: tuple[Column, ...]


def tidy(boxes: Sequence[Box], least_widths: Sequence[float] = ()) -> Layout:
    """A place for each box. Parents come before their children; boxes without a parent stand below each other.

    `least_widths`: of the first columns, whether or not anything is in them yet, so that a tree that grows stays in place.
    """
    return _Tidy(boxes, least_widths).layout()


class _Tidy:
    def __init__(self, boxes: Sequence[Box], least_widths: Sequence[float]) -> None:
        self.boxes = {box.id: box for box in boxes}
        self.beside: dict[str | None, list[Box]] = {}
        self.under: dict[str | None, list[Box]] = {}
        self.level: dict[str, int] = {}
        for box in boxes:
            parent = box.parent if box.parent in self.boxes else None
            self.level[box.id] = 0 if parent is None else self.level[parent] + (not box.chip)
            (self.under if box.chip and parent else self.beside).setdefault(parent, []).append(box)
        self.columns = self._columns(least_widths)
        self.spots: dict[str, Spot] = {}

    def _columns(self, least_widths: Sequence[float]) -> tuple[Column, ...]:
        widest = dict(enumerate(least_widths))
        for box in self.boxes.values():
            if not box.chip:
                level = self.level[box.id]
                widest[level] = max(box.width, widest.get(level, 0.0))
        columns, left = [], 0.0
        for level in range(len(widest)):
            columns.append(Column(left, widest[level]))
            left += widest[level] + GAP_X
        return tuple(columns)

    def layout(self) -> Layout:
        bottom = 0.0
        for box in self.beside.get(None, []):
            bottom = self._place(box, bottom) + GAP_Y
        return Layout(self.spots, self.columns)

    def _place(self, box: Box, top: float) -> float:
        """Place a box and all that hangs from it, from `top` downwards. Returns where that ends."""
        children, first = self.beside.get(box.id, []), len(self.spots)
        bottom = top
        for each in children:
            bottom = self._place(each, bottom) + GAP_Y
        bottom = max(top, bottom - GAP_Y)
        y = top
        if children:
            y = (self._middle(children[0]) + self._middle(children[-1]) - box.height) / 2
            if y < top:
                self._move_down(first, top - y)
                bottom, y = bottom + top - y, top
        level = self.level[box.id]
        self.spots[box.id] = Spot(self.columns[level].left, y, level)
        return max(bottom, self._place_under(box, y + box.height))

    def _middle(self, box: Box) -> float:
        return self.spots[box.id].y + box.height / 2

    def _move_down(self, first: int, by: float) -> None:
        """Move what was placed since there were `first` spots: the last to be placed are one whole subtree."""
        for each in list(self.spots)[first:]:
            spot = self.spots[each]
            self.spots[each] = Spot(spot.x, spot.y + by, spot.column)

    def _place_under(self, box: Box, bottom: float) -> float:
        """Rows of chips below a box. One that has children of its own has a row to itself."""
        row: list[Box] = []
        gap = UNDER_GAP
        for chip in [*self.under.get(box.id, []), None]:
            alone = chip is not None and chip.id in self.beside
            used = sum(each.width + CHIP_GAP for each in row)
            if row and (chip is None or alone or used + chip.width > box.width):
                bottom = self._place_row(row, bottom + gap)
                row, gap = [], CHIP_GAP
            if chip is not None and alone:
                bottom, gap = self._place(chip, bottom + gap), CHIP_GAP
            elif chip is not None:
                row.append(chip)
        return bottom

    def _place_row(self, row: Sequence[Box], y: float) -> float:
        level = self.level[row[0].id]
        x = self.columns[level].left
        for chip in row:
            self.spots[chip.id] = Spot(x, y, level)
            x += chip.width + CHIP_GAP
        return y + max(chip.height for chip in row)
