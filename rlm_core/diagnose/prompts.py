"""What the prompts of a cell's calls hold: their lines, and which of them are a prompt's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rlm_core.diagnose.material import Material, Steps
from rlm_core.view import Node

COMMON_LINES = 0.2
"""A line that more of the prompts of a cell hold belongs to what all are asked."""
MAX_CALLS_READ = 4_000
"""Prompts that are compared with each other, in all."""
MAX_PIECE_CHARS = 20_000


def cells_that_ask(run: Material, least: int) -> Iterator[tuple[Steps, Node, list[Node]]]:
    for steps in run.frames:
        for cell in steps.cells():
            calls = run.calls_of(cell)
            if len(calls) >= least:
                yield steps, cell, calls


def lines_of(run: Material, call: Node) -> list[str]:
    return [line for each in run.asked(call)[-MAX_PIECE_CHARS:].splitlines() if (line := each.strip())]


def own_lines(run: Material, calls: Sequence[Node]) -> Iterator[tuple[Node, list[str]]]:
    """The lines of each prompt that few others of the same cell have."""
    told = [lines_of(run, each) for each in calls]
    common = Counter(line for lines in told for line in set(lines))
    most = max(2.0, COMMON_LINES * len(told))
    for call, lines in zip(calls, told, strict=True):
        yield call, [line for line in lines if common[line] <= most]
