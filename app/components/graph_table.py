"""The graph as a table: the same marks, a row each, for those who rather read and for screen readers."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import links
from app.components.tables import STEP, figures_right, filling
from rlm_core.folding import Mark
from rlm_core.looks.boxes import reasons
from rlm_core.looks.look import Look
from rlm_core.looks.marks import made_good, spent
from rlm_core.wording import DOES_NOT_APPLY, seconds

ROW_PX, MOST_ROWS = 35, 18


def show(look: Look, *, back: Callable[[], None]) -> None:
    st.button("Back to the graph", on_click=back, icon=":material/account_tree:", type="tertiary", key="graph-back")
    marks = look.tree.marks

    def selected() -> None:
        chosen = st.session_state["graph-table"].selection.rows
        links.select(marks[chosen[0]].id if chosen and chosen[0] < len(marks) else None)

    st.dataframe(
        rows(look),
        hide_index=True,
        key="graph-table",
        on_select=selected,
        selection_mode="single-row",
        height=filling(len(marks), ROW_PX, MOST_ROWS),
        column_config={**figures_right("Cost", "Time", "Calls"), "What": st.column_config.TextColumn(width="medium")},
        alt=f"{look.tree.drawn:,} of {look.tree.nodes:,} nodes of the run",
    )


def rows(look: Look) -> list[dict[str, str]]:
    """Own words and figures of each mark, the figures with all that is in it."""
    levels: dict[str, int] = {}
    found = []
    for mark in look.tree.marks:
        levels[mark.id] = levels[mark.parent] + 1 if mark.parent in levels else 0
        found.append(_row(mark, look, levels[mark.id]))
    return found


def _row(mark: Mark, look: Look, level: int) -> dict[str, str]:
    name = look.names[mark.id]
    spends = mark.subtree.calls > 0
    running = "running" if look.sheet.active else "not finished"
    state = running if mark.status == "running" else mark.status
    return {
        "What": f"{STEP * level}{name.title}",
        "What it did": name.says,
        "State": ", ".join(each for each in (state, made_good(mark, look.reading.mended), reasons(mark)) if each),
        "Cost": spent(mark.subtree, whole_run=mark.kind == "run") if spends else DOES_NOT_APPLY,
        "Time": DOES_NOT_APPLY
        if mark.kind == "answer"
        else seconds(mark.elapsed_s)
        if mark.elapsed_s is not None
        else running,
        "Calls": f"{mark.subtree.calls:,}" if spends else DOES_NOT_APPLY,
    }
