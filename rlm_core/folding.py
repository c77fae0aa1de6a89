"""Level of detail: the tree of a run as it is drawn, with similar siblings folded into groups.

What is drawn is a *mark*: the run, a child frame, a turn (with the call that wrote it), a cell (with the findings it
recorded), a call, a search, the answer; or a group of more than eight similar siblings. A group counts all its members.
Failures and cancelled calls are groups of their own and never mixed with what went well; cited, dearest, slowest and
selected members are drawn under their group, and are part of its count, and so is a window of members where a group is
opened. Where that is still too much to be looked at, turns are closed (`crowding.py`), and a row of closed turns is a group.
Pure: a view goes in, frozen values come out. It knows neither names (`naming.py`), places (`layout.py`), what a tree is
narrowed by (`narrowing.py`) nor screens.
"""

from __future__ import annotations

import sys
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Literal

from rlm_core import events as ev
from rlm_core.crowding import Crowd
from rlm_core.likeness import FOLD_ABOVE, STOPPED, WENT_WELL, Siblings, fate_of
from rlm_core.outline import RUN, Outline
from rlm_core.view import Node, RunView, Totals, sum_of

MarkKind = Literal["run", "frame", "turn", "cell", "call", "search", "answer", "more"]
Why = Literal["failed", "cited", "dearest", "slowest", "found", "selected"]

ANSWER = "answer"
MAX_MARKS = 300
"""Beyond this many, turns are closed."""
MAX_OPENED = 150
"""Members of opened groups that are drawn; of several groups, those of the one opened last count first."""
NOTHING: Mapping[str, int] = {}
SHUT: Mapping[str, range] = {}
TURNS = ".row"
"""Last part of the id of a group of closed turns; before it, the first of them."""
EARLIER, MORE = ".earlier", ".more"
"""Last parts of the ids of the marks for members of a group before and after those that are drawn."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that is drawn. `own` is its own spending, `subtree` that of everything in it, drawn or not."""

    id: str
    parent: str | None
    kind: MarkKind
    """Of a group: the kind of its members. `more` stands for members of a group that are not drawn singly."""
    members: tuple[str, ...]
    """Spans: its own, or those of all members of a group."""
    status: str
    """Of a group `failed` or `cancelled` where its members are, else `running` or `ok`."""
    own: Totals
    subtree: Totals
    own_calls_s: float
    """Time of its own calls that have ended, in sum."""
    calls_s: float
    """The same for everything in it."""
    started_at: float
    elapsed_s: float | None
    """From the first start to the last end; `None` while it runs."""
    why: tuple[Why, ...] = ()
    """Why a member of a group is drawn by itself."""
    running: int = 0
    cited: int = 0
    """Members of a group that are under way; that are cited."""
    p50_s: float | None = None
    p95_s: float | None = None
    hidden: int = 0
    """Nodes in it that are not drawn: members of a group, or what lies in a closed turn."""
    role: ev.CallRole | None = None
    """Of a call, or of a group of calls that all have the same. `root`: outside any turn, as the last word of a model."""

    @property
    def is_group(self) -> bool:
        return len(self.members) > 1 and self.kind != "more"

    @property
    def failed(self) -> bool:
        return self.status not in WENT_WELL and self.status not in STOPPED


@dataclass(frozen=True)
class Tree:
    """All marks, each after its parent, siblings in the order of their start. The first is the run."""

    marks: tuple[Mark, ...]
    nodes: int
    """How many nodes the run has, drawn or not."""
    home: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Span to the mark that it is drawn in, where that has another id: the call of a turn, a finding, a group's member."""

    @property
    def drawn(self) -> int:
        """Nodes that are drawn as themselves."""
        return sum(not mark.is_group and mark.kind not in ("more", "run") for mark in self.marks)

    @cached_property
    def by_id(self) -> Mapping[str, Mark]:
        return {mark.id: mark for mark in self.marks}

    @cached_property
    def children(self) -> Mapping[str, tuple[Mark, ...]]:
        found: dict[str, list[Mark]] = {}
        for mark in self.marks[1:]:
            found.setdefault(mark.parent or RUN, []).append(mark)
        return {parent: tuple(marks) for parent, marks in found.items()}

    def mark_of(self, span: str | None) -> Mark | None:
        """The mark that shows a span: its own, or that of what it is drawn in."""
        while span is not None and span not in self.by_id:
            span = self.home.get(span)
        return self.by_id[span] if span is not None else None


