"""Text in the order of reading: paragraphs on lines of their own, rows of a table on one line with tabs, boxes behind the
paragraph that they hang on.

Knows lines; refuses to know any format: a reader tells what begins and ends. Nothing here calls itself, so documents may
nest as deep as they like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_GAPS = re.compile(r"[\t\n\v\f\r]+")
_MAX_SPAN = 100
"""Columns that one cell may take up: more is not for people."""


@dataclass(slots=True)
class _Block:
    """Lines of a whole text, of one cell or of one box. `started` is the paragraph that has not ended yet."""

    lines: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)
    holds_table: bool = False


@dataclass(slots=True)
class _Row:
    cells: list[_Block] = field(default_factory=list)
    spans: list[int] = field(default_factory=list)


class Flow:
    """Lines under construction."""

    def __init__(self) -> None:
        self._blocks = [_Block()]
        self._rows: list[_Row] = []

    def add(self, text: str) -> None:
        """More text of the paragraph. A line end in it ends the line, not the paragraph."""
        self._blocks[-1].started.append(text)

    def end_paragraph(self) -> None:
        block = self._blocks[-1]
        lines = "".join(block.started).split("\n") if block.started else []
        block.lines += [line.rstrip() for line in lines if line and not line.isspace()]
        block.started.clear()
        block.lines += block.boxes
        block.boxes.clear()

    def start_box(self) -> None:
        self._blocks.append(_Block())

    def end_box(self) -> None:
        box = self._end_block()
        self._blocks[-1].boxes += box.lines

    def add_box(self, text: str) -> None:
        """A box whose text is there already."""
        self._blocks[-1].boxes += text.split("\n") if text else []

    def start_row(self) -> None:
        self.end_paragraph()
        self._rows.append(_Row())

    def start_cell(self) -> None:
        self._blocks.append(_Block())

    def end_cell(self, span: int = 1) -> None:
        cell = self._end_block()
        if self._rows:
            self._rows[-1].cells.append(cell)
            self._rows[-1].spans.append(min(max(span, 1), _MAX_SPAN))
        else:
            self._blocks[-1].lines += cell.lines

    def end_row(self) -> None:
        """One line, unless the row only serves the layout: it holds a table, or is a single cell."""
        row, block = self._rows.pop(), self._blocks[-1]
        if len(row.cells) == 1 or any(cell.holds_table for cell in row.cells):
            for cell in row.cells:
                block.lines += cell.lines
        else:
            line = "".join(
                _GAPS.sub(" ", " ".join(cell.lines)) + "\t" * span
                for cell, span in zip(row.cells, row.spans, strict=True)
            )
            if line.strip():
                block.lines.append(line.rstrip())
        block.holds_table = True

    def drop_row(self) -> None:
        self._rows.pop()

    def text(self) -> str:
        """All of it; ends what has not ended."""
        while len(self._blocks) > 1:
            self.end_box()
        self.end_paragraph()
        return "\n".join(self._blocks[0].lines)

    def _end_block(self) -> _Block:
        self.end_paragraph()
        return self._blocks.pop()


def deletions_told(count: int) -> str:
    """What there is to say of a text whose changes were tracked; "" if nothing was deleted."""
    are = "1 deletion is" if count == 1 else f"{count:,} deletions are"
    return f"Tracked changes are read as if accepted: {are} left out." if count else ""
