"""Where each mark stands: a tidy tree from left to right, computed in one pass.

Columns are levels of the tree, so that equal things stand below each other; a parent stands at the middle of its children.
Members drawn under a group stand in rows below its box. Pure: sizes go in, places come out, in pixels, y downwards. It knows
no text and no colour. (Reingold and Tilford 1981, "Tidier drawings of trees", for columns of one width.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

GAP_X, GAP_Y = 40.0, 16.0
CHIP_GAP = 8.0


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
    """Left upper corner."""

    x: float
    y: float


def tidy(boxes: Sequence[Box]) -> Mapping[str, Spot]:
    """A place for each box. Parents come before their children; boxes without a parent stand below each other."""
    return _Tidy(boxes).places()


class _Tidy:
    def __init__(self, boxes: Sequence[Box]) -> None:
        self.boxes = {box.id: box for box in boxes}
        self.children: dict[str | None, list[Box]] = {}
        self.level: dict[str, int] = {}
        for box in boxes:
            parent = box.parent if box.parent in self.boxes else None
            self.children.setdefault(parent, []).append(box)
            self.level[box.id] = 0 if parent is None else self.level[parent] + (not box.chip)
        self.left = self._columns()
        self.spots: dict[str, Spot] = {}

    def _columns(self) -> list[float]:
        """The left edge of each column."""
        widest: dict[int, float] = {}
        for box in self.boxes.values():
            if not box.chip:
                widest[self.level[box.id]] = max(box.width, widest.get(self.level[box.id], 0.0))
        left, edge = [], 0.0
        for level in range(len(widest)):
            left.append(edge)
            edge += widest[level] + GAP_X
        return left

    def places(self) -> Mapping[str, Spot]:
        bottom = 0.0
        for box in self.children.get(None, []):
            bottom = self._place(box, bottom) + GAP_Y
        return self.spots

    def _place(self, box: Box, top: float) -> float:
        """Place a box and all below it from `top` downwards. Returns where they end."""
        beside = [each for each in self.children.get(box.id, []) if not each.chip]
        under = [each for each in self.children.get(box.id, []) if each.chip]
        bottom = top
        for each in beside:
            bottom = self._place(each, bottom) + GAP_Y
        own = box.height + self._rows_height(under, box.width)
        spread = max(0.0, bottom - GAP_Y - top) if beside else 0.0
        y = top + max(0.0, (spread - own) / 2)
        self.spots[box.id] = Spot(self.left[self.level[box.id]], y)
        self._place_rows(under, self.left[self.level[box.id]], y + box.height + CHIP_GAP, box.width)
        return max(top + spread, y + own)

    def _rows_height(self, chips: Sequence[Box], width: float) -> float:
        rows = _rows(chips, width)
        return sum(max(chip.height for chip in row) + CHIP_GAP for row in rows)

    def _place_rows(self, chips: Sequence[Box], x: float, y: float, width: float) -> None:
        for row in _rows(chips, width):
            at = x
            for chip in row:
                self.spots[chip.id] = Spot(at, y)
                at += chip.width + CHIP_GAP
            y += max(chip.height for chip in row) + CHIP_GAP


def _rows(chips: Sequence[Box], width: float) -> list[list[Box]]:
    """Chips in rows that are no wider than the box they stand under."""
    rows: list[list[Box]] = []
    room = 0.0
    for chip in chips:
        if not rows or room < chip.width:
            rows.append([])
            room = width
        rows[-1].append(chip)
        room -= chip.width + CHIP_GAP
    return rows
