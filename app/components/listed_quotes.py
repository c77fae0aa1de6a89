"""The quotes that an answer lists, of a run that recorded no findings: where each stands, and the way there."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.backend import EvidenceRow
from app.components.findings import ROW_HEIGHT, SHOWN_ROWS, table, telling_first, width_settings
from app.components.kinds import icon
from app.components.tables import clicked, filling
from app.components.text import escaped
from rlm_core import wording
from rlm_core.looks.look import Look
from rlm_core.plain import plain_line

KEY = "listed-quotes"
COLUMNS = ("Item", "Label", "Verdict", "Quote", "Source")


def show(look: Look) -> bool:
    """Draw the table; the row that is clicked has a link to its document. False if the answer lists no quote."""
    with st.spinner("Looking for the quotes of the answer"):
        rows = telling_first(backend.answer_quotes(look.sheet.id))
    if not rows:
        return False
    with st.container(
        horizontal=True, vertical_alignment="center", gap="medium"
    ):  # the table's own buttons are at the right
        st.markdown(f"{icon('answer')} **{wording.exact(len(rows), 'quote')} in the answer**", width="content")
        _link(look.sheet.id, _chosen(rows))
    cells = [{name: row[name] for name in COLUMNS} for row in table(rows)]
    st.dataframe(
        cells,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=filling(len(rows), ROW_HEIGHT, SHOWN_ROWS),
        key=KEY,
        on_select="rerun",
        selection_mode="single-cell",
        alt="Quotes in the answer of this run",
        column_config=width_settings(cells),
    )
    st.caption(
        "This run recorded no findings, so these are read from the lines of its answer, and looked for in the archive. "
        "Click a row, and the link above leads to its place."
    )
    return True


def _chosen(rows: Sequence[EvidenceRow]) -> EvidenceRow:
    """The row that was clicked last, before it is drawn; at first the first."""
    return (clicked(KEY, rows) if KEY in st.session_state else None) or rows[0]


def _link(run: str, row: EvidenceRow) -> None:
    query, item = place(run, row), escaped(plain_line(row.item, 40))
    if query:
        st.page_link(
            links.EVIDENCE, label=f"Show {item} in its document", icon=":material/open_in_new:", query_params=query
        )
    else:
        st.caption(f"The quote of {item} was found nowhere", width="content")


def place(run: str, row: EvidenceRow) -> links.Query | None:
    """The query of the page that shows where a quote was found; nothing if it was found nowhere."""
    found = row.verdict
    if found is None or not found.document:
        return None
    chars = None if found.start is None or found.end is None else (found.start, found.end)
    return links.evidence_query(run, document=found.document, line=found.line, chars=chars)
