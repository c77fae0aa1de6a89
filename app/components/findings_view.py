"""The findings of the run as one of its views: all of them in a table, narrowed by label; a click selects one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.backend import ReadingOrder
from app.components import file_link, listed_quotes, read_apart, shown_marks
from app.components.findings import ROW_HEIGHT, SHOWN_ROWS, labels_telling_first, table, telling_first, width_settings
from app.components.kinds import icon
from app.components.tables import clicked, filling
from app.components.text import escaped
from rlm_core import wording
from rlm_core.evidence.shown_before import Shown
from rlm_core.looks.look import Look
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.looks.verdicts import doubts_counted
from rlm_core.plain import plain_line

LABELS = 8
"""Labels that can be chosen from, the most frequent."""
ALL = "all"
COLUMNS = ("Item", "Label", "Verdict", "Doubt", "Shown", "Quote", "Source")


def show(look: Look) -> None:
    findings = telling_first(look.reading.findings)
    if not findings and not look.sheet.active and listed_quotes.show(look):
        return
    if not findings:
        st.caption(
            "No findings yet. They show here as soon as the code records them."
            if look.sheet.active
            else "This run has recorded no findings: items, each with the words that decide it. "
            "Ask for a list, with the deciding sentence for each."
        )
        return
    labels = Counter(each.label for each in findings).most_common()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        st.markdown(f"{icon('answer')} **{wording.exact(len(findings), 'finding')}**", width="content")
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
            hint = "All findings with verdict, document, page or line, and offsets"
            for form in ("csv", "json"):
                file_link.show(form.upper(), look.sheet.id, f"findings.{form}", f"export-findings-{form}", hint)
            st.page_link(
                links.EVIDENCE,
                label="Open all in their sources",
                icon=":material/open_in_new:",
                query_params=links.evidence_query(look.sheet.id),
            )
    chosen = _label(labels)
    kept = [each for each in findings if chosen == ALL or each.label == chosen]
    order = _order(look)
    shown = [order.shown.get(each.span) for each in kept] if order else []
    _table(kept, look, shown)
    counted = doubts_counted(kept)
    st.caption(
        f"{wording.m_of_n(len(kept), len(findings))}{f', {counted}' if counted else ''}. Click a row to select the finding. "
        "“exact”: the quote stands in the archive word for word."
    )
    if order and shown:
        st.caption(shown_marks.legend(shown))
        read_apart.show(order.apart, look)


def _order(look: Look) -> ReadingOrder | None:
    """When the words of the findings were shown; `None` while the run goes on, and where it cannot be found out: Coverage says
    why."""
    try:
        return None if look.sheet.active else backend.reading_order(look.sheet.id, look.sheet.task.corpus)
    except backend.Problem:
        return None


def _label(labels: Sequence[tuple[str, int]]) -> str:
    """The label that is chosen; of several labels only."""
    if len(labels) < 2:
        return ALL
    counts = dict(labels)
    options = [ALL, *[label for label, _ in labels_telling_first(labels[:LABELS])]]
    picked = st.segmented_control(
        "Label",
        options,
        default=ALL,
        required=True,
        key="findings-label",
        label_visibility="collapsed",
        format_func=lambda each: each if each == ALL else escaped(f"{plain_line(each, 40)} {counts.get(each, 0):,}"),
    )
    return str(picked)


def _table(rows: Sequence[FindingFacts], look: Look, shown: Sequence[Shown | None]) -> None:
    key = "findings-view"

    def selected() -> None:
        if each := clicked(key, rows):
            links.select(each.span)

    cells = marked(rows, look, shown)
    st.dataframe(
        cells,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=filling(len(rows), ROW_HEIGHT, SHOWN_ROWS),
        key=key,
        on_select=selected,
        selection_mode="single-cell",
        alt="Findings of this run",
        column_config=width_settings(cells),
    )


def marked(rows: Sequence[FindingFacts], look: Look, shown: Sequence[Shown | None] = ()) -> list[dict[str, str]]:
    """The table's rows, each with its number in the answer; the selected one is pointed at. `shown` is told where there is more
    to tell than one thing of all."""
    marks = [shown_marks.mark(each) for each in shown] if shown_marks.is_telling(shown) else []
    numbers = {each.finding: str(each.number) for each in look.reading.citations}
    named = []
    for at, (each, cells) in enumerate(zip(rows, table(rows), strict=True)):
        cells |= {"Shown": marks[at]} if marks else {}
        cells |= {"Item": f"▸ {cells['Item']}"} if each.span == look.place.node else {}
        named.append(
            {name: cells[name] for name in COLUMNS if name in cells} | {"Cited as": numbers.get(each.span, "")}
        )
        named[-1] |= {"Note": cells["Note"]} if "Note" in cells else {}
    return named
