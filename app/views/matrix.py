"""Matrix: every question by every strategy, filled in while runs are under way."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components import matrix_cell, matrix_head, matrix_table, right_answers_form
from app.components.trouble import tell, told
from rlm_core.matrix import shown

POLL_S = 2.0


def page() -> None:
    with told("matrix"):
        first = backend.laid_out()
        if not first.rows:
            _nothing_yet()
            return

        @st.fragment(run_every=POLL_S if first.active else None)
        def live() -> None:
            with told("matrix-live"):
                every = backend.laid_out()
                if every.active != first.active or not every.rows:
                    st.rerun()  # the whole page once more: with a timer, or without
                _matrix(matrix_head.state(every))

        live()
        right_answers_form.show()


def _matrix(state: matrix_head.State) -> None:
    matrix = state.matrix
    rows = shown(matrix.rows, state.mode, state.a, state.b)
    matrix_head.show(state, rows)
    if not rows:
        st.text(matrix_head.nothing(state))
    tell(matrix_cell.JUDGED)
    chosen = matrix_table.show(matrix, rows, state.a, state.b, state.what) if rows else None
    if chosen:
        matrix_cell.show(matrix, *chosen)
    elif rows:
        st.caption("Click a cell to see its runs, to compare them, and to say what is right.")
    st.subheader("In all", anchor=False)
    matrix_table.show_totals(matrix.totals)


def _nothing_yet() -> None:
    st.header("Questions by strategies", anchor=False)
    st.text("No question has been asked yet. Tick several strategies on Ask: each becomes a column here.")
    st.page_link(links.ASK, label="Ask a question", icon=":material/arrow_forward:")


page()
