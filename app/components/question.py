"""Step 2 of Ask: the question. The sample archive comes with one, until somebody writes another."""

from __future__ import annotations

import streamlit as st

from app import backend
from app.components import archive_choice
from app.components.kinds import step_title

KEY = "ask-question"
FILLED_IN = "ask-question-of-sample"
"""Set while the question is the sample's own and nobody has chosen it: it leaves with the sample."""


def write() -> str:
    _prefill()
    step_title(2, "Question")
    written = st.text_area("Question", key=KEY, height=96, label_visibility="collapsed", persist_state="session")
    return written or ""


def fill_in(text: str) -> None:
    """Set the question, before it is drawn."""
    st.session_state[KEY] = text
    st.session_state[FILLED_IN] = False


def _prefill() -> None:
    sample, now = backend.sample_question(), st.session_state.get(KEY) or ""
    if archive_choice.is_sample() and not now:
        st.session_state[KEY], st.session_state[FILLED_IN] = sample, True
    elif not archive_choice.is_sample() and now == sample and st.session_state.get(FILLED_IN):
        st.session_state[KEY] = ""
