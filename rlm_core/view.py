"""A run as it can be looked at: the fold of its events.

`RunView` is built by applying events one by one, live or from storage; any prefix of a run is a valid view. It computes
what events refuse to hold: statuses, totals, conversations. It knows no storage, no prices and no screen.

Law: unknown is never zero. A total carries what is known and how many calls it knows nothing of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from operator import attrgetter

from rlm_core import events as ev
from rlm_core.task import Answer, Finding, Message, Outcome, Task, standing

KIND_OF = {
    ev.RunStarted: "run",
    ev.FrameStarted: "frame",
    ev.TurnStarted: "turn",
    ev.CallStarted: "call",
    ev.CellStarted: "cell",
    ev.FindingRecorded: "finding",
    ev.Searched: "search",
}
"""What opens a node of each kind. Findings and searches begin and never end: they are facts, not work."""


@dataclass(slots=True)
class Node:
    """One thing in the tree of a run: the events that opened and closed it, and what hangs below."""

    id: str
    parent: str | None
    kind: str
    started: ev.Body
    started_at: float
    finished: ev.Body | None = None
    finished_at: float | None = None
    children: list[str] = field(default_factory=list)
    remarks: list[ev.Body] = field(default_factory=list)
    """Limits, notes and approvals that were recorded on this node. Verdicts on quotes: `RunView.verdicts`."""
    remark_seqs: list[int] = field(default_factory=list)
    """The `seq` of each of them."""
    started_seq: int = -1
    finished_seq: int | None = None

    @property
    def status(self) -> str:
        """`running`, or how it ended: a `Status` of calls and cells, an `Outcome` of frames and the run, else `ok`."""
        if self.kind in ("finding", "search"):
            return "ok"
        if self.finished is None:
            return "running"
        return str(getattr(self.finished, "status", None) or getattr(self.finished, "outcome", "ok"))

    @property
    def failed(self) -> bool:
        return self.status not in ("ok", "running", "answered", "forced")

    def elapsed_s(self, now: float | None = None) -> float | None:
        """Seconds from start to end; of an open node up to `now`, or `None` without one."""
        end = self.finished_at if self.finished_at is not None else now
        return None if end is None else end - self.started_at


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over calls: what is known, and for how many calls it is not."""

    calls: int = 0
    failed_calls: int = 0
    cells: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    calls_without_usage: int = 0
    cost_usd: float = 0.0
    calls_without_cost: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.calls + other.calls,
            self.failed_calls + other.failed_calls,
            self.cells + other.cells,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.calls_without_usage + other.calls_without_usage,
            self.cost_usd + other.cost_usd,
            self.calls_without_cost + other.calls_without_cost,
        )


NO_TOTALS = Totals()
ONE_CELL = Totals(cells=1)
_figures = attrgetter(*(each.name for each in fields(Totals)))


def sum_of(parts: Iterable[Totals]) -> Totals:
    """All of them at once: there may be ten thousand."""
    return Totals(*map(sum, zip(*map(_figures, parts), strict=True)))


