"""A run over time: what ran when, beside what, and what waited for what.

A view goes in, frozen values come out: for each kind of work a section of bars in lanes. Where there are too many bars, those of
one cell become a band that says how many it holds and how many at once; what failed, is cited, took longest or is selected
keeps a bar of its own. Events do not say when a call was tried again, nor that it waited before its start; but of a batch it is
known when the first call began, so later ones are known to have waited for a place. It knows no names, no pixels, no screen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rlm_core import events as ev
from rlm_core.holdups import Held, held, waited_s, working
from rlm_core.lanes import Stretch, length, packed, parted, peaks
from rlm_core.likeness import STOPPED
from rlm_core.outline import is_reply
from rlm_core.view import Node, RunView

Work = Literal["reply", "cell", "frame", "call"]
"""What a section shows: replies of the root model, cells, child frames, all other calls."""
WORKS: tuple[Work, ...] = ("reply", "cell", "frame", "call")
Why = Literal["selected", "failed", "cited", "slowest"]
ROOM: Mapping[Work, int] = {"reply": 80, "cell": 90, "frame": 60, "call": 150}
"""Bars and bands of each section, at most."""
MOST_LANES: Mapping[Work, int] = {"reply": 4, "cell": 6, "frame": 6, "call": 8}
FOLD_ABOVE = 8
KEPT_FAILED = KEPT_CITED = 8
BAND_BINS, RUN_BINS = 60, 160
NARROWEST = 0.003
"""Of the whole time: a bar that is narrower is drawn so wide, for nobody could see it or click on it."""
HELD_SHARE, HELD_S = 0.1, 1.0
"""A call held its cell, if that waited for it alone so long: of the whole time, and in seconds."""
STEPS_S = (
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.5,
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1800,
    3600,
    7200,
    10_800,
    21_600,
    43_200,
)
TICKS = 8
NOBODY: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that took time, or a band of several: `members` has their spans. Seconds count from the start of the run."""

    span: str
    """Of a band, that of its first member."""
    members: tuple[str, ...]
    start_s: float
    end_s: float
    """Of what is under way, now."""
    status: str
    """Of a band `failed` where all in it did, `running` where one still does, else `ok`."""
    lane: int = 0
    why: tuple[Why, ...] = ()
    running: int = 0
    failed: int = 0
    waited_s: float = 0.0
    """For a place, after the first call of its batch had begun; of a band the longest."""
    untimed: int = 0
    peak: int = 1
    curve: tuple[int, ...] = ()
    """Of a band: how many at once, at most, in each of equal parts of its time."""

    @property
    def is_band(self) -> bool:
        return len(self.members) > 1

    @property
    def took_s(self) -> float:
        return self.end_s - self.start_s


@dataclass(frozen=True, slots=True)
class Section:
    work: Work
    bars: tuple[Bar, ...]
    """In the order of their starts."""
    lanes: int
    total: int
    """Things that took time, drawn singly or not."""


@dataclass(frozen=True, slots=True)
class Timeline:
    length_s: float
    """From the start of the run to its end, or to now."""
    axis_s: float
    """How much time there is room for: of a run under way somewhat more, so that not everything moves whenever it goes on."""
    running: bool
    sections: tuple[Section, ...]
    """Those in which there is anything."""
    helpers_s: float
    """Time in which at least one call of a helper was under way; `root_s`: else the root model's; `code_s`: else a cell."""
    root_s: float
    code_s: float
    peak: int
    """Model calls at once, at most."""
    in_flight: int
    """Now."""
    curve: tuple[int, ...]
    working: tuple[Stretch, ...]
    """When a cell of the root frame ran by itself: it neither waited for a call nor for a child frame."""
    held: Held | None
    retried: int
    """Calls that were tried more than once: when is not recorded, their bars hold all tries and the waits in between."""
    untimed: int
    """Calls that ended well in no time, and were not replayed: their log does not say how long they took."""

    @property
    def drawn(self) -> int:
        """Things that have a bar of their own."""
        return sum(not bar.is_band for section in self.sections for bar in section.bars)

    @property
    def total(self) -> int:
        return sum(section.total for section in self.sections)


def timeline_of(
    view: RunView, *, selected: str | None = None, cited: Collection[str] = NOBODY, now: float | None = None
) -> Timeline:
    """What ran when. `now`: of a run that is under way. `selected` and `cited` are spans that keep a bar of their own."""
    run = view.nodes.get(ev.RUN_SPAN)
    if run is None:
        return Timeline(0.0, 0.0, False, (), 0.0, 0.0, 0.0, 0, 0, (), (), None, 0, 0)
    return _Clock(view, run.started_at, selected, cited, now).timeline()


