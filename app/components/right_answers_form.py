"""Where right answers are handed over: a file, or what is pasted."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components.trouble import say
from rlm_core.plain import plain_line
from rlm_core.scoring import MATCHES
from rlm_core.wording import exact, m_of_n

FILE, PASTED, SAID = "right-file", "right-pasted", "right-said"
MOST_REFUSED = 5
MAX_MB = 20


def show() -> None:
    with st.expander("Right answers", icon=":material/rule:", key="right-answers"):
        st.caption(
            "A JSON list of objects or a CSV file, with the columns question, answer and match "
            f"({', '.join(MATCHES)}). A row may name its archive, by archive or file. "
            "Scores are shown only where a right answer is known."
        )
        left, right = st.columns(2)
        left.file_uploader("File", type=["json", "csv"], key=FILE, max_upload_size=MAX_MB)
        right.text_area("Or paste it", key=PASTED, height=110)
        st.button("Use these", key="right-use", on_click=_use)
        _tell()


def _use() -> None:
    """For the archive that is looked at now: the select changes it without this form being drawn anew."""
    file, pasted = st.session_state.get(FILE), st.session_state.get(PASTED, "")
    text = file.getvalue().decode("utf-8", "replace") if file else pasted
    st.session_state[SAID] = None
    try:
        st.session_state[SAID] = backend.give_answers(text, links.matrix_state("archive"))
    except backend.Problem as problem:
        st.session_state[SAID] = backend.Kept(0, (backend.in_words(problem),))


def _tell() -> None:
    said: backend.Kept | None = st.session_state.get(SAID)
    if said is None:
        return
    st.text(f"{exact(said.kept, 'right answer')} kept.")
    for number, each in enumerate(said.refused[:MOST_REFUSED]):
        say(plain_line(each, 300), f"right-{number}")
    if len(said.refused) > MOST_REFUSED:
        st.caption(f"{m_of_n(MOST_REFUSED, len(said.refused))} reasons are shown.")