def tree_of(
    view: RunView,
    *,
    selected: str | None = None,
    kept: Collection[str] = (),
    only: Collection[str] | None = None,
    opened: Mapping[str, range] = SHUT,
    cited: Mapping[str, int] = NOTHING,
    max_marks: int = MAX_MARKS,
) -> Tree:
    """The tree of a run as it is to be drawn.

    `selected` and what is `kept` are never folded away. With `only`, a part of the nodes, these are drawn or counted in a
    group as ever, and of all others just what they lie in. `opened` names groups, and which of their members are drawn;
    also turns that would be closed. `cited` has the calls that the answer rests on (`evidence.citations`).
    """
    return Folding(Outline(view), cited).tree(
        selected=selected, kept=kept, only=only, opened=opened, max_marks=max_marks
    )


class Folding:
    """How a run is folded in one state of it: made once, and drawn for everybody who looks at it, wherever he is."""

    def __init__(self, outline: Outline, cited: Mapping[str, int] = NOTHING) -> None:
        self.outline, self.cited = outline, cited
        self.siblings = Siblings(outline, cited)
        self.drawn: dict[tuple[str, str | None, tuple[Why, ...]], list[Mark]] = {}
        """The marks of a node and of everything in it, as they are where nothing in it is selected or opened."""
        self.home: dict[str, str] = {}
        """For these, the groups in which their members are drawn."""

    def tree(
        self,
        *,
        selected: str | None = None,
        kept: Collection[str] = (),
        only: Collection[str] | None = None,
        opened: Mapping[str, range] = SHUT,
        max_marks: int = MAX_MARKS,
    ) -> Tree:
        """See `tree_of`."""
        outline = self.outline
        if RUN not in outline.nodes:
            return Tree((), 0)
        folder = _Folder(self, selected, kept, only, _bounded(opened))
        unbounded = list(folder.marks(RUN))
        marks = folder.bounded(unbounded, max_marks)
        drawn = {mark.id for mark in marks}
        above = {mark.id: mark.parent for mark in unbounded if mark.parent and mark.id not in drawn}
        nodes = len(outline.nodes) - 1 + (outline.view.answer is not None)
        grouped = self.home if only is None else {}
        return Tree(tuple(marks), nodes, ChainMap(folder.home, grouped, outline.home, above, outline.parent))

    @cached_property
    def plain(self) -> _Folder:
        """For one who has selected and opened nothing."""
        return _Folder(self, None, (), None, SHUT, self.home)

    @cached_property
    def nothing_closed(self) -> Tree:
        """The tree with all its turns, however many there are: for what is read page by page."""
        return self.tree(max_marks=sys.maxsize)


