"""Runs: everything that was ever asked, newest first. A click opens a run."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components import runs_table
from app.components.trouble import told
from app.sheet import ACTIVE

POLL_S = 2.0


def page() -> None:
    with told("runs"):
        first = backend.run_lines()
        if not first:
            _nothing_yet()
            return
        active = any(line.state in ACTIVE for line in first)

        @st.fragment(run_every=POLL_S if active else None)
        def live() -> None:
            with told("list"):
                lines = backend.run_lines()
                if active and not any(line.state in ACTIVE for line in lines):
                    st.rerun()  # the whole page once more: it comes back without a timer
                opened = runs_table.show(lines)
                if opened:
                    links.open_run(opened)

        live()


def _nothing_yet() -> None:
    st.header("Runs", anchor=False)
    st.text("No question has been asked yet. Ask one, and its run shows here.")
    st.page_link(links.ASK, label="Ask a question", icon=":material/arrow_forward:")
    recorded = backend.recorded_run()
    if recorded:
        st.page_link(
            links.RUN,
            label="See a recorded run first",
            icon=":material/play_circle:",
            query_params=links.run_query(recorded),
        )


page()
