"""Coverage as a table: a row for each document, for those who rather read and for screen readers."""

from __future__ import annotations

import streamlit as st

from app import links
from app.backend import Covered
from app.components.tables import clicked, figures_right, filling
from rlm_core import wording
from rlm_core.evidence.coverage import length, merged
from rlm_core.plain import plain_line

ROW_PX, MOST_ROWS = 30, 18
PATH_CHARS = 300


def show(covered: Covered, container: str) -> None:
    def selected() -> None:
        if numbered := clicked("coverage-documents", list(enumerate(covered.documents))):
            number, document = numbered
            gap = next((each for each in covered.gaps if each.document == number), None)
            links.select_place(document.path, gap.start if gap else 0)

    st.dataframe(
        rows(covered, container),
        hide_index=True,
        row_height=ROW_PX,
        height=filling(len(covered.documents), ROW_PX, MOST_ROWS),
        key="coverage-documents",
        on_select=selected,
        selection_mode="single-cell",
        column_config=figures_right("Characters", "Shown", "Never shown", "To the root", "To helpers", "Cited"),
        alt="What was shown of each document",
    )
    st.caption("Click a row to select the document, at the largest part of it that was never shown.")


def rows(covered: Covered, container: str) -> list[dict[str, str]]:
    found = []
    for number, document in enumerate(covered.documents):
        shown, drawn = covered.coverage.shown_chars(number), covered.layers(number)
        found.append(
            {
                "Document": plain_line(document.path.removeprefix(container), PATH_CHARS),
                "Characters": f"{document.chars:,}",
                "Shown": wording.share(shown, document.chars) if document.chars else wording.DOES_NOT_APPLY,
                "Never shown": f"{document.chars - shown:,}",
                "To the root": f"{length(merged(drawn.root + drawn.root_unsure)):,}",
                "To helpers": f"{length(merged(drawn.helper + drawn.helper_unsure)):,}",
                "Cited": f"{len(drawn.cited):,}",
            }
        )
    return found