class _Folder:
    """Walks an outline and decides what is drawn by itself, for one who looks at it."""

    def __init__(
        self,
        folding: Folding,
        selected: str | None,
        kept: Collection[str],
        only: Collection[str] | None,
        opened: Mapping[str, range],
        home: dict[str, str] | None = None,
    ) -> None:
        outline = folding.outline
        self.folding, self.outline, self.opened, self.cited = folding, outline, opened, folding.cited
        self.answers = outline.view.answer is not None and (only is None or ANSWER in (selected, *kept))
        self.selected = set(outline.path(outline.answered_in if selected == ANSWER else selected))
        self.found = {each for span in kept for each in outline.path(outline.answered_in if span == ANSWER else span)}
        self.path = self.selected | self.found
        """What is selected or kept, and all that it lies in: never folded away."""
        self.drawable = None if only is None else {each for span in only for each in outline.path(span)} | self.path
        around = (each for group in opened for each in outline.path(group.rpartition(".")[0]))
        self.touched = self.path.union(around)
        """In all other nodes nothing is selected, kept or opened."""
        self.home: dict[str, str] = {} if home is None else home

    def marks(self, span: str, parent: str | None = None, why: tuple[Why, ...] = ()) -> Iterable[Mark]:
        """The mark of a node and of everything in it."""
        if self.drawable is not None or span in self.touched:
            return self._marks(span, parent, why)
        drawn, key = self.folding.drawn, (span, parent, why)
        if key not in drawn:
            drawn[key] = list(self.folding.plain._marks(span, parent, why))
        return drawn[key]

    def _marks(self, span: str, parent: str | None, why: tuple[Why, ...]) -> Iterator[Mark]:
        outline = self.outline
        yield self._single(span, parent, why)
        for group, members in self.folding.siblings.of(span):
            wanted = self._wanted(members)
            if group and len(wanted) > FOLD_ABOVE:
                yield from self._group(group, span, wanted)
            else:
                for each in wanted:
                    yield from self.marks(each, span)
        if self.answers and span == outline.answered_in:
            yield self._answer(span)

    def _wanted(self, spans: list[str]) -> list[str]:
        return spans if self.drawable is None else [each for each in spans if each in self.drawable]

    def _single(self, span: str, parent: str | None, why: tuple[Why, ...]) -> Mark:
        outline, node = self.outline, self.outline.nodes[span]
        return Mark(
            span,
            parent,
            node.kind,  # type: ignore[arg-type]  # a finding is never drawn by itself
            (span,),
            outline.status(span),
            outline.own[span],
            outline.subtree[span],
            outline.own_s[span],
            outline.subtree_s[span],
            node.started_at,
            node.elapsed_s(),
            why,
            cited=int(span in self.cited),
            role=_role([node]),
        )

    def _answer(self, parent: str) -> Mark:
        finished = self.outline.view.nodes[RUN]
        at = finished.finished_at or finished.started_at
        status = self.outline.view.outcome or "answered"
        return Mark(ANSWER, parent, "answer", (ANSWER,), status, Totals(), Totals(), 0.0, 0.0, at, 0.0)

    def _group(self, group: str, parent: str, members: list[str]) -> Iterator[Mark]:
        """A group, what is drawn of its members by itself, and how many there are before and after that."""
        why = self._exemplars(members)
        yield from self._unfolded(group, parent, members, why, lambda each: self.marks(each, group, why.get(each, ())))

    def _unfolded(
        self,
        group: str,
        parent: str | None,
        members: list[str],
        reasons: Collection[str],
        marks_of: Callable[[str], Iterable[Mark]],
    ) -> Iterator[Mark]:
        window = self.opened.get(group, range(0))
        drawn = [each for number, each in enumerate(members) if number in window or each in reasons]
        rest = [(number, each) for number, each in enumerate(members) if number not in window and each not in reasons]
        before = self._rest(f"{group}{EARLIER}", group, [each for number, each in rest if number < window.start])
        after = self._rest(f"{group}{MORE}", group, [each for number, each in rest if number >= window.start])
        yield replace(self._sums(group, parent, members), hidden=sum(each.hidden for each in (*before, *after)))
        yield from before
        for each in drawn:
            yield from marks_of(each)
        yield from after

    def _rest(self, id: str, group: str, members: list[str]) -> list[Mark]:
        self.home |= dict.fromkeys(members, group)
        hidden = sum(self._size(each) for each in members)
        return [replace(self._sums(id, group, members), kind="more", hidden=hidden)] if members else []

    def _size(self, span: str) -> int:
        return 1 + sum(map(self._size, self._wanted(self.outline.children.get(span, []))))

    def bounded(self, marks: list[Mark], most: int) -> list[Mark]:
        """No more marks than that, if it can be: turns are closed, and many closed ones in a row become a group."""
        if len(marks) <= most:
            return marks
        under_way = {each.id for each in marks if each.status == "running" and self.outline.view.outcome is None}
        crowd, drawn = Crowd(marks, {*self.opened, *self.path, *under_way}), marks
        for of_note in (False, True):
            crowd.close(most, of_note=of_note)
            drawn = [
                replace(mark, hidden=crowd.nodes[mark.id] - 1) if mark.id in crowd.closed else mark
                for mark in marks
                if crowd.draws(mark)
            ]
            if len(drawn) > most:
                drawn = list(self._in_rows(drawn, crowd.kept))
            if len(drawn) <= most:
                break
        return drawn

    def _in_rows(self, marks: list[Mark], kept: Collection[str]) -> Iterator[Mark]:
        """The same with a group in the place of each long row of closed turns."""
        parents = {mark.parent for mark in marks}

        def row_of(place: int) -> tuple[str | None, int]:
            mark = marks[place]
            alike = mark.kind == "turn" and mark.id not in parents and mark.id not in kept
            return mark.parent, -1 if alike else place

        for (parent, _), places in groupby(range(len(marks)), row_of):
            row = {marks[place].id: marks[place] for place in places}
            if len(row) <= FOLD_ABOVE:
                yield from row.values()
                continue
            yield from self._row(f"{next(iter(row))}{TURNS}", parent, row)

    def _row(self, group: str, parent: str | None, row: Mapping[str, Mark]) -> Iterator[Mark]:
        return self._unfolded(group, parent, list(row), (), lambda each: [replace(row[each], parent=group)])

    def _exemplars(self, members: Sequence[str]) -> dict[str, tuple[Why, ...]]:
        """Members that are never folded away, and why."""
        outline, found = self.outline, dict[str, list[Why]]()
        cited = [each for each in members if each in self.cited]
        for each in cited if len(cited) <= FOLD_ABOVE else []:
            found.setdefault(each, []).append("cited")
        dearest = max(members, key=lambda each: outline.subtree[each].cost_usd)
        if outline.subtree[dearest].cost_usd > 0:
            found.setdefault(dearest, []).append("dearest")
        slowest = max(members, key=lambda each: outline.nodes[each].elapsed_s() or 0.0)
        if outline.nodes[slowest].elapsed_s():
            found.setdefault(slowest, []).append("slowest")
        for each in self.found.intersection(members):
            found.setdefault(each, []).append("found")
        for each in self.selected.intersection(members):
            found.setdefault(each, []).append("selected")
        return {each: tuple(reasons) for each, reasons in found.items()}

    def _sums(self, group: str, parent: str | None, members: Sequence[str]) -> Mark:
        outline = self.outline
        nodes = [outline.nodes[each] for each in members]
        total, spent_s = (
            sum_of(outline.subtree[each] for each in members),
            sum(outline.subtree_s[each] for each in members),
        )
        took = sorted(each.elapsed_s() or 0.0 for each in nodes if each.finished_at is not None)
        running = sum(each.status == "running" for each in nodes)
        start = min(each.started_at for each in nodes)
        status = {"x": "failed", "s": "cancelled"}.get(fate_of(nodes[0]), "running" if running else "ok")
        return Mark(
            group,
            parent,
            nodes[0].kind,  # type: ignore[arg-type]
            tuple(members),
            status,
            total,
            total,
            spent_s,
            spent_s,
            start,
            None if running else max(each.finished_at or start for each in nodes) - start,
            running=running,
            cited=sum(each in self.cited for each in members),
            p50_s=quantile(took, 0.5),
            p95_s=quantile(took, 0.95),
            role=_role(nodes),
        )


def _bounded(opened: Mapping[str, range]) -> dict[str, range]:
    left, bounded = MAX_OPENED, dict[str, range]()
    for group in reversed([*opened]):
        bounded[group] = opened[group][:left]
        left -= len(bounded[group])
    return bounded


def quantile(ordered: Sequence[float], part: float) -> float | None:
    """The value that `part` of the ordered values do not exceed; `None` of nothing."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


def _role(nodes: Sequence[Node]) -> ev.CallRole | None:
    """The one role of all these calls."""
    roles = {node.started.role if isinstance(node.started, ev.CallStarted) else None for node in nodes}
    return roles.pop() if len(roles) == 1 else None
