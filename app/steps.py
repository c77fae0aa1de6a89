"""The steps of a run in their order, folded for reading: frames, turns, cells, the calls of a cell in one row, findings.

Pure: a `RunView` goes in, frozen values come out. Knows what belongs together; refuses to know how it looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rlm_core import events as ev
from rlm_core.passages import NOTHING, Passage, passage
from rlm_core.view import Node, RunView, Totals, own_totals

CANCELLED = ("cancelled", "interrupted")
"""Statuses of calls that were stopped with their run, and did not fail."""


@dataclass(frozen=True, slots=True)
class Step:
    """What all steps have. `elapsed_s` is `None` while it runs; `depth` is that of the frame it is in."""

    id: str
    parent: str | None
    """Id of what it happened in: a step, or the run or its root frame, which are none."""
    depth: int
    status: str
    started_at: float
    elapsed_s: float | None


@dataclass(frozen=True, slots=True)
class FrameStep(Step):
    """A child frame begins. The root frame is not a step: it is the run."""

    strategy: str
    question: Passage


@dataclass(frozen=True, slots=True)
class CallRow:
    """One model request. `reply` is empty while it runs and where it failed; then `error` says why."""

    id: str
    role: str
    model: str
    status: str
    prompt: Passage
    reply: Passage
    error: Passage
    elapsed_s: float | None
    totals: Totals


@dataclass(frozen=True, slots=True)
class TurnStep(Step):
    """One reply of a frame's model; `cells` are the codes that it holds, which follow as steps of their own."""

    number: int
    call: CallRow | None
    cells: tuple[Passage, ...]
    refused: Passage


@dataclass(frozen=True, slots=True)
class CellStep(Step):
    number: int
    code: Passage
    output: Passage
    output_chars: int
    error: Passage
    variables: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class CallsStep(Step):
    """All calls that one cell or turn made, in one row."""

    rows: tuple[CallRow, ...]
    ok: int
    failed: int
    cancelled: int
    totals: Totals
    p50_s: float | None
    p95_s: float | None


@dataclass(frozen=True, slots=True)
class FindingsStep(Step):
    """Findings that a cell recorded, counted by label, the most frequent first."""

    labels: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class RemarkStep(Step):
    """A note or a limit. `topic` is `limit`, `search`, or the note's own."""

    topic: str
    text: Passage


def steps_of(view: RunView) -> list[Step]:
    """Every step of the run, in the order of reading."""
    run = view.nodes.get(ev.RUN_SPAN)
    return [*_Layout(view).below(run, 0), *_remarks(run, 0)] if run else []


class _Layout:
    """Walks the tree of a view. Cells are numbered through each frame, as a person counts them."""

    def __init__(self, view: RunView) -> None:
        self.view = view
        self._numbers: dict[str, int] = {}
        counted: Counter[str | None] = Counter()
        for node in view.nodes.values():
            if node.kind == "cell":
                turn = view.nodes.get(node.parent or "")
                frame = turn.parent if turn else None
                counted[frame] += 1
                self._numbers[node.id] = counted[frame]

    def below(self, node: Node, depth: int) -> Iterator[Step]:
        """The steps of the children of a run, a frame, a turn or a cell."""
        children = [self.view.nodes[child] for child in node.children]
        for child in children:
            if child.kind == "frame":
                yield from self._frame(child)
            elif child.kind == "turn":
                yield self._turn(child, depth)
                yield from self.below(child, depth)
                yield from _remarks(child, depth)
            elif child.kind == "cell":
                yield self._cell(child, depth)
                yield from self.below(child, depth)
                yield from _remarks(child, depth)
            elif child.kind == "search":
                yield _searched(child, depth)
        loose = [each for each in children if each.kind == "call" and not _is_reply(each)]
        if loose:
            yield _calls(node, loose, depth)
        yield from _findings(node, children, depth)

    def _frame(self, node: Node) -> Iterator[Step]:
        started = node.started
        assert isinstance(started, ev.FrameStarted)
        if started.depth > 0:
            yield FrameStep(*_head(node, started.depth), started.strategy, passage(started.question))
        remarks = list(_remarks(node, started.depth))
        yield from (remark for remark in remarks if remark.topic != "limit")
        yield from self.below(node, started.depth)
        yield from (remark for remark in remarks if remark.topic == "limit")

    def _turn(self, node: Node, depth: int) -> TurnStep:
        assert isinstance(node.started, ev.TurnStarted)
        children = [self.view.nodes[child] for child in node.children]
        call = next((call_row(each) for each in children if each.kind == "call" and _is_reply(each)), None)
        cells = tuple(passage(each.started.code) for each in children if isinstance(each.started, ev.CellStarted))
        refused = node.finished.refused if isinstance(node.finished, ev.TurnFinished) else None
        return TurnStep(*_head(node, depth), node.started.number, call, cells, passage(refused))

    def _cell(self, node: Node, depth: int) -> CellStep:
        assert isinstance(node.started, ev.CellStarted)
        done = node.finished if isinstance(node.finished, ev.CellFinished) else None
        return CellStep(
            *_head(node, depth),
            self._numbers[node.id],
            passage(node.started.code),
            passage(done.output) if done else NOTHING,
            done.output_chars if done else 0,
            passage(done.error) if done else NOTHING,
            done.variables if done else (),
        )


