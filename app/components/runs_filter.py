"""The head of the list of runs: how many, and what they are narrowed to by words, a state, a tag, all in the address."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app import backend, links
from app.components import runs_import
from app.components.text import escaped
from rlm_core import wording
from rlm_core.looks.run_words import SYMBOLS

ALL = "all"
MOST_TAGS = 12
FIND, STATE, TAG = "runs-find", "runs-state", "runs-tag"
PLACEHOLDER = "Search questions, answers, titles, tags, ids"


def wanted() -> tuple[str, str, str]:
    """Words, state and tag of the address; a state that there is not asks for nothing."""
    find, state, tag = links.narrowed()
    return find.strip(), state if state in backend.STATES else "", tag


def title(found: backend.RunList) -> None:
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="runs-title"
    ):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", width="content"):
            st.header("Runs", anchor=False, width="content")
            st.caption(wording.m_of_n(found.found, found.total), width="content")
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
            st.page_link(links.MATRIX, label="Matrix", icon=":material/grid_on:", width="content")
            runs_import.button()
            if st.button("Ask", icon=":material/add:", key="runs-ask"):
                st.switch_page(links.ASK)


def show(found: backend.RunList) -> None:
    find, state, tag = wanted()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="runs-filter"):
        _put(FIND, find)
        st.text_input(
            "Search",
            key=FIND,
            type="search",
            live=True,
            placeholder=PLACEHOLDER,
            icon=":material/search:",
            label_visibility="collapsed",
            width=378,
            on_change=_narrow,
            args=("find", FIND),
        )
        _pills("States", STATE, state, states_of(found.states, state), "state")
        if found.tags:
            _pills("Tags", TAG, tag, tags_of(found.tags, tag), "tag")


def states_of(counted: Mapping[str, int], chosen: str) -> dict[str, str]:
    """Label by state: all, and those that occur."""
    shown = [state for state in backend.STATES if state in counted or state == chosen]
    labels = {state: f"{SYMBOLS[state]} {state} {counted.get(state, 0):,}" for state in shown}
    return {ALL: f"all {sum(counted.values()):,}", **labels}


def tags_of(counted: Mapping[str, int], chosen: str) -> dict[str, str]:
    """Label by tag: the dozen that most runs have, in alphabetical order, and the chosen one."""
    often = sorted(counted, key=lambda tag: -counted[tag])[:MOST_TAGS]
    shown = [tag for tag in counted if tag in often or tag == chosen]
    labels = {tag: f":material/label: {escaped(tag)} {counted[tag]:,}" for tag in shown}
    return {**labels, **({} if not chosen or chosen in labels else {chosen: f":material/label: {escaped(chosen)} 0"})}


def _pills(label: str, key: str, chosen: str, labels: Mapping[str, str], name: str) -> None:
    _put(key, chosen or (ALL if ALL in labels else None))
    st.pills(
        label,
        list(labels),
        key=key,
        format_func=labels.__getitem__,
        label_visibility="collapsed",
        on_change=_narrow,
        args=(name, key),
    )


def _put(key: str, value: str | None) -> None:
    """The address is right: a widget that says otherwise is told."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def _narrow(name: str, key: str) -> None:
    chosen = st.session_state[key]
    links.narrow(name, "" if chosen in (None, ALL) else chosen)
