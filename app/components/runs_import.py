"""The place on Runs where logs of other tools are taken in, open where the address says so."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components import imported, upload
from app.components.trouble import say

IMPORTED = "runs-imported"
"""In the session: what came of the last logs."""
ASKED = "runs-import-asked"
"""In the session: somebody has just asked for the place."""


def show() -> None:
    """Draw the place, if it is open."""
    if st.session_state.pop(ASKED, False):
        links.open_import()
    if not links.imports():
        return
    with st.container(key="runs-import-place", gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown("**Import runs of other tools**", width="content")
            st.button("Close", icon=":material/close:", type="tertiary", key="runs-import-close", on_click=_close)
        read = upload.finished(upload.LOGS)
        if read:
            st.session_state[IMPORTED] = read.imported
            st.rerun()
        if failed := st.session_state.get(upload.LOGS.failed):
            say(backend.in_words(failed), "runs-import")
        if found := st.session_state.get(IMPORTED):
            imported.show(found, "runs")
        else:
            st.caption(
                "A log is taken over as it is: nothing is asked again and nothing is paid. What it does not record is "
                "shown as unknown."
            )


def _close() -> None:
    links.close_import()
    for said in (IMPORTED, upload.LOGS.failed):
        st.session_state.pop(said, None)


def button() -> None:
    """The way to the place."""
    st.button(
        "Import", icon=":material/upload:", key="runs-import-open", help="Take over runs of other tools.", on_click=_ask
    )


def _ask() -> None:
    """Remembered until the page is begun anew: a poll that comes in between would bring the address of before."""
    st.session_state[ASKED] = True


def is_asked_for() -> bool:
    return bool(st.session_state.get(ASKED))
