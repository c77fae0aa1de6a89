"""Step 2 of Ask: the question. The sample archive comes with one, until somebody writes another."""

from __future__ import annotations

import streamlit as st

from app import backend
from app.components import archive_choice
from app.components.kinds import step_title

KEY = "ask-question"


def write() -> str:
    _prefill()
    step_title(2, "Question")
    written = st.text_area("Question", key=KEY, height=96, label_visibility="collapsed", persist_state="session")
    return written or ""


def _prefill() -> None:
    sample, now = backend.sample_question(), st.session_state.get(KEY) or ""
    if archive_choice.is_sample() and not now:
        st.session_state[KEY] = sample
    elif not archive_choice.is_sample() and now == sample:
        st.session_state[KEY] = ""
