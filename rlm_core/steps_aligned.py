"""The steps of two runs, laid side by side: what both did, what they did otherwise, and where they part first.

Pure. Steps of one kind in one place are paired by what was asked, then by its first words, then by their order. Calls that are
alike may be made in any order, so each is looked for among all that are alike in its place; more than eight of them are a group.
What is the same with all that lies in it is one row. It refuses to say which of the two is better.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import Literal

from rlm_core.likeness import FOLD_ABOVE
from rlm_core.trails import Step, StepKind, Trail, What

State = Literal["same", "changed", "only one", "only other"]
MOST_MATCHED = 4_000_000
"""Of two lists whose lengths multiply to more, only what both begin and end with is matched, and the rest by order."""
CAME: frozenset[What] = frozenset({"output", "answer", "error", "outcome"})
"""What a step comes to after all that lies in it."""
FOLLOWS = {"code": "words"}
"""Where the first differs, the second does so with it: it is not told."""


@dataclass(frozen=True, slots=True)
class Row:
    """A step of both runs, or of one, or a group of alike ones."""

    id: str
    kind: StepKind
    state: State
    """Of the step itself, not of what lies in it. A group is `changed` where a member is, or where one run only has some."""
    one: tuple[str, ...]
    other: tuple[str, ...]
    """Spans: of a step one on a side, of a group those of all members."""
    depth: int
    differs: tuple[What, ...] = ()
    replayed: bool = False
    """The same, since a run has it from the other, or both from a third."""
    below: int = 0
    """Rows in it that are not the same."""
    hidden: int = 0
    """Nodes in it, on the side that has more, that are the same in both and have no row, or lie in what one run only has."""
    members: tuple[int, int, int, int] | None = None
    """Of a group: how many are the same, changed, in one only, in the other only."""
    groups: tuple[str, ...] = ()
    """The groups that it lies in, the outermost first."""

    @property
    def parts(self) -> bool:
        return self.state != "same"

    @property
    def follows(self) -> bool:
        """Whether what it came to differs, and steps in it do: then they may be why."""
        return bool(self.below) and CAME.issuperset(self.differs)


@dataclass(frozen=True)
class Aligned:
    rows: tuple[Row, ...]
    """Each after what it lies in."""

    @cached_property
    def first(self) -> Row | None:
        """Where the two part first: a step and no group; of one in which others part only what it came to, the first of those."""
        return next((row for row in self.rows if row.parts and row.members is None and not row.follows), None)

    @cached_property
    def by_id(self) -> dict[str, Row]:
        return {row.id: row for row in self.rows}

    @cached_property
    def counts(self) -> dict[State, int]:
        """How many nodes there are in each state, rows or not."""
        counts: dict[State, int] = {"same": 0, "changed": 0, "only one": 0, "only other": 0}
        for row in self.rows:
            if row.members is None:
                counts[row.state] += 1
            counts["same" if row.state == "changed" or row.members else row.state] += row.hidden
        return counts

    def shown(self, opened: Sequence[str]) -> list[Row]:
        """Without the members of groups that are closed."""
        wanted = set(opened)
        return [row for row in self.rows if wanted.issuperset(row.groups)]


Pair = tuple[Step | None, Step | None]
Unit = list[Step]
"""A step, or those that are alike in one place."""


def align(one: Trail, other: Trail) -> Aligned:
    """Lay the trails of two runs side by side."""
    return Aligned(tuple(_rows(one.steps, other.steps, 0, ())))


def _rows(one: Sequence[Step], other: Sequence[Step], depth: int, groups: tuple[str, ...]) -> list[Row]:
    rows: list[Row] = []
    for ours, theirs in _paired(_units(one), _units(other), _LEVELS):
        rows += _of_units(ours or [], theirs or [], depth, groups)
    return rows


def _units(steps: Sequence[Step]) -> list[Unit]:
    """Calls, child frames and searches that are alike in the place of the first of them, all else by itself."""
    alike: dict[Hashable, Unit] = {}
    for number, step in enumerate(steps):
        key = number if step.kind in ("cell", "turn") else (step.kind, step.like)
        alike.setdefault(key, []).append(step)
    return list(alike.values())


_LEVELS: tuple[Callable[[Unit], Hashable], ...] = (
    lambda unit: (unit[0].kind, unit[0].like, unit[0].asked if unit[0].kind == "cell" else None),
    lambda unit: (unit[0].kind, unit[0].like),
    lambda unit: unit[0].kind,
)
"""What two units are paired by: first what tells most."""


def _paired(
    one: Sequence[Unit], other: Sequence[Unit], levels: Sequence[Callable[[Unit], Hashable]]
) -> Iterator[tuple[Unit | None, Unit | None]]:
    """Units of both sides in order, those that are paired together; what has no partner stands alone."""
    if not levels or not one or not other:
        yield from ((unit, None) for unit in one)
        yield from ((None, unit) for unit in other)
        return
    ours, theirs = (list(map(levels[0], side)) for side in (one, other))
    for tag, begin, end, start, stop in _blocks(ours, theirs):
        if tag == "equal":
            yield from zip(one[begin:end], other[start:stop], strict=True)
        else:
            yield from _paired(one[begin:end], other[start:stop], levels[1:])


def _blocks(one: Sequence[Hashable], other: Sequence[Hashable]) -> Iterator[tuple[str, int, int, int, int]]:
    """Parts of both that are equal, and what lies between them. What both begin and end with is left out of the search."""
    most = min(len(one), len(other))
    head = next((place for place in range(most) if one[place] != other[place]), most)
    tail = next((place for place in range(most - head) if one[-1 - place] != other[-1 - place]), most - head)
    yield "equal", 0, head, 0, head
    ours, theirs = one[head : len(one) - tail], other[head : len(other) - tail]
    if len(ours) * len(theirs) <= MOST_MATCHED:
        for tag, begin, end, start, stop in SequenceMatcher(None, ours, theirs).get_opcodes():
            yield tag, begin + head, end + head, start + head, stop + head
    else:
        yield "replace", head, head + len(ours), head, head + len(theirs)
    yield "equal", len(one) - tail, len(one), len(other) - tail, len(other)


# ---------------------------------------------------------------------- rows


def _of_units(one: Unit, other: Unit, depth: int, groups: tuple[str, ...]) -> list[Row]:
    if max(len(one), len(other)) <= FOLD_ABOVE:
        return [row for pair in _matched(one, other) for row in _of_pair(*pair, depth, groups)]
    group = f"{_id(one[0] if one else None, other[0] if other else None)}+"
    members = [_of_pair(*pair, depth + 1, (*groups, group)) for pair in _matched(one, other)]
    states = [each[0].state for each in members]
    counts = tuple(states.count(state) for state in ("same", "changed", "only one", "only other"))
    parting = [row for rows in members if any(row.parts for row in rows) for row in rows]
    kept = sum(rows[0].hidden + 1 for rows in members if not any(row.parts for row in rows))
    head = Row(
        group,
        (one or other)[0].kind,
        "same" if counts[0] == len(members) else _only(one, other) or "changed",
        tuple(step.span for step in one),
        tuple(step.span for step in other),
        depth,
        replayed=all(rows[0].replayed for rows in members),
        below=sum(row.parts for row in parting),
        hidden=kept,
        members=counts,  # type: ignore[arg-type]  # four
        groups=groups,
    )
    return [head, *parting]


def _matched(one: Unit, other: Unit) -> Iterator[Pair]:
    """Alike steps of both sides: those that were asked the same, whatever their order, and of the others in order."""
    free: dict[Hashable, deque[Step]] = defaultdict(deque)
    for step in other:
        free[step.asked].append(step)
    partners = [free[step.asked].popleft() if free[step.asked] else None for step in one]
    taken = {step.span for step in partners if step}
    left = deque(step for step in other if step.span not in taken)
    for step, partner in zip(one, partners, strict=True):
        yield step, partner or (left.popleft() if left else None)
    yield from ((None, step) for step in left)


def _of_pair(one: Step | None, other: Step | None, depth: int, groups: tuple[str, ...]) -> list[Row]:
    step = one or other
    assert step is not None
    id, ours, theirs = _id(one, other), (one.span,) if one else (), (other.span,) if other else ()
    if one is None or other is None:
        alone: State = "only one" if one else "only other"
        return [Row(id, step.kind, alone, ours, theirs, depth, hidden=step.nodes - 1, groups=groups)]
    differs = _differing(one, other)
    below = _rows(one.below, other.below, depth + 1, groups)
    row = Row(
        id,
        step.kind,
        "changed" if differs else "same",
        ours,
        theirs,
        depth,
        differs,
        replayed=not differs and (one.replayed or other.replayed),
        below=sum(each.parts and each.members is None for each in below),
        groups=groups,
    )
    if any(each.parts for each in below):
        return [row, *below]
    return [replace(row, hidden=max(one.nodes, other.nodes) - 1)]


def _differing(one: Step, other: Step) -> tuple[What, ...]:
    if one.kind != other.kind:
        return ("outcome",)
    ours, theirs = dict(one.said), dict(other.said)
    found = [what for what in ours if what in theirs and ours[what] != theirs[what]]
    return tuple(what for what in found if not any(FOLLOWS.get(each) == what for each in found))


def _only(one: Unit, other: Unit) -> State | None:
    return "only other" if not one else "only one" if not other else None


def _id(one: Step | None, other: Step | None) -> str:
    """`A:f1.t2.c1` by the first run where it is in both."""
    return f"A:{one.span}" if one else f"B:{other.span}" if other else ""
