"""The answers of compared runs in full, side by side, as text."""

from __future__ import annotations

import streamlit as st

from app.components import text
from app.components.compare_head import name
from app.components.text import escaped
from rlm_core.compare import LETTERS, ComparedRun, Comparison
from rlm_core.looks import run_words
from rlm_core.plain import plain

COLOURS = ("red", "blue")
TALL_LINES, TALL_CHARS, TALL_PX = 16, 1_500, 420
IN_A_ROW = 3


def show(comparison: Comparison) -> None:
    """Folded where there are items to be compared, for then the answers say the same at length."""
    with st.expander("Answers in full", expanded=not comparison.items, icon=":material/notes:", key="full-answers"):
        for first in range(0, len(comparison.runs), IN_A_ROW):
            row = comparison.runs[first : first + IN_A_ROW]
            tall = any(is_tall(run.answer or "") for run in row)
            for column, (number, run) in zip(st.columns(len(row), gap="medium"), enumerate(row, first), strict=True):
                with column:
                    _answer(number, run, tall)


def is_tall(answer: str) -> bool:
    """Whether an answer scrolls in a pane of its own; then its neighbours do too."""
    return len(answer) > TALL_CHARS or answer.count("\n") > TALL_LINES


def _answer(number: int, run: ComparedRun, tall: bool) -> None:
    colour = COLOURS[number] if number < len(COLOURS) else "gray"
    st.markdown(f":{colour}-badge[{LETTERS[number]}] **{escaped(name(run))}**")
    if run.answer is None:
        waits = run_words.NONE_YET if run.active else "no answer"
        st.text(f"{run_words.SYMBOLS[run.state]} {run.state}, {waits}\n{plain(run.reason)}".strip())
        return
    with st.container(height=TALL_PX if tall else "content", border=tall, key=f"full-answer-{number}"):
        text.words(run.answer, f"answer-{number}")
