"""What makes calls, and child frames, alike: who was asked, and the first words of what was asked.

Prompts that one line of code wrote have the same first words but for numbers, and those of two lines have not. Pure.
"""

from __future__ import annotations

from rlm_core import events as ev
from rlm_core.passages import passage
from rlm_core.view import Node

TEMPLATE_CHARS, TEMPLATE_WORDS = 200, 6


def model_of(node: Node) -> str:
    """The model that was asked, or the strategy of a child frame."""
    started = node.started
    return started.model if isinstance(started, ev.CallStarted) else getattr(started, "strategy", "")


def template_of(node: Node) -> str:
    """The first words of a prompt, whatever numbers stand in them."""
    match node.started:
        case ev.CallStarted():
            text = node.started.messages[-1].text if node.started.messages else ""
        case ev.FrameStarted():
            text = node.started.question
        case _:
            text = node.kind
    words = passage(text).head[:TEMPLATE_CHARS].split()[:TEMPLATE_WORDS]
    return " ".join("#" if any(map(str.isdigit, word)) else word for word in words)
