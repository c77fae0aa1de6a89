"""What people say of compared runs as a whole: the notes on their first nodes, one line for all that say the same."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend
from rlm_core.headlines import letters
from rlm_core.plain import plain_line

NOTE_CHARS = 400


def show(runs: Sequence[str]) -> None:
    said: dict[str, list[int]] = {}
    for number, run in enumerate(runs):
        if text := plain_line(backend.run_note(run).text, NOTE_CHARS):
            said.setdefault(text, []).append(number)
    for text, numbers in said.items():
        st.text(f"{letters(numbers)}: {text}")
