"""What waits for what in a run: cells for their calls, for the last one of them alone, calls of a batch for a place.

Pure. Times are asked for: `stretch` says from when to when a node was under way, `made` what a cell waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rlm_core import events as ev
from rlm_core.lanes import Stretch, covered
from rlm_core.view import Node

Made = Callable[[Node], list[Node]]
Times = Callable[[Node], Stretch]


@dataclass(frozen=True, slots=True)
class Held:
    """A cell that waited for one call or child frame when all others had ended."""

    cell: str
    by: str
    is_frame: bool
    wait: Stretch
    running: bool

    @property
    def for_s(self) -> float:
        return self.wait[1] - self.wait[0]


def working(cells: Sequence[Node], made: Made, stretch: Times, *, nearer_than: float, most: int) -> tuple[Stretch, ...]:
    """When these cells ran by themselves, and waited for nothing: the longest times, none of them shorter than `nearer_than`."""
    found = []
    for cell in cells:
        start, end = stretch(cell)
        waits = covered([stretch(each) for each in made(cell)], nearer_than)
        edges = [(start, start), *waits, (end, end)]
        found += [(one[1], two[0]) for one, two in pairwise(edges) if two[0] - one[1] > nearer_than]
    longest = sorted(covered(found), key=lambda each: each[0] - each[1])[:most]
    return tuple(sorted(longest))


def held(cells: Sequence[Node], made: Made, stretch: Times, *, at_least_s: float) -> Held | None:
    """The longest time that a cell waited for one call which had begun beside others."""
    most: Held | None = None
    for cell in cells:
        last_two = sorted(made(cell), key=lambda each: stretch(each)[1])[-2:]
        if len(last_two) < 2:
            continue
        before, last = last_two
        wait = (stretch(before)[1], stretch(last)[1])
        found = Held(cell.id, last.id, last.kind == "frame", wait, last.finished is None)
        together = stretch(last)[0] < wait[0]
        if together and found.for_s >= max(at_least_s, most.for_s if most else 0.0):
            most = found
    return most


def waited_s(calls: Sequence[Node]) -> dict[str, float]:
    """How long calls of a batch waited for a place: from the start of its first one to their own. A batch is known by the cell
    that asks, by its size, and by its places, which begin again with the next one."""
    began: dict[tuple[str, int], tuple[float, set[int]]] = {}
    found = {}
    for node in calls:
        started = node.started
        if not isinstance(started, ev.CallStarted) or started.batch is None or started.index is None:
            continue
        key = (node.parent or "", started.batch)
        first, places = began.get(key, (node.started_at, set()))
        if started.index in places:
            first, places = node.started_at, set()
        places.add(started.index)
        began[key] = (first, places)
        if node.started_at > first:
            found[node.id] = node.started_at - first
    return found
