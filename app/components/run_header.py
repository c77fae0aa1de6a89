"""The head of a run's page: question, state, answer and six figures, in one component that writes text by `textContent`.

Not `st.metric`: its second line cuts text, and at 900 px so does its first.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from app import backend
from app.components import run_words, text
from app.look import Look
from app.places import STATIC
from rlm_core.plain import plain

_component = st.components.v2.component(
    "run_header",
    html='<div class="header"></div>',
    css=(STATIC / "run_header.css").read_text(encoding="utf-8"),
    js=(STATIC / "run_header.js").read_text(encoding="utf-8"),
)

QUESTION_CHARS = 4_000


def show(look: Look, now: float | None = None) -> None:
    """Draw the head; what is too long for it can be downloaded below."""
    sheet = look.sheet
    question, answer = backend.whole(sheet.question), backend.whole(sheet.answer)
    _component(
        key="run-header",
        height="content",
        data={
            "question": _shown(question, QUESTION_CHARS),
            "state": sheet.state,
            "state_in_words": run_words.state_in_words(sheet),
            "live": sheet.state == "running",
            "notices": run_words.notices(sheet, recorded=sheet.id == backend.RECORDED_RUN),
            "reason": plain(run_words.reason_in_words(sheet)),
            "answer": _shown(answer, text.WORDS_CHARS),
            "figures": [asdict(figure) for figure in run_words.figures(sheet, now or time.time())],
        },
    )
    if len(answer) > text.WORDS_CHARS:
        st.download_button(
            f"Download the whole answer, {len(answer):,} characters",
            answer,
            file_name=f"answer {sheet.id}.txt",
            mime="text/plain",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )


def figures(row: Sequence[run_words.Figure], key: str) -> None:
    """A row of figures by itself."""
    _component(key=key, height="content", data={"figures": [asdict(figure) for figure in row]})


def _shown(said: str, chars: int) -> str:
    missing = len(said) - chars
    return plain(said) if missing <= 0 else f"{plain(said[:chars])} … and {missing:,} more characters"
