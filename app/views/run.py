"""One run: what was asked, what came out, and every step on the way; live while it is under way."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components import findings, icicle, run_header, steps, top_line
from app.components.trouble import told
from rlm_core.plain import plain_line

POLL_S = 1.0


def page() -> None:
    run = links.run_in_address() or _not_chosen()
    if run is None:
        st.title("No run yet")
        st.markdown("A run shows here as soon as a question was asked.")
        st.page_link(links.ASK, label="Ask a question", icon=":material/arrow_forward:")
        return
    st.query_params["run"] = run
    first = backend.sheet(run)
    if first is None:
        st.title("This run is not here")
        st.text(f"There is no run {plain_line(run, 80)} in the data folder. It may have been deleted.")
        st.page_link(links.RUNS, label="See all runs", icon=":material/arrow_forward:")
        return
    st.session_state["last-run"] = run
    why, shown = st.session_state.get("run-not-chosen", ("", None))
    if shown == run:
        st.caption(f"{why} “Runs” lists all of them.")

    @st.fragment(run_every=POLL_S if first.active else None)
    def live() -> None:
        with told("run"):
            sheet = backend.sheet(run) or first
            if first.active and not sheet.active:
                st.rerun()  # the whole page once more: it comes back without a timer
            top_line.show(sheet, links.started_with())
            run_header.show(sheet)
            if sheet.findings:
                findings.show(sheet.findings)
            if sheet.steps:
                icicle.show(sheet)
                steps.show(sheet)

    live()


def _not_chosen() -> str | None:
    """The run to show where the address names none, remembered with the reason, for the page must say so."""
    last = st.session_state.get("last-run")
    run = last or backend.newest_run()
    why = "This is the run that you looked at last." if last else "This is the newest run."
    st.session_state["run-not-chosen"] = (why, run)
    return run


page()
