"""Runs: everything that was ever asked, newest first. A click opens a run; what is ticked can be compared or deleted."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components import run_actions, runs_filter, runs_import, runs_table
from app.components.trouble import told
from rlm_core import wording

POLL_S, POLL_OF_MANY_S = 2.0, 5.0
MANY = 100  # above that, the list is sent to the browser less often


def page() -> None:
    _open_what_was_clicked()
    with told("runs"):
        runs_import.show()
        first = backend.found_runs(*runs_filter.wanted())
        if not first.total:
            _nothing_yet()
            return
        with st.bottom:
            st.container(key="runs-bar")  # what a fragment writes to there needs something written before
        poll_s = POLL_S if first.found <= MANY else POLL_OF_MANY_S

        @st.fragment(run_every=poll_s if first.active or first.settling else None)
        def live() -> None:
            with told("list"):
                _list(first.active or first.settling)

        live()


def _open_what_was_clicked() -> None:
    if run := runs_table.clicked():
        links.open_run(run)


def _list(was_followed: bool) -> None:
    _open_what_was_clicked()
    found = backend.found_runs(*runs_filter.wanted())
    if was_followed != (found.active or found.settling) or not found.total or runs_import.is_asked_for():
        st.rerun()  # the whole page once more: it comes back with a timer, or without
    runs_filter.title(found)
    runs_filter.show(found)
    if found.lines:
        runs_table.show(found.lines, backend.bytes_of_runs(found.lines))
        _notes(found)
    else:
        st.text(
            "No run is like that. Words are looked for in titles, tags, ids and the first 2,000 characters of "
            "questions and answers."
        )
        st.button("Show all runs", key="runs-widen", icon=":material/undo:", on_click=links.widen)
    with st.bottom:
        run_actions.show(found, run_actions.ticked_lines(found))


def _notes(found: backend.RunList) -> None:
    said = ["Newest first. Click a question to open the run; tick a row to compare, rename, tag or delete it."]
    if len(found.lines) < found.found:
        listed = wording.m_of_n(len(found.lines), found.found)
        said.append(f"The newest {listed} are listed; the search looks in all.")
    st.caption(" ".join([*said, *runs_table.legend(found.lines)]))


def _nothing_yet() -> None:
    st.header("Runs", anchor=False)
    st.text("No question has been asked yet. Ask one, and its run shows here.")
    st.page_link(links.ASK, label="Ask a question", icon=":material/arrow_forward:")
    st.page_link(links.ASK, label="What is this?", icon=":material/help:", query_params={"about": "1"})
    runs_import.button()
    recorded = backend.recorded_run()
    if recorded:
        st.page_link(
            links.RUN,
            label="See a recorded run first",
            icon=":material/play_circle:",
            query_params=links.run_query(recorded),
        )


page()
