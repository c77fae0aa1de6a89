"""What stands above the evidence of a run: where it belongs, and how many quotes are proven."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links
from app.backend import EvidenceRow
from app.components.text import escaped
from rlm_core.looks.sheet import Sheet
from rlm_core.looks.verdicts import counts_in_words

NONE_YET = "No findings yet. They show here as soon as the run records them."
NONE = (
    "This run has recorded no findings, so there is no quote to check. Ask for a list, with the deciding sentence for each "
    "item, and use the strategy rlm: its code records them one by one."
)


def show(run: str, findings: Sequence[EvidenceRow], chosen: EvidenceRow | None) -> None:
    back = links.back_to_run(run, chosen.span if chosen else None)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="evidence-crumbs"):
        st.page_link(links.RUNS, label="Runs")
        st.text("/")
        st.page_link(links.RUN, label=escaped(run), query_params=back)
        st.text("/ Evidence")
        st.space("stretch")
        if comparison := links.back_to_comparison():
            st.page_link(
                links.COMPARE, label="Back to the comparison", icon=":material/chevron_left:", query_params=comparison
            )
        st.page_link(links.RUN, label="Back to the run", icon=":material/chevron_left:", query_params=back)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        st.header("Evidence", anchor=False, width="content")
        said = counts_in_words(each for each in findings if each.stands)
        if findings:
            with st.container(key="evidence-counts", width="content"):
                st.markdown("&emsp;".join(f":{tone}[{words.replace(' ', chr(160))}]" for words, tone in said))


def nothing(sheet: Sheet) -> None:
    """Said where a run has no findings."""
    st.divider()
    st.text(NONE_YET if sheet.active else NONE)
    if not sheet.active:
        st.page_link(links.ASK, label="Ask a question", icon=":material/arrow_forward:")
