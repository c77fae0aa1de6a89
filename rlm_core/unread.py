"""Child frames that answered without having read anything of their context, as far as that is certain from what was recorded.

Pure, and silent where in doubt. Only in strategies of the kind `rlm` does a model see its context through nothing but its code:
where no cell of a frame names the context or prints anything, and none asks or searches, nothing of it was read. Code that is
kept apart may name it.
"""

from __future__ import annotations

import re

from rlm_core import events as ev
from rlm_core.outline import is_reply
from rlm_core.passages import passage
from rlm_core.view import Node, RunView

_READS = re.compile(r"\b(?:context|globals|locals|vars|eval|exec)\b")


def read_nothing(view: RunView) -> frozenset[str]:
    """The spans of these frames."""
    silent = {node.id for node in view.nodes.values() if _may_have_read(node)}
    if silent:
        for node in view.nodes.values():
            if _looks(node):
                silent.discard(view.frame_of(node.parent or ev.RUN_SPAN))
    return frozenset(silent)


def _may_have_read(node: Node) -> bool:
    """Whether it is a child frame that answered, and had more to read than its question."""
    started, done = node.started, node.finished
    if not isinstance(started, ev.FrameStarted) or not isinstance(done, ev.FrameFinished) or node.parent == ev.RUN_SPAN:
        return False
    more = (started.context.get("chars") or 0) > passage(started.question).chars
    return more and started.strategy == "rlm" and done.answer is not None


def _looks(node: Node) -> bool:
    match node.started, node.finished:
        case ev.CellStarted(code=code), ev.CellFinished(output_chars=0):
            return passage(code).sha is not None or bool(_READS.search(passage(code).head))
        case ev.CellStarted(), _:
            return True
        case ev.CallStarted(), _:
            return not is_reply(node)
    return node.kind in ("frame", "search")
