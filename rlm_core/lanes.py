"""Arithmetic of stretches of time: lanes in which none overlap, how many there are at once, what they cover, where they part.

Pure, and of `n log n` in their number. A stretch is its start and its end in seconds. It knows no run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

Stretch = tuple[float, float]


def packed(stretches: Sequence[Stretch]) -> list[int]:
    """For each the lowest lane that is free when it begins. They come in the order of their starts, so those that are added
    later, or end later than was thought, move none of those before them."""
    busy: list[tuple[float, int]] = []
    free: list[int] = []
    lanes = []
    for start, end in stretches:
        while busy and busy[0][0] <= start:
            heappush(free, heappop(busy)[1])
        lane = heappop(free) if free else len(busy)
        heappush(busy, (end, lane))
        lanes.append(lane)
    return lanes


def covered(stretches: Iterable[Stretch], nearer_than: float = 0.0) -> list[Stretch]:
    """What they cover together, in order. Gaps that are not longer than `nearer_than` are closed."""
    found: list[Stretch] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1] + nearer_than:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def length(stretches: Iterable[Stretch]) -> float:
    """How much time they cover together."""
    return sum(end - start for start, end in covered(stretches))


def peaks(stretches: Sequence[Stretch], start: float, end: float, bins: int) -> tuple[int, ...]:
    """How many there are at once, at most, in each of so many equal parts of the time from `start` to `end`."""
    if end <= start:
        return (0,) * bins
    found = [0] * bins
    changes = (change for one, two in stretches if two > one for change in ((one, 1), (two, -1)))
    now, place = 0, 0
    for at, change in sorted(changes):  # at one moment ends come before beginnings
        reached = min(bins - 1, max(0, int((at - start) / (end - start) * bins)))
        for each in range(place + 1, reached + 1):
            found[each] = max(found[each], now)
        place = max(place, reached)
        now += change
        found[place] = max(found[place], now)
    return tuple(found)


def parted(stretches: Sequence[Stretch], most: int) -> list[list[int]]:
    """Places of stretches that stand together: no more than `most` sets, none of which overlaps another, parted where the gaps
    are longest. They come in the order of their starts."""
    sets: list[list[int]] = []
    gaps: list[tuple[float, int]] = []
    reach = 0.0
    for place, (start, end) in enumerate(stretches):
        if sets and start < reach:
            sets[-1].append(place)
            reach = max(reach, end)
            continue
        gaps.append((start - reach if sets else float("inf"), len(sets)))
        sets.append([place])
        reach = max(reach, end) if len(sets) > 1 else end
    begin = {number for _, number in sorted(gaps, reverse=True)[: max(1, most)]}
    found: list[list[int]] = []
    for number, each in enumerate(sets):
        if number in begin:
            found.append(each)
        else:
            found[-1].extend(each)
    return found
