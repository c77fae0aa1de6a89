"""The names of nodes as the inspector says them. Pure."""

from __future__ import annotations

from app.components import inspector_words as words
from rlm_core.looks.look import Look
from rlm_core.looks.node_shapes import (
    AnswerFacts,
    CallFacts,
    CellFacts,
    Facts,
    FindingFacts,
    FrameFacts,
    RunFacts,
    TurnFacts,
)
from rlm_core.plain import plain_line


def title_of(facts: Facts, look: Look) -> str:
    match facts:
        case FindingFacts():
            return f"{plain_line(facts.item, 60)}: {plain_line(facts.label, 40)}"
        case AnswerFacts():
            return "Answer"
        case RunFacts():
            return "Run"
        case TurnFacts():
            return f"Turn {facts.number}"
        case CellFacts():
            return f"Cell {facts.number}"
    name = look.names.get(facts.span)
    if name is not None:
        return name.title
    if isinstance(facts, CallFacts):
        return f"call {facts.number}"
    return "child frame" if isinstance(facts, FrameFacts) else "search"


def in_full(facts: Facts, look: Look) -> str:
    """With where it is: `A12, call 11 of 212 in cell 3`."""
    title, where = title_of(facts, look), words.where(facts)
    return plain_line(where if where.startswith(f"{title} ") else ", ".join(filter(None, [title, where])), 120)
