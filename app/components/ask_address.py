"""The form of Ask and its address: what an address says is put into the form once, and the form's state is kept in it.

An address that this visit of the page has left behind is not put in again: a quick second click still carries the address
from before the first.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components import archive_choice, how, models_choice, question
from app.components.trouble import say
from rlm_core.plain import plain_line

SEEN = "ask-addresses"
ON_THE_PAGE = "start"
"""Key of a widget of the form whose state Streamlit drops when somebody leaves the page."""


def fill_in() -> None:
    """Put a new address into the form, before it is drawn. `from` a run comes first, what stands beside it is stronger."""
    now = links.asked_query()
    if ON_THE_PAGE not in st.session_state:
        st.session_state[SEEN] = []
    seen = st.session_state[SEEN]
    if not now or now in seen:
        return
    seen.append(now)
    asked = links.asked()
    if asked.run:
        _like(asked.run)
    if asked.archive:
        archive_choice.fill_in(asked.archive)
    if asked.preset:
        models_choice.fill_in_preset(asked.preset)
    if asked.strategies:
        how.tick(asked.strategies)


def keep(archive: str | None, strategies: Sequence[str]) -> None:
    """Write the form's state into the address."""
    preset = st.session_state.get(models_choice.PRESET)
    query = links.ask_query(archive, preset, strategies, links.asked().run)
    if query != links.asked_query():
        st.query_params.from_dict(query)
        st.session_state[SEEN].append(query)


def _like(run: str) -> None:
    """Fill in everything as it was in a run."""
    sheet = backend.sheet(run)
    if sheet is None:
        say(f"There is no run {plain_line(run, 80)} here, so nothing of it could be filled in.", "from")
        return
    task = sheet.task
    question.fill_in(backend.whole(sheet.question))
    archive_choice.fill_in(task.corpus)
    models_choice.fill_in(task.root_model, task.helper_model, task.api_base)
    how.tick([backend.strategy_id(task.strategy, task.options)])
    how.fill_in_limits(task.limits)
    st.session_state[how.REUSE] = task.reuse_replies