def call_row(node: Node) -> CallRow:
    """A call as a row. Its prompt is what this call added; `RunView.prompt` has all of it."""
    assert isinstance(node.started, ev.CallStarted)
    done = node.finished if isinstance(node.finished, ev.CallFinished) else None
    messages = node.started.messages
    return CallRow(
        node.id,
        node.started.role,
        node.started.model,
        node.status,
        passage(messages[-1].text) if messages else NOTHING,
        passage(done.text) if done else NOTHING,
        passage(done.error) if done else NOTHING,
        node.elapsed_s(),
        own_totals(node),
    )


def _calls(parent: Node, nodes: Sequence[Node], depth: int) -> CallsStep:
    rows = tuple(call_row(node) for node in nodes)
    took = sorted(row.elapsed_s for row in rows if row.elapsed_s is not None)
    total = Totals()
    for row in rows:
        total += row.totals
    running = sum(row.status == "running" for row in rows)
    cancelled = sum(row.status in CANCELLED for row in rows)
    ends = [node.finished_at for node in nodes if node.finished_at is not None]
    start = min(node.started_at for node in nodes)
    return CallsStep(
        f"{parent.id}/calls",
        parent.id,
        depth,
        "running" if running else "ok",
        start,
        None if running else max(ends) - start,
        rows,
        sum(row.status == "ok" for row in rows),
        total.failed_calls - cancelled,
        cancelled,
        total,
        quantile(took, 0.5),
        quantile(took, 0.95),
    )


def quantile(ordered: Sequence[float], part: float) -> float | None:
    """The value that `part` of the ordered values do not exceed; `None` of nothing."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


def _findings(parent: Node, children: Sequence[Node], depth: int) -> Iterator[FindingsStep]:
    found = [each.started.finding for each in children if isinstance(each.started, ev.FindingRecorded)]
    if found:
        labels = Counter(passage(each.label).head for each in found).most_common()
        yield FindingsStep(f"{parent.id}/findings", parent.id, depth, "ok", parent.started_at, 0.0, tuple(labels))


def _searched(node: Node, depth: int) -> RemarkStep:
    assert isinstance(node.started, ev.Searched)
    text = f"{passage(node.started.query).head} ({len(node.started.hits)} hits)"
    return RemarkStep(*_head(node, depth), "search", passage(text))


def _remarks(node: Node, depth: int) -> Iterator[RemarkStep]:
    for number, body in enumerate(node.remarks):
        said = _in_words(body)
        if said:
            topic, text = said
            yield RemarkStep(
                f"{node.id}/remark{number}", node.id, depth, "ok", node.started_at, 0.0, topic, passage(text)
            )


def _in_words(body: ev.Body) -> tuple[str, Any] | None:
    match body:
        case ev.LimitReached():
            return "limit", f"{limit_in_words(body.limit)} reached: {body.used:g} of {body.allowed:g}."
        case ev.Noted():
            return body.topic, body.text
        case ev.HistoryCompacted():
            return "history compacted", body.summary
        case ev.ApprovalAsked():
            return "approval", f"Asked for approval of {body.calls:,} calls."
        case ev.ApprovalGiven():
            return "approval", "Approved." if body.granted else "Not approved."
    return None


LIMITS = {
    "max_usd": "Limit on spending (US dollars)",
    "max_tokens": "Limit on tokens",
    "max_calls": "Limit on calls",
    "max_turns": "Limit on turns",
    "timeout_s": "Limit on time (seconds)",
}


def limit_in_words(limit: str) -> str:
    return LIMITS.get(limit, f"The limit {limit}")


def _is_reply(call: Node) -> bool:
    """The call that wrote a turn, which is shown as the turn itself."""
    return isinstance(call.started, ev.CallStarted) and call.started.role == "root"


def _head(node: Node, depth: int) -> tuple[str, str | None, int, str, float, float | None]:
    return node.id, node.parent, depth, node.status, node.started_at, node.elapsed_s()
