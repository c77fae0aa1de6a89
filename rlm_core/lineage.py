"""What a run has from the runs before it, and what another one would have from it: replayed calls, turns to fork at,
and which runs are independent ones of their task. Pure.

It knows views. What is really replayed is decided by the journal; this says it beforehand, as far as it can be known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rlm_core import events as ev
from rlm_core.outline import is_reply
from rlm_core.task import Origin
from rlm_core.view import Node, RunView

CAME_TO_AN_END = frozenset({"ok", "failed", "timeout"})
"""Statuses of calls that a later run has from the journal; what was cut off is asked again."""
_ROOT_TURN = re.compile(r"f1\.t(\d+)(?:\.|$)")


@dataclass(frozen=True, slots=True)
class Prefix:
    """What a run would replay of another one, and pay nothing for. `usd` is what it took there, as far as that is known."""

    turns: int
    calls: int
    usd: float
    unknown_cost_calls: int = 0


def attempt(run: str, origins: Mapping[str, Origin]) -> tuple[str, int] | None:
    """The run with which an attempt at a task began that `run` took up, perhaps itself, and how often it was taken up until then.
    `None` of a fork and of what took one up: these go another way than their task says. `origins`: what runs go on from."""
    taken_up = 0
    while origin := origins.get(run):
        if origin.fork or taken_up > len(origins):  # a log of others may lead round in circles
            return None
        run, taken_up = origin.run, taken_up + 1
    return run, taken_up


def independent(runs: Iterable[str], origins: Mapping[str, Origin]) -> set[str]:
    """Of these runs the independent ones of their tasks: no fork, and of an attempt that was taken up the last run alone, which
    has from the journal what came before."""
    last: dict[str, tuple[int, str]] = {}
    for run in runs:
        if found := attempt(run, origins):
            begun, taken_up = found
            if begun not in last or taken_up > last[begun][0]:
                last[begun] = taken_up, run
    return {run for _, run in last.values()}


def root_turn_of(span: str) -> int | None:
    """The turn of the root frame that a span is, or lies in."""
    found = _ROOT_TURN.match(span)
    return int(found[1]) if found else None


def root_turns(view: RunView) -> list[Node]:
    """The turns of the root frame, in order."""
    root = next((node for node in view.nodes.values() if node.kind == "frame" and node.parent == ev.RUN_SPAN), None)
    children = [view.nodes[each] for each in root.children] if root else []
    return [node for node in children if node.kind == "turn"]


def turn_at(view: RunView, number: int) -> Node | None:
    """The turn of the root frame with this number."""
    return next((node for node in root_turns(view) if root_turn_of(node.id) == number), None)


def cells_of(view: RunView, turn: Node) -> list[Node]:
    return [view.nodes[each] for each in turn.children if view.nodes[each].kind == "cell"]


def was_answered(view: RunView, turn: Node) -> bool:
    """Whether the model's reply of this turn is there, so that code can take its place."""
    calls = [view.nodes[each] for each in turn.children if is_reply(view.nodes[each])]
    return any(call.status == "ok" for call in calls)


def what_is_replayed(view: RunView, turn: int) -> Prefix:
    """What a fork at this turn of the root frame replays: everything before it."""
    before = [node for node in root_turns(view) if (root_turn_of(node.id) or turn) < turn]
    nodes = [node for each in before for node, _ in view.walk(each.id)]
    return _prefix(len(before), nodes)


def what_is_left(view: RunView, turn: int) -> Prefix:
    """What the run took from this turn of its root frame on, which a fork there makes anew."""
    after = [node for node in root_turns(view) if (root_turn_of(node.id) or 0) >= turn]
    return _prefix(len(after), [node for each in after for node, _ in view.walk(each.id)])


def what_is_kept(view: RunView) -> Prefix:
    """What a run replays that takes this one up where it broke off: whatever had come to its end."""
    return _prefix(sum(was_answered(view, turn) for turn in root_turns(view)), view.nodes.values())


def _prefix(turns: int, nodes: Iterable[Node]) -> Prefix:
    done = [node.finished for node in nodes if isinstance(node.finished, ev.CallFinished)]
    ended = [each for each in done if each.status in CAME_TO_AN_END]
    costs = [each.replayed.cost_usd if each.replayed else each.cost_usd for each in ended]
    never_sent = sum(
        each.status != "ok" and not each.maybe_paid and cost is None for each, cost in zip(ended, costs, strict=True)
    )
    return Prefix(turns, len(ended), sum(cost or 0.0 for cost in costs), costs.count(None) - never_sent)


def replayed_calls(view: RunView) -> dict[str, ev.Replayed]:
    """The calls of a run that were not made in it, by their span."""
    return {
        node.id: node.finished.replayed
        for node in view.nodes.values()
        if isinstance(node.finished, ev.CallFinished) and node.finished.replayed
    }


def twin_of(view: RunView, span: str, asked: Sequence[object]) -> str | None:
    """The node of an earlier run in which a replayed call was made: helpers are called in any order, so it is the one that was
    `asked` the same in the same cell; else the cell, or nothing where it is not there."""
    node = view.nodes.get(span)
    if node is not None and asked_in(node) == tuple(asked):
        return span
    cell = view.nodes.get(span.rpartition(".")[0])
    if cell is None:
        return None
    same = (each for each in cell.children if asked_in(view.nodes[each]) == tuple(asked))
    return next(same, cell.id)


def asked_in(node: Node) -> tuple[object, ...] | None:
    """The text of a call's last message, or of a long one its hash."""
    started = node.started
    if not isinstance(started, ev.CallStarted):
        return None
    return tuple(message.text for message in started.messages[-1:])
