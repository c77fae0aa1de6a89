"""The long texts of a node by their names: what is read in pages, searched, and saved as a file. Pure."""

from __future__ import annotations

from typing import Literal, get_args

from rlm_core import events as ev
from rlm_core.folding import ANSWER
from rlm_core.outline import is_reply
from rlm_core.passages import NOTHING, Passage, passage
from rlm_core.view import Node, RunView

What = Literal["code", "output", "error", "reply", "question", "answer"]
WHATS: tuple[What, ...] = get_args(What)


def text_of(view: RunView, span: str, what: str) -> Passage | None:
    """A text of a node; of a turn what the call said that wrote it. `None` where the run has none such."""
    if span == ANSWER:
        return passage(view.answer.text) if view.answer is not None and what == "answer" else None
    node = view.nodes.get(span)
    if node is not None and node.kind == "turn":
        node = next((reply for each in node.children if is_reply(reply := view.nodes[each])), None)
    found = _texts(node).get(what, NOTHING) if node is not None else NOTHING
    return found if found.chars else None


def _texts(node: Node) -> dict[str, Passage]:
    texts: dict[str, Passage] = {}
    if isinstance(node.started, ev.CellStarted):
        texts["code"] = passage(node.started.code)
    if isinstance(node.started, ev.FrameStarted):
        texts["question"] = passage(node.started.question)
    match node.finished:
        case ev.CellFinished():
            texts |= {"output": passage(node.finished.output), "error": passage(node.finished.error)}
        case ev.CallFinished():
            texts |= {"reply": passage(node.finished.text), "error": passage(node.finished.error)}
        case ev.FrameFinished() if node.finished.answer is not None:
            texts["answer"] = passage(node.finished.answer.text)
    return texts