class RunView:
    """The state of one run after the events applied so far."""

    def __init__(self) -> None:
        self.run: str | None = None
        self.task: Task | None = None
        self.last_seq = -1
        self.last_at: float | None = None
        self.nodes: dict[str, Node] = {}
        """By span id, in the order of their start; the first is the run itself."""
        self.verdicts: dict[str, ev.QuoteChecked] = {}
        """By the span of the finding."""

    def apply(self, event: ev.Event) -> None:
        """Take in the next event. Events of a run must come in the order of their `seq`."""
        self.run, self.last_seq, self.last_at = event.run, event.seq, event.at
        body = event.body
        if isinstance(body, ev.RunStarted):
            self.task = body.task
        kind = KIND_OF.get(type(body))
        if kind:
            self._open(event, kind)
        elif isinstance(body, ev.QuoteChecked):
            self.verdicts[event.span] = body
        elif event.span in self.nodes:
            self._close_or_remark(self.nodes[event.span], event)

    def _open(self, event: ev.Event, kind: str) -> None:
        """A span begins once, after what it lies in: a log of others that says otherwise must not lead round in circles."""
        if event.span in self.nodes:
            return
        if event.parent in self.nodes:
            self.nodes[event.parent].children.append(event.span)
        self.nodes[event.span] = Node(event.span, event.parent, kind, event.body, event.at, started_seq=event.seq)

    def _close_or_remark(self, node: Node, event: ev.Event) -> None:
        if isinstance(
            event.body, ev.RunFinished | ev.FrameFinished | ev.TurnFinished | ev.CallFinished | ev.CellFinished
        ):
            node.finished, node.finished_at, node.finished_seq = event.body, event.at, event.seq
        else:
            node.remarks.append(event.body)
            node.remark_seqs.append(event.seq)

    @property
    def started(self) -> ev.RunStarted | None:
        node = self.nodes.get(ev.RUN_SPAN)
        return node.started if node and isinstance(node.started, ev.RunStarted) else None

    @property
    def finished(self) -> ev.RunFinished | None:
        node = self.nodes.get(ev.RUN_SPAN)
        return node.finished if node and isinstance(node.finished, ev.RunFinished) else None

    @property
    def outcome(self) -> Outcome | None:
        """How the run ended, or `None` while it has not."""
        return self.finished.outcome if self.finished else None

    @property
    def answer(self) -> Answer | None:
        return self.finished.answer if self.finished else None

    def elapsed_s(self, now: float | None = None) -> float | None:
        node = self.nodes.get(ev.RUN_SPAN)
        return node.elapsed_s(now) if node else None

    def walk(self, node_id: str = ev.RUN_SPAN, depth: int = 0) -> Iterator[tuple[Node, int]]:
        """The node and everything below it, each with its distance from the first, in the order of their start."""
        stack = [(node_id, depth)] if node_id in self.nodes else []
        while stack:
            current, level = stack.pop()
            node = self.nodes[current]
            yield node, level
            stack.extend((child, level + 1) for child in reversed(node.children))

    def totals(self, node_id: str = ev.RUN_SPAN) -> Totals:
        """Sums over the node and everything below it."""
        return sum_of(own_totals(node) for node, _ in self.walk(node_id))

    def findings(self, *, corrected: bool = False) -> list[tuple[str, Finding, ev.QuoteChecked | None]]:
        """The findings that stand, in order: the span of each, itself, and what became of its quote.

        An item that was recorded again was corrected (`task.standing`). With `corrected` the earlier ones are given too.
        """
        recorded = [
            (node.id, node.started.finding, self.verdicts.get(node.id))
            for node in self.nodes.values()
            if isinstance(node.started, ev.FindingRecorded)
        ]
        stand = standing([(finding, checked.verdict if checked else None) for _, finding, checked in recorded])
        return [each for each, stands in zip(recorded, stand, strict=True) if corrected or stands]

    def prompt(self, call_id: str) -> tuple[Message, ...]:
        """All messages that the call was sent, put together from the calls that it continues, as far as they are known.

        Raises `KeyError` for what is no call.
        """
        parts: list[tuple[Message, ...]] = []
        current: str | None = call_id
        seen = set[str]()
        while current is not None:
            started = self.nodes[current].started
            if not isinstance(started, ev.CallStarted):
                raise KeyError(f"{current} is no call")
            parts.append(started.messages)
            seen.add(current)
            current = started.continues if started.continues in self.nodes and started.continues not in seen else None
            finished = self.nodes[current].finished if current is not None else None
            if isinstance(finished, ev.CallFinished):
                parts.append((Message("assistant", finished.text or ""),))
        return tuple(message for part in reversed(parts) for message in part)

    def frame_of(self, node_id: str) -> str:
        """The frame that a node lies in, or is; the run itself for what lies in none. What a log of others says to lie in
        something that began later lies nowhere, so that nobody is led round in circles."""
        node = self.nodes.get(node_id)
        while node is not None and node.kind != "frame":
            above = self.nodes.get(node.parent or "")
            node = above if above and above.started_seq < node.started_seq else None
        return node.id if node else ev.RUN_SPAN

    def open_nodes(self) -> list[Node]:
        """Nodes that were started and not finished, innermost first."""
        closable = ("run", "frame", "turn", "call", "cell")
        return [node for node in reversed(self.nodes.values()) if node.kind in closable and node.finished is None]


def refused_calls(node: Node) -> int:
    """How many calls of a cell a limit, or a person, refused: they were never made, and are no nodes."""
    if not node.remarks:
        return 0
    notes = [each for each in node.remarks if isinstance(each, ev.Noted) and each.topic == ev.CALLS_REFUSED]
    return sum(count for each in notes if isinstance(count := each.data.get("refused"), int))


def own_totals(node: Node) -> Totals:
    """What one node adds to the sums: something for calls and cells, nothing for the rest."""
    if node.kind == "cell":
        return ONE_CELL
    if node.kind != "call":
        return NO_TOTALS
    if not isinstance(node.finished, ev.CallFinished):
        return Totals(calls=1, calls_without_usage=1, calls_without_cost=1)
    done, usage = node.finished, node.finished.usage
    known = usage is not None and usage.input_tokens is not None and usage.output_tokens is not None
    never_sent = done.status != "ok" and not done.maybe_paid
    return Totals(
        calls=1,
        failed_calls=int(done.status != "ok"),
        input_tokens=(usage.input_tokens or 0) if usage else 0,
        output_tokens=(usage.output_tokens or 0) if usage else 0,
        calls_without_usage=int(not known and not never_sent),
        cost_usd=done.cost_usd or 0.0,
        calls_without_cost=int(done.cost_usd is None and not never_sent),
    )


def fold(events: Iterable[ev.Event]) -> RunView:
    """The view of a list of events."""
    view = RunView()
    for event in events:
        view.apply(event)
    return view
