"""A group of a run read as a whole: how its figures spread, who stands out, what failed in how many ways, in which order.

Pure: the members go in (`node_places.members_of`), frozen values come out, bounded however many members there are. It refuses
to know words, colours and screens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rlm_core.folding import Mark, Tree, quantile
from rlm_core.likeness import STOPPED, WENT_WELL
from rlm_core.looks.node_shapes import Member

Measure = Literal["time", "cost", "reply"]
MEASURES: tuple[Measure, ...] = ("time", "cost", "reply")
SINGLY = 120
"""Up to so many members each has a mark of its own; more are counted in `BINS` bars."""
BINS = 40
ODD_BELOW = 0.1
"""A reply is odd where fewer than this share of the group begin as it does."""
KINDS_OF_FAILURE = 12
ORDERS: dict[str, Callable[[Member], tuple[bool, float | str]]] = {
    "as they were made": lambda each: (False, each.number),
    "slowest first": lambda each: _descending(each.elapsed_s),
    "dearest first": lambda each: _descending(each.cost_usd),
    "longest reply first": lambda each: _descending(each.reply.chars),
    "shortest reply first": lambda each: (False, each.reply.chars),
    "alike replies together": lambda each: (not each.reply.chars, each.reply.head.casefold()),
    "failed first": lambda each: (not failed(each), each.number),
}


@dataclass(frozen=True, slots=True)
class Dot:
    """A member, or several that are alike: `span` is the one in their middle, `least` to `most` what they measure."""

    span: str
    least: float
    most: float
    count: int
    level: int = 0
    """Of a single member: how many stand below it."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How one measure spreads over the members of which it is known. `dots` are no more than `SINGLY`."""

    measure: Measure
    known: int
    unknown: int
    least: float
    most: float
    p50: float
    p95: float
    dots: tuple[Dot, ...]

    @property
    def singly(self) -> bool:
        return self.known <= SINGLY


@dataclass(frozen=True, slots=True)
class Outlier:
    """Why a member stands out. `count`: how many are like it."""

    why: Literal["slowest", "dearest", "longest", "shortest", "empty", "odd"]
    member: Member
    count: int = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """Members that failed in one way, and the first of them."""

    kind: str
    member: Member
    count: int


def failed(member: Member) -> bool:
    return member.status not in WENT_WELL and member.status not in STOPPED


def measured(member: Member, measure: Measure) -> float | None:
    match measure:
        case "time":
            return member.elapsed_s
        case "cost":
            return member.cost_usd
        case "reply":
            return float(member.reply.chars) if member.status in WENT_WELL and member.elapsed_s is not None else None


def spread_of(members: Sequence[Member], measure: Measure) -> Spread | None:
    """`None` where it is known of no member."""
    found = [(value, each.span) for each in members if (value := measured(each, measure)) is not None]
    if not found:
        return None
    found.sort()
    values = [value for value, _ in found]
    dots = tuple(_dots(found))
    p50, p95 = quantile(values, 0.5), quantile(values, 0.95)
    assert p50 is not None
    assert p95 is not None
    return Spread(measure, len(found), len(members) - len(found), values[0], values[-1], p50, p95, dots)


def _dots(found: Sequence[tuple[float, str]]) -> Iterable[Dot]:
    """Of the sorted values, one by one or by bars of the same width."""
    least, most = found[0][0], found[-1][0]
    width = (most - least) / BINS
    bins: dict[int, list[tuple[float, str]]] = {}
    for value, span in found:
        number = min(BINS - 1, int((value - least) / width)) if width > 0 else 0
        bins.setdefault(number, []).append((value, span))
    for within in bins.values():
        if len(found) <= SINGLY:
            yield from (Dot(span, value, value, 1, level) for level, (value, span) in enumerate(within))
        else:
            yield Dot(within[len(within) // 2][1], within[0][0], within[-1][0], len(within))


def outliers_of(members: Sequence[Member]) -> list[Outlier]:
    """Those that one looks at first. Nothing stands out where all are the same."""
    found: list[Outlier] = []
    ended = [each for each in members if measured(each, "reply") is not None]
    said = [each for each in ended if each.reply.chars]
    if slow := _most(members, lambda each: each.elapsed_s):
        found.append(Outlier("slowest", slow))
    if dear := _most(members, lambda each: each.cost_usd):
        found.append(Outlier("dearest", dear))
    if long := _most(said, lambda each: each.reply.chars):
        found.append(Outlier("longest", long))
    if short := _most(said, lambda each: -each.reply.chars):
        found.append(Outlier("shortest", short))
    empty = [each for each in ended if not each.reply.chars]
    if empty and said:
        found.append(Outlier("empty", empty[0], len(empty)))
    if odd := _odd(said):
        found.append(odd)
    return found


def _most(members: Sequence[Member], value: Callable[[Member], float | None]) -> Member | None:
    known = [(number, each) for each in members if (number := value(each)) is not None]
    values = {number for number, _ in known}
    return max(known, key=lambda each: each[0])[1] if len(values) > 1 else None


def _odd(said: Sequence[Member]) -> Outlier | None:
    """A reply that begins as hardly any other does, where most begin alike."""
    openings = [opening(each.reply.head) for each in said]
    counts = Counter(openings).most_common()
    if len(counts) < 2 or counts[0][1] * 2 <= len(said):
        return None
    rarest, many = counts[-1]
    if many > ODD_BELOW * len(said):
        return None
    return Outlier("odd", said[openings.index(rarest)], many)


def opening(reply: str) -> str:
    """How a reply begins: its first word, whatever numbers stand in it; of JSON and code what opens it."""
    first = reply.lstrip()[:60]
    word = re.match(r"[^\W_]+", first)
    return re.sub(r"\d+", "#", word[0].casefold()) if word else first[:1]


def failures_of(members: Iterable[Member]) -> list[Failure]:
    """The commonest first."""
    kinds: dict[str, list[Member]] = {}
    for each in members:
        if failed(each):
            kinds.setdefault(each.error_kind or each.status, []).append(each)
    ordered = sorted(kinds.items(), key=lambda each: -len(each[1]))
    return [Failure(kind, found[0], len(found)) for kind, found in ordered[:KINDS_OF_FAILURE]]


def ordered(members: Sequence[Member], order: str) -> list[Member]:
    return sorted(members, key=ORDERS[order])


def _descending(value: float | None) -> tuple[bool, float]:
    """What is not known comes last."""
    return value is None, -(value or 0.0)


def group_around(tree: Tree, selected: Mark | None) -> Mark | None:
    """The group that is selected, or the nearest one that the selected mark lies in."""
    while selected is not None and not selected.is_group:
        selected = tree.by_id.get(selected.parent or "")
    return selected


def groups_of(tree: Tree) -> list[Mark]:
    return [mark for mark in tree.marks if mark.is_group]


def page_of(members: Sequence[Member], span: str | None, rows: int, otherwise: int = 1) -> int:
    """The page, from 1, that a member stands on; `otherwise` where it is none."""
    return next((number // rows + 1 for number, each in enumerate(members) if each.span == span), otherwise)
