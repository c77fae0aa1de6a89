"""The nodes of a run that can be drawn, what each is drawn in, and its sums.

A turn is drawn with the call that wrote it, a cell with the findings it recorded, the root frame as the run. Everything is
computed in one pass over the view, so that ten thousand nodes cost milliseconds. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rlm_core import events as ev
from rlm_core.view import Node, RunView, Totals, own_totals, sum_of

RUN = ev.RUN_SPAN


def is_reply(node: Node) -> bool:
    """Whether it is a call of a frame's own model, and not one of a helper. In a turn it is what the model said in it."""
    return isinstance(node.started, ev.CallStarted) and node.started.role == "root"


class Outline:
    """The nodes that can be drawn, what each is drawn in, and its sums."""

    def __init__(self, view: RunView) -> None:
        self.view = view
        self.home: dict[str, str] = {}
        self.nodes: dict[str, Node] = {}
        self.parent: dict[str, str] = {}
        self.children: dict[str, list[str]] = {}
        self.replies: dict[str, Node] = {}
        """By turn, the call that wrote it."""
        self.own: dict[str, Totals] = {}
        self.own_s: dict[str, float] = {}
        for node in view.nodes.values():
            self._place(node)
        self.answered_in = self._answered_in()

    @cached_property
    def subtree(self) -> dict[str, Totals]:
        """Sums over each node and everything in it."""
        sums = dict(self.own)
        for span in reversed(self.nodes):
            if children := self.children.get(span):
                sums[span] = sum_of([self.own[span], *(sums[each] for each in children)])
        return sums

    @cached_property
    def subtree_s(self) -> dict[str, float]:
        """The same of the time of calls."""
        sums = dict(self.own_s)
        for span in reversed(self.nodes):
            if children := self.children.get(span):
                sums[span] += sum(sums[each] for each in children)
        return sums

    def _place(self, node: Node) -> None:
        above = self.home.get(node.parent or "", node.parent)
        if (
            above is None or above not in self.nodes
        ):  # not there, or began later: who hangs from such must not go in a circle
            above = RUN
        spent_s = (node.elapsed_s() or 0.0) if node.kind == "call" else 0.0
        if node.id != RUN and self._is_part_of(node, above):
            self.home[node.id] = above
            if node.kind == "call":
                self.replies[above] = node
                self.own[above] += own_totals(node)
                self.own_s[above] += spent_s
            return
        self.nodes[node.id], self.own[node.id], self.own_s[node.id] = node, own_totals(node), spent_s
        if node.id != RUN:
            self.parent[node.id] = above
            self.children.setdefault(above, []).append(node.id)

    def _is_part_of(self, node: Node, above: str) -> bool:
        """The root frame is drawn as the run, the call that wrote a turn as the turn, a finding as its cell."""
        if node.kind == "frame":
            return node.parent == RUN
        return node.kind == "finding" or (is_reply(node) and self.nodes[above].kind == "turn")

    def status(self, span: str) -> str:
        """How a node ended: a turn without a reply as the call that should have written it."""
        reply = self.replies.get(span)
        return reply.status if reply and reply.status not in ("ok", "running") else self.nodes[span].status

    def path(self, span: str | None) -> Iterator[str]:
        span = self.home.get(span or "", span)
        while span is not None and span in self.nodes:
            yield span
            span = self.parent.get(span)

    def _answered_in(self) -> str:
        """What the answer hangs from: the last thing that the root frame did."""
        last, level = RUN, self.children.get(RUN, [])
        while level:
            last = level[-1]
            level = [each for each in self.children.get(last, []) if self.nodes[each].kind == "cell"]
        return last
