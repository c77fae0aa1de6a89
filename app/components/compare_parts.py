"""The views of compared runs, and the switch between them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import links
from app.components import full_answers, item_pairs, repeats_view, seen_view, steps_view
from rlm_core.compare import Comparison

KEY = "compare-part"


def show(comparison: Comparison) -> None:
    """Draw the view that the address names."""
    named = links.compared_part()
    st.session_state[KEY] = named if named in PARTS else ANSWERS
    part = st.segmented_control(
        "View",
        list(PARTS),
        required=True,
        format_func=lambda each: PARTS[each][0],
        key=KEY,
        on_change=_turn,
        label_visibility="collapsed",
    )
    PARTS[str(part)][1](comparison)


def _turn() -> None:
    chosen = st.session_state[KEY]
    links.compare(part=None if chosen == ANSWERS else chosen)


def _answers(comparison: Comparison) -> None:
    full_answers.show(comparison)
    if comparison.items:
        item_pairs.show(comparison)


ANSWERS = "answers"
PARTS: dict[str, tuple[str, Callable[[Comparison], None]]] = {
    ANSWERS: ("Answers", _answers),
    "seen": ("What each saw", seen_view.show),
    "steps": ("Steps", steps_view.show),
    "repeats": ("Repeats", repeats_view.show),
}
"""What each view is called, and what draws it; by the word that the address has for it."""
