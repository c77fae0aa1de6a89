"""Which model was shown what a node of a run holds, and by when. Pure.

A prompt is told to the model that was asked it, once it has replied. What a cell printed, and what a search of the strategy
brought, is told to the model of the frame by the next reply that it gives there. Order is the order of events: clocks may
stand still.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from functools import cached_property

from rlm_core import events as ev
from rlm_core.view import RunView


class Told:
    def __init__(self, view: RunView) -> None:
        self._view = view

    def by(self, span: str) -> int | None:
        """The `seq` of the event by which a model had been told what the node holds; `None`: no model was."""
        node = self._view.nodes.get(span)
        if node is None:
            return None
        if isinstance(node.started, ev.CallStarted):
            return node.finished_seq if node.status == "ok" else None
        held = node.started_seq if node.finished_seq is None else node.finished_seq
        replies = self._replies.get(self._view.frame_of(span), [])
        later = bisect_right(replies, held, key=lambda reply: reply[0])
        return replies[later][1] if later < len(replies) else None

    def whom(self, span: str) -> str:
        """Whose eyes the node is before: a helper's call is read by itself, all else by the model of the frame, whose
        conversation grows. Two nodes with the same answer were seen together."""
        node = self._view.nodes.get(span)
        if node is not None and isinstance(node.started, ev.CallStarted) and node.started.role != "root":
            return span
        return self._view.frame_of(span)

    @cached_property
    def _replies(self) -> dict[str, list[tuple[int, int]]]:
        """By frame: when its model was asked and when it had replied, in order."""
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for node in self._view.nodes.values():
            asked = isinstance(node.started, ev.CallStarted) and node.started.role == "root"
            if asked and node.status == "ok" and node.finished_seq is not None:
                found[self._view.frame_of(node.id)].append((node.started_seq, node.finished_seq))
        return found
