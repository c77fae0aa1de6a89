"""Failures of a run that were made good later: a call or a child frame asked again, a cell that was written anew.

Pure. What is known is compared, and nothing is guessed: a call is asked again where its whole prompt is, a child frame where
question and context are, and a cell was repaired where a later one of its frame has most of its words. Only what went well
makes good. Of code that is kept apart its first characters are compared.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from rlm_core import events as ev
from rlm_core.likeness import STOPPED, WENT_WELL
from rlm_core.outline import is_reply
from rlm_core.passages import passage
from rlm_core.view import Node, RunView

SHARED_WORDS = 0.5
"""So much of the words of a cell that failed has the one that repairs it."""
LOOKED_AT = 5
"""So many cells after it are compared with one that failed: whoever repairs does so soon."""


@dataclass(frozen=True, slots=True)
class Mending:
    """`by`: the node that went well in its place. `says`: `asked again in turn 4`, `repaired in turn 3`."""

    by: str
    says: str


def mended(view: RunView) -> dict[str, Mending]:
    """By their spans, the failures that were made good; so is what failed in a child frame that was."""
    failures = [node for node in view.nodes.values() if _failed(node)]
    if not failures:
        return {}
    again = _Again(view, failures)
    found = {node.id: good for node in failures if (good := again.of(node))}
    for node in failures:
        if node.id not in found and (frame := _around(view, node, found)):
            found[node.id] = found[frame]
    return found


def _failed(node: Node) -> bool:
    return node.kind in ("call", "cell", "frame") and node.status not in WENT_WELL and node.status not in STOPPED


def _around(view: RunView, node: Node, found: Mapping[str, Mending]) -> str | None:
    """The frame around a node that was made good."""
    frame = view.frame_of(node.id)
    while frame != ev.RUN_SPAN and frame not in found:
        frame = view.frame_of(view.nodes[frame].parent or ev.RUN_SPAN)
    return frame if frame in found else None


class _Again:
    """What went well, by what was asked in it: as far as something that failed was asked the same."""

    def __init__(self, view: RunView, failures: list[Node]) -> None:
        self.view = view
        self.good: dict[Hashable, list[Node]] = {key: [] for node in failures if (key := self._key(node))}
        if self.good:
            for node in view.nodes.values():
                if node.status in ("ok", "answered") and node.kind in ("call", "cell", "frame"):
                    self.good.get(self._key(node), []).append(node)

    def of(self, node: Node) -> Mending | None:
        for each in self._later(node):
            if node.kind != "cell" or _rewrites(each, node):
                verb = "repaired" if node.kind == "cell" else "asked again"
                turn = self._turn(each, node)
                return Mending(each.id, verb if turn is None else f"{verb} in turn {turn:,}")
        return None

    def _later(self, node: Node) -> list[Node]:
        """What began after its end, of much the first."""
        good = self.good.get(self._key(node), [])
        first = bisect_right(good, node.finished_seq or 0, key=lambda each: each.started_seq)
        return good[first : first + LOOKED_AT]

    def _key(self, node: Node) -> Hashable:
        """What two nodes have in common of which the later one can make the earlier one good; nothing of what cannot be."""
        match node.started:
            case ev.CallStarted(messages=messages) if messages:
                frame = self.view.frame_of(node.id) if is_reply(node) else ""  # a child is asked as its siblings are
                return ("call", frame, passage(messages[-1].text))
            case ev.FrameStarted(key=key) if key:
                return ("frame", key)
            case ev.CellStarted():
                return ("cell", self.view.frame_of(node.id))
        return None

    def _turn(self, later: Node, failed: Node) -> int | None:
        """The number of the outermost turn that the later one does not share with what failed."""
        shared = {each.id for each in self._above(failed)}
        apart = [each.started for each in self._above(later) if each.id not in shared]
        return next((each.number for each in reversed(apart) if isinstance(each, ev.TurnStarted)), None)

    def _above(self, node: Node) -> Iterator[Node]:
        """What it lies in, innermost first; a log of others may say that something lies in what began later."""
        above = self.view.nodes.get(node.parent or "")
        while above is not None and above.started_seq < node.started_seq:
            yield above
            node, above = above, self.view.nodes.get(above.parent or "")


def _rewrites(later: Node, failed: Node) -> bool:
    words, others = _words(failed), _words(later)
    return bool(words) and len(words & others) >= SHARED_WORDS * len(words)


def _words(cell: Node) -> frozenset[str]:
    assert isinstance(cell.started, ev.CellStarted)
    return frozenset(re.findall(r"\w+", passage(cell.started.code).head))
