"""One step of two runs: what differs in its texts, word by word, and the way to it in each run."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components import texts_beside as texts_view
from app.components.steps_aligned import says
from app.components.text import escaped, whole
from app.node_differences import texts_beside
from app.node_texts import Part, parts_of
from rlm_core.compare import LETTERS, Comparison
from rlm_core.looks.node_facts import facts_of
from rlm_core.looks.node_shapes import CellFacts
from rlm_core.plain import plain
from rlm_core.steps_aligned import Row
from rlm_core.view import RunView
from rlm_core.wording import exact

ALONE_CHARS = 6_000
"""Of each text of a step that only one run has so much is shown."""
OF_THE_TURN = ("prompt", "words", "instruction")
"""What differs of a cell and stands in the turn that it lies in."""


def show(comparison: Comparison, sides: tuple[int, int], row: Row | None) -> None:
    if row is None:
        st.caption("Click a row to see what differs in its code, its prompt and what came of it.")
        return
    runs = [comparison.runs[number].id for number in sides]
    both = list(zip(sides, runs, (row.one, row.other), strict=True))
    there = [(number, run, spans) for number, run, spans in both if spans]
    number, run, spans = there[0]
    called = backend.step_names(run, [spans]).get(spans) or backend.StepName(spans[0])
    st.markdown(f"**{escaped(called.title)}** :gray[{escaped(says(row, sides))}]")
    if row.members:
        st.caption("Unfold the group to see which of its members differ.")
        return
    with st.container(horizontal=True, gap="small", key="step-links"):
        for number, run, spans in there:
            st.page_link(
                links.RUN,
                label=f"Open in {LETTERS[number]}",
                icon=":material/open_in_new:",
                query_params=links.out_of_comparison(run, spans[0]),
            )
    of_turn = any(each in OF_THE_TURN for each in row.differs)
    texts = [backend.read(run, _parts, spans[0], of_turn) or [] for _, run, spans in there]
    if len(texts) == 2:
        heads = (LETTERS[sides[0]], LETTERS[sides[1]])
        texts_view.show(texts_beside(texts[0], texts[1], whole), heads, f"step-diff-{row.id}")
    else:
        _alone(texts[0])


def _parts(view: RunView, span: str, of_turn: bool) -> list[Part]:
    """The texts of a step; of a cell, where it is asked for, those of its turn too."""
    facts = facts_of(view, span)
    if facts is None:
        return []
    turn = facts_of(view, facts.turn) if of_turn and isinstance(facts, CellFacts) and facts.turn else None
    before = [each for each in parts_of(turn) if not each[0].startswith("Cell ")] if turn else []
    return [*before, *parts_of(facts)]


def _alone(parts: Sequence[Part]) -> None:
    for title, text in parts:
        said = whole(text)
        missing = len(said) - ALONE_CHARS
        cut = f" :gray[{escaped(exact(missing, 'more character'))} not shown]" if missing > 0 else ""
        st.markdown(f"**{escaped(title)}**{cut}")
        st.code(plain(said[:ALONE_CHARS]), None, wrap_lines=True)
