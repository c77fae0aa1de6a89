"""The steps of two runs side by side, as they are now, and what each is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import streamlit as st

from app.backend.folder import current_store
from app.backend.runs import read
from app.backend.sweeps import put_off
from rlm_core.likeness import template_of
from rlm_core.naming import Namer
from rlm_core.steps_aligned import Aligned, align
from rlm_core.trails import Trail, trail_of
from rlm_core.view import Node, RunView

Spans = tuple[str, ...]
"""One of a step, several of a group."""


@dataclass(frozen=True, slots=True)
class StepName:
    """`cell 3`, what the model said before it, and what came of it. Texts of models are in it as they are, one line each."""

    title: str
    says: str = ""
    came: str = ""
    """Where `says` does not tell it."""


def steps_beside(one: str, other: str) -> Aligned:
    """What these runs did, side by side. One that has not begun did nothing."""
    home = current_store().home
    return _aligned(home, one, _last_seq(one), other, _last_seq(other))


def _last_seq(run: str) -> int:
    found = read(run, lambda view: view.last_seq)
    return -1 if found is None else found


@st.cache_resource(max_entries=8, show_spinner=False)
def _aligned(home: Path, one: str, seq: int, other: str, other_seq: int) -> Aligned:
    with put_off():
        return align(_trail(home, one, seq), _trail(home, other, other_seq))


@st.cache_resource(max_entries=12, show_spinner=False)
def _trail(home: Path, run: str, last_seq: int) -> Trail:
    return read(run, trail_of) or Trail(run, ())


def step_names(run: str, steps: Sequence[Spans]) -> dict[Spans, StepName]:
    """What steps and groups of a run are called."""
    return (read(run, _named, steps) if steps else None) or {}


def _named(view: RunView, steps: Sequence[Spans]) -> dict[Spans, StepName]:
    namer = Namer(view, {})
    return {spans: _name(namer, spans) for spans in steps if spans and spans[0] in view.nodes}


def _name(namer: Namer, spans: Spans) -> StepName:
    node = namer.view.nodes[spans[0]]
    if len(spans) > 1:
        words = (word for word, _ in groupby(template_of(node).replace("#", "…").split()))
        return StepName(f"×{len(spans):,} {' '.join(words)}…")
    named = namer.of_node(node)
    if said := _said_before(namer, node):
        return StepName(named.title, said, named.says)
    return StepName(named.title, named.says)


def _said_before(namer: Namer, node: Node) -> str:
    """What the model said in the turn whose first cell this is."""
    nodes = namer.view.nodes
    turn = nodes.get(node.parent or "")
    if node.kind != "cell" or turn is None or turn.kind != "turn":
        return ""
    first = next(each for each in turn.children if nodes[each].kind == "cell")
    return namer.of_node(turn).says if first == node.id else ""