class _Clock:
    """Reads the times of a view, as seconds from the start of its run."""

    def __init__(
        self, view: RunView, began: float, selected: str | None, cited: Collection[str], now: float | None
    ) -> None:
        self.view, self.began, self.cited = view, began, cited
        self.selected = _timed(view, selected)
        last = max(each.finished_at or each.started_at for each in view.nodes.values())
        self.running = now is not None and view.outcome is None
        self.end_s = max(0.0, last - began, now - began if now is not None and self.running else 0.0)
        step = tick_s(self.end_s)
        self.axis_s = (self.end_s // step + 1) * step if self.running else self.end_s
        self.root = {each.id for each in view.nodes.values() if each.kind == "frame" and each.parent == ev.RUN_SPAN}
        self.frame: dict[str, str] = {}
        for node in view.nodes.values():
            self.frame[node.id] = node.id if node.kind == "frame" else self.frame.get(node.parent or "", "")
        self.found: dict[Work, list[Node]] = {work: [] for work in WORKS}
        for node in view.nodes.values():
            work = self._work(node)
            if work:
                self.found[work].append(node)
        self.waited = waited_s(self.found["call"])

    def _work(self, node: Node) -> Work | None:
        match node.kind:
            case "call":
                return "reply" if is_reply(node) and self.frame[node.id] in {*self.root, ""} else "call"
            case "cell":
                return "cell"
            case "frame":
                return None if node.id in self.root else "frame"
        return None

    def stretch(self, node: Node) -> Stretch:
        """When it began and ended. What has no end in a run that is over, lasted as long as that."""
        end = self.end_s if node.finished_at is None else node.finished_at - self.began
        return node.started_at - self.began, end

    def timeline(self) -> Timeline:
        stretches = {work: [self.stretch(each) for each in nodes] for work, nodes in self.found.items()}
        calls = stretches["reply"] + stretches["call"]
        helpers_s = length(stretches["call"])
        models_s = length(calls)
        curve = peaks(calls, 0.0, self.axis_s, RUN_BINS)
        ended = [(each, each.finished) for work in ("reply", "call") for each in self.found[work]]
        return Timeline(
            self.end_s,
            self.axis_s,
            self.running,
            tuple(self._section(work) for work in WORKS if self.found[work]),
            helpers_s,
            models_s - helpers_s,
            length(calls + stretches["cell"]) - models_s,
            max(curve, default=0),
            sum(each.finished is None for each, _ in ended) if self.running else 0,
            curve,
            working(
                self._root_cells(), self.made, self.stretch, nearer_than=NARROWEST * self.axis_s, most=ROOM["cell"]
            ),
            held(self.found["cell"], self.made, self.stretch, at_least_s=max(HELD_S, HELD_SHARE * self.end_s)),
            sum(isinstance(end, ev.CallFinished) and end.attempts > 1 for _, end in ended),
            sum(_untimed(each) for each, _ in ended),
        )

    def made(self, cell: Node) -> list[Node]:
        """Calls and child frames that a cell waits for."""
        below = [self.view.nodes[each] for each in cell.children]
        return [each for each in below if each.kind in ("call", "frame")]

    def _root_cells(self) -> list[Node]:
        return [each for each in self.found["cell"] if self.frame[each.id] in self.root]

    # ---- sections

    def _section(self, work: Work) -> Section:
        nodes = sorted(self.found[work], key=lambda each: each.started_at)
        reasons = self._kept(nodes)
        for sets in self._foldings(work, nodes, reasons):
            bars = [self._bar(each, reasons) if len(each) == 1 else self._band(each) for each in sets]
            bars.sort(key=lambda bar: bar.start_s)
            drawn, lanes = self._in_lanes(work, bars)
            if len(bars) <= ROOM[work] and lanes <= MOST_LANES[work]:
                break
        return Section(work, drawn, lanes, len(nodes))

    def _in_lanes(self, work: Work, bars: Sequence[Bar]) -> tuple[tuple[Bar, ...], int]:
        """Bands of calls stand above what stands alone, all others below."""
        places, lanes = [0] * len(bars), 0
        for bands in (True, False) if work == "call" else (False, True):
            chosen = [place for place, bar in enumerate(bars) if bar.is_band == bands]
            ends = [max(bars[each].end_s, bars[each].start_s + NARROWEST * self.axis_s) for each in chosen]
            found = packed([(bars[each].start_s, end) for each, end in zip(chosen, ends, strict=True)])
            for each, lane in zip(chosen, found, strict=True):
                places[each] = lanes + lane
            lanes += max(found, default=-1) + 1
        return tuple(replace(bar, lane=lane) for bar, lane in zip(bars, places, strict=True)), lanes

    def _kept(self, nodes: Sequence[Node]) -> dict[str, tuple[Why, ...]]:
        """What keeps a bar of its own, and why."""
        found: dict[str, list[Why]] = defaultdict(list)
        took = {each.id: (lambda at: at[1] - at[0])(self.stretch(each)) for each in nodes}
        if self.selected in took:
            found[self.selected or ""].append("selected")
        failed = sorted((each.id for each in nodes if _failed(each)), key=took.__getitem__, reverse=True)
        for each in failed[:KEPT_FAILED]:
            found[each].append("failed")
        cited = [each.id for each in nodes if each.id in self.cited]
        for each in cited if len(cited) <= KEPT_CITED else []:
            found[each].append("cited")
        found[max(took, key=took.__getitem__)].append("slowest")
        return {each: tuple(why) for each, why in found.items()}

    def _foldings(self, work: Work, nodes: list[Node], kept: Mapping[str, object]) -> Iterator[list[list[Node]]]:
        """Ways to draw them, from each by itself to ever fewer bands."""
        if len(nodes) <= ROOM[work]:
            yield [[each] for each in nodes]
        left = [each for each in nodes if each.id not in kept]
        apart = [[each] for each in nodes if each.id in kept]
        together = self._together(work, left)
        if len(together) <= ROOM[work]:
            yield apart + [part for each in together for part in _unless_few(each)]
            yield apart + together
        stretches = [self.stretch(each) for each in left]
        yield apart + [[left[place] for place in each] for each in parted(stretches, ROOM[work] // 2)]

    def _together(self, work: Work, nodes: Sequence[Node]) -> list[list[Node]]:
        """Those that one cell made, or one child frame ran. What the root frame did stands one after the other."""
        sets: dict[str, list[Node]] = defaultdict(list)
        for node in nodes:
            own = work == "reply" or (work == "cell" and self.frame[node.id] in self.root)
            sets[node.id if own else self.frame[node.id] if work == "cell" else node.parent or ""].append(node)
        return list(sets.values())

    def _bar(self, nodes: Sequence[Node], reasons: Mapping[str, tuple[Why, ...]]) -> Bar:
        (node,) = nodes
        return Bar(
            node.id,
            (node.id,),
            *self.stretch(node),
            node.status,
            why=reasons.get(node.id, ()),
            running=int(node.finished is None),
            failed=int(_failed(node)),
            waited_s=self.waited.get(node.id, 0.0),
            untimed=int(_untimed(node)),
        )

    def _band(self, nodes: Sequence[Node]) -> Bar:
        stretches = [self.stretch(each) for each in nodes]
        start, end = min(one for one, _ in stretches), max(two for _, two in stretches)
        curve = peaks(stretches, start, end, BAND_BINS)
        failed = sum(map(_failed, nodes))
        running = sum(each.finished is None for each in nodes)
        return Bar(
            nodes[0].id,
            tuple(each.id for each in nodes),
            start,
            end,
            "failed" if failed == len(nodes) else "running" if running else "ok",
            running=running,
            failed=failed,
            waited_s=max(self.waited.get(each.id, 0.0) for each in nodes),
            untimed=sum(map(_untimed, nodes)),
            peak=max(1, *curve),
            curve=curve,
        )


def tick_s(length_s: float) -> float:
    """Seconds from one line of a clock to the next, such that there are about eight."""
    return next((each for each in STEPS_S if each * TICKS >= length_s), length_s / TICKS)


def _failed(node: Node) -> bool:
    return node.failed and node.status not in STOPPED


def _timed(view: RunView, span: str | None) -> str | None:
    """What of a node takes time: of a turn the call that wrote it, of a finding the cell that recorded it."""
    node = view.nodes.get(span or "")
    if node is not None and node.kind == "turn":
        return next((each for each in node.children if is_reply(view.nodes[each])), span)
    return node.parent if node is not None and node.kind == "finding" else span


def _unless_few(nodes: list[Node]) -> list[list[Node]]:
    return [nodes] if len(nodes) > FOLD_ABOVE else [[each] for each in nodes]


def _untimed(node: Node) -> bool:
    """Of a call that was made: it cannot have taken no time."""
    end = node.finished
    return isinstance(end, ev.CallFinished) and end.status == "ok" and not end.replayed and not node.elapsed_s()
