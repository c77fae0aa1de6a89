"""The inspector of a finding: its item and label, the words that decide it, what became of looking for them, and where from."""

from __future__ import annotations

import streamlit as st

from app import links
from app.components.inspector_call import place
from app.components.inspector_parts import open_source, raw, tabs
from app.components.inspector_place import of_finding
from app.components.text import escaped
from rlm_core.looks.look import Look
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.looks.verdicts import told, verdict_of
from rlm_core.plain import plain, plain_line


def finding(facts: FindingFacts, look: Look) -> None:
    if tabs("finding", {"evidence": "Evidence", "raw": "Raw"}) == "raw":
        raw(look.sheet.id, facts.span)
        return
    verdict = told(verdict_of(facts))
    with st.container(key="node-quote"):
        st.text(f"“{plain(facts.quote)}”" if facts.quote else "No quote was given.")
    if facts.note:
        st.text(plain(facts.note))
    st.markdown(f":{verdict.tone}-badge[{verdict.mark} {escaped(verdict.words)}] {escaped(place(facts))}")
    st.caption(escaped(verdict.means))
    if not facts.stands:
        st.caption("It does not stand: the item was recorded again later with another label.")
    open_source(look.sheet.id, facts.span)
    st.markdown("**Where it is from**")
    with st.container(horizontal=True, gap="small", key="finding-from"):
        if facts.call:
            name = plain_line(look.reading.items.get(facts.call, facts.call), 40)
            _to(facts.call, f"The call about {name}", "chat_bubble")
        if facts.cell:
            _to(facts.cell.span, f"Cell {facts.cell.number}", "code")
    of_finding(facts, look)
    if not facts.call:
        st.caption("No reply holds these words: the code took them from the archive itself." if facts.quote else "")


def _to(span: str, words: str, symbol: str) -> None:
    st.button(escaped(words), icon=f":material/{symbol}:", key=f"from-{symbol}", on_click=links.select, args=(span,))
