"""Present: a run as a story, for a room full of people."""

from __future__ import annotations

import streamlit as st

from app import address, backend, links
from app.components import present
from app.components.trouble import told
from rlm_core.plain import plain_line


def page() -> None:
    run = links.run_in_address() or st.session_state.get("last-run") or backend.newest_run()
    if run is None:
        st.header("No run yet", anchor=False)
        st.markdown("A run can be presented as soon as a question was asked.")
        st.page_link(links.ASK, label="Ask a question", icon=":material/arrow_forward:")
        return
    address.write(run=run)
    base = links.presented_beside()
    said = backend.story_of(run, base)
    if said is None:
        st.header("There is nothing to present", anchor=False)
        st.text(f"The run {plain_line(run, 80)} has not begun, or is not in the data folder.")
        st.page_link(links.RUNS, label="See all runs", icon=":material/arrow_forward:")
        return
    with told("present"):
        if links.is_edited():
            present.edit(run, said, base)
        else:
            present.show(run, said)


page()
