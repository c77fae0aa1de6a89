"""Evidence: the quotes of a run, each open in its document at the very place."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import address, backend, evidence_place, links
from app.backend import EvidenceRow, OpenDocument
from app.components import evidence_head, finding_list, quote_card, source_reader
from app.components.shown_lines import shown_lines
from app.components.text import common_container
from app.components.trouble import told
from app.evidence_place import EvidencePlace
from rlm_core.looks.sheet import Sheet
from rlm_core.plain import plain_line

POLL_S = 2.0


def page() -> None:
    run = links.run_in_address() or st.session_state.get("last-run") or backend.newest_run()
    if run is None:
        st.header("No run yet", anchor=False)
        st.markdown("The evidence of a run shows here as soon as a question was asked.")
        st.page_link(links.ASK, label="Ask a question", icon=":material/arrow_forward:")
        return
    address.write(run=run)
    first = backend.sheet(run)
    if first is None:
        st.header("This run is not here", anchor=False)
        st.text(f"There is no run {plain_line(run, 80)} in the data folder. It may have been deleted.")
        st.page_link(links.RUNS, label="See all runs", icon=":material/arrow_forward:")
        return
    st.session_state["last-run"] = run

    @st.fragment(run_every=POLL_S if first.active else None)
    def live() -> None:
        with told("evidence"):
            sheet = backend.sheet(run)
            if sheet is None or (first.active and not sheet.active):
                st.rerun()  # the whole page once more: without a timer, or without the run that was deleted elsewhere
            _evidence(sheet, backend.evidence(run), evidence_place.place())

    live()


def _evidence(sheet: Sheet, rows: Sequence[EvidenceRow], place: EvidencePlace) -> None:
    listed = finding_list.in_order(rows)
    chosen = finding_list.chosen(rows, listed, place)
    evidence_head.show(sheet.id, rows, chosen)
    if not rows and not place.document:
        evidence_head.nothing(sheet)
        return
    if chosen and not place.finding:
        evidence_place.move(finding=chosen.span)  # a run that goes on must not change what is being read
    quoted = [each.verdict.document or "" for each in rows if each.verdict]
    container = common_container(quoted or [place.document or ""])
    with st.container(key="evidence-panes"):
        left, middle, right = st.columns([1, 2.75, 1.25])
        # First, and in a place of its own below the card, however much that holds: its keys must not miss a press.
        card, steps = right.container(), right.container()
        if rows:
            with steps:
                quote_card.steps(sheet.id, *finding_list.beside(finding_list.narrowed(listed, place), chosen))
        with left:
            if rows:
                finding_list.show(listed, place, chosen)
            else:
                finding_list.nothing_recorded()
        opened = None
        with middle, told("document"):
            opened = _document(sheet, chosen, container, place)
        with card:
            if chosen and place.finding not in (None, chosen.span):
                st.caption("The address names a finding that this run does not have. This is the first one.")
            if chosen:
                quote_card.show(sheet, chosen, opened, container)
            else:
                quote_card.of_place(sheet, opened, container)


def _document(sheet: Sheet, chosen: EvidenceRow | None, container: str, place: EvidencePlace) -> OpenDocument:
    archive = sheet.task.corpus
    opened = backend.open_place(archive, place, chosen)
    at = f"{chosen and chosen.span} {place.document} {place.chars} {place.line} {place.unit} {place.find} {place.hit}"
    node = place.shown_to or (backend.deciding_call(sheet.id, chosen.span) if chosen else None)
    source_reader.show(opened, container, place.find, at, shown_lines(sheet.id, archive, opened, node))
    return opened


page()
