"""What a cell of the matrix holds: the runs of one question by one strategy, with a person's word on each, and what is right."""

from __future__ import annotations

import hashlib
import time

import streamlit as st

from app import backend, links
from app.components.runs_table import started
from app.components.text import escaped
from app.components.trouble import told, told_later
from rlm_core.looks.run_words import SYMBOLS
from rlm_core.matrix import Cell, LightRun, Matrix, Row, to_compare
from rlm_core.matrix_words import answer_in_words, cost_in_words, right_in_words, score_in_words
from rlm_core.plain import plain_line
from rlm_core.scoring import MATCHES
from rlm_core.wording import exact, m_of_n, seconds

QUESTION_CHARS, ANSWER_CHARS = 400, 240
MOST_RUNS = 8
JUDGEMENTS = ("right", "wrong")
JUDGED = "judged"
"""What a problem with a person's word on a run is told under; the run itself may be gone."""


def show(matrix: Matrix, row: Row, number: int) -> None:
    cell, label = row.cells[number], matrix.columns[number].label
    with st.container(key="matrix-cell", gap="xsmall"):
        st.text(plain_line(row.question, QUESTION_CHARS))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            asked = exact(len(cell.runs), "run") if cell else "not asked yet"
            st.caption(f"{escaped(plain_line(label, 80))} · {asked}", width="content")
            st.space("stretch")
            if cell is None:
                _ask(matrix, row, number)
            _compare(row, cell)
        if cell:
            for run, score in list(zip(cell.runs, cell.scores, strict=True))[:MOST_RUNS]:
                _run(run, score)
            if len(cell.runs) > MOST_RUNS:
                st.caption(f"The newest {m_of_n(MOST_RUNS, len(cell.runs))} runs are shown.")
        _right(row)


def _ask(matrix: Matrix, row: Row, number: int) -> None:
    """A link to Ask with the question, and this strategy ticked where it is one that can be."""
    run = next(cell.newest for cell in row.cells if cell)
    known = next(run for each in matrix.rows if (cell := each.cells[number]) for run in cell.runs)
    strategy = backend.strategy_id(known.strategy, known.options)
    query = links.ask_query(strategies=[strategy] if strategy else (), run=run.id)
    st.page_link(links.ASK, label="Ask it this way", icon=":material/add:", query_params=query, width="content")


def _compare(row: Row, cell: Cell | None) -> None:
    runs = to_compare(row, cell, backend.MOST_COMPARED)
    if len(runs) < 2:
        return
    every = sum(len(each.runs) for each in row.cells if each)
    which = "all" if len(runs) == every else m_of_n(len(runs), every)
    st.page_link(
        links.COMPARE,
        label=f"Compare {which} runs of this question",
        icon=":material/compare:",
        query_params=links.compare_query(runs),
        width="content",
    )


def _run(run: LightRun, score: float | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"matrix-run-{run.id}"):
        at = started(run.asked_at, time.time())
        figures = f"{SYMBOLS[run.state]} {run.state} · {at} · {cost_in_words(run)} · {seconds(run.elapsed_s)}"
        st.page_link(
            links.RUN,
            label=escaped(figures),
            query_params=links.run_query(run.id),
            width="content",
            disabled=run.state == "queued",
        )
        if score is not None:
            said = f"{score_in_words(score)}, {'by a person' if run.judged else 'by the right answer'}"
            st.caption(escaped(said), width="content")
        st.text("" if run.answer is None else answer_in_words(run, ANSWER_CHARS), width="stretch")
        if not run.active:
            _judgement(run)


def _judgement(run: LightRun) -> None:
    key = f"matrix-judged-{run.id}"
    if st.session_state.get(key) != run.judged:
        st.session_state[key] = run.judged
    st.segmented_control(
        "Your word on this run",
        JUDGEMENTS,
        key=key,
        label_visibility="collapsed",
        on_change=_judge,
        args=(run.id, key),
        width="content",
    )


def _judge(run: str, key: str) -> None:
    with told_later(JUDGED):
        backend.judge(run, st.session_state[key])


def _right(row: Row) -> None:
    """The right answer of a question, and a place to give it: a new one where the answer has been changed elsewhere."""
    key = f"matrix-right-{hashlib.sha256(repr((row.key, row.right)).encode('utf-8', 'replace')).hexdigest()[:12]}"
    said = f"{plain_line(right_in_words(row.right), 200)} ({row.right.match})" if row.right else "not known"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(f"Right answer: {said}", width="content")
        label = "Change" if row.right else "Say what is right"
        with st.popover(label, type="tertiary", icon=":material/edit:"), st.form(key, border=False):
            answer = st.text_input(
                "Right answer",
                value=right_in_words(row.right) if row.right else "",
                key=f"{key}-answer",
                help="The items of a list are parted by semicolons. Keep it empty to take the right answer away.",
            )
            match = st.selectbox(
                "Compared as",
                MATCHES,
                index=MATCHES.index(row.right.match if row.right else "number"),
                key=f"{key}-match",
            )
            if st.form_submit_button("Keep"):
                with told(key):
                    backend.set_right(row, answer, match)
                    st.rerun(scope="fragment")
