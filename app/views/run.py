"""One run: what was asked, what came out, and every step on the way; live while it is under way."""

from __future__ import annotations

import time

import streamlit as st

from app import address, backend, links
from app.components import (
    approval_banner,
    call_graph,
    coverage_view,
    diagnosis_view,
    findings_view,
    folded_tree,
    fork_form,
    found_marks,
    group_view,
    icicle,
    inspector,
    run_header,
    run_reader,
    run_search,
    timeline,
    top_line,
    tree_filter,
)
from app.components.trouble import told
from rlm_core.looks.look import Look
from rlm_core.plain import plain_line

POLL_S = 1.0
# So much earlier than the rest are head and tree sent to a browser that has just opened this page: the scripts that charts,
# tables and code need are large, and while it reads them it draws nothing else. From another page most of them are there.
HEAD_START_S = 0.25
VIEWS = {
    "Graph": call_graph.show,
    "Reader": run_reader.show,
    "Icicle": icicle.show,
    "Timeline": timeline.show,
    "Group": group_view.show,
    "Findings": findings_view.show,
    "Coverage": coverage_view.show,
    "Diagnosis": diagnosis_view.show,
}


def page() -> None:
    run = links.run_in_address() or _not_chosen()
    if run is None:
        st.header("No run yet", anchor=False)
        st.markdown("A run shows here as soon as a question was asked.")
        st.page_link(links.ASK, label="Ask a question", icon=":material/arrow_forward:")
        return
    address.write(run=run)
    first = backend.look(links.place(run))
    if first is None:
        st.header("This run is not here", anchor=False)
        st.text(f"There is no run {plain_line(run, 80)} in the data folder. It may have been deleted.")
        st.page_link(links.RUNS, label="See all runs", icon=":material/arrow_forward:")
        return
    st.session_state["last-run"] = run
    why, shown = st.session_state.get("run-not-chosen", ("", None))
    if shown == run:
        st.caption(f"{why} “Runs” lists all of them.")

    follows = first.sheet.active or backend.is_looking(run)

    @st.fragment(run_every=POLL_S if follows else None)
    def live() -> None:
        with told("run"):
            look = backend.look(links.place(run))
            if look is None or (first.sheet.active and not look.sheet.active):
                st.rerun()  # the whole page once more: without a timer, or without the run that was deleted elsewhere
            top_line.show(look, links.started_with(), tuple(VIEWS))
            approval_banner.show(look)
            shown = backend.share_of(run, look.sheet.task.corpus)
            run_header.show(look, shown)
            if look.tree.marks:
                _panes(look)
            fork_form.show(look)
            if follows != (look.sheet.active or shown.looking or backend.is_looking(run)):
                st.rerun()  # likewise: with a timer while what was shown is being looked for, and without one afterwards

    live()


def _panes(look: Look) -> None:
    with st.container(key="panes"):
        left, centre, right = st.columns([1.6, 3.8, 1.9])
        with left.container(key="pane-tree"):
            run_search.show(look)
            tree_filter.show(look)
            folded_tree.show(look)
        if st.session_state.get("just-loaded"):
            st.session_state["just-loaded"] = False
            time.sleep(HEAD_START_S)
        with centre.container(key="pane-centre"):
            view = st.segmented_control(
                "View",
                list(VIEWS),
                default="Graph",
                key="view",
                required=True,
                label_visibility="collapsed",
                bind="query-params",
            )
            VIEWS[str(view)](look)
        with right.container(key="pane-inspector"):
            inspector.show(look)
            found_marks.show(look)


def _not_chosen() -> str | None:
    """The run to show where the address names none, remembered with the reason, for the page must say so."""
    last = st.session_state.get("last-run")
    run = last or backend.newest_run()
    why = "This is the run that you looked at last." if last else "This is the newest run."
    st.session_state["run-not-chosen"] = (why, run)
    return run


page()
