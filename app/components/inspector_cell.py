"""The inspector of a cell: its code, what it printed, the variables it left, and the findings it recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from app import links
from app.components import text
from app.components.findings import labels_in_words, telling_first
from app.components.inspector_parts import evidence_tab, failure, long_text, open_source, raw, tabs
from app.components.inspector_place import of_node
from app.components.inspector_replay import parted
from app.components.kinds import icon
from app.components.tables import clicked, figures_right, height
from rlm_core import wording
from rlm_core.looks.highlight import failed_line
from rlm_core.looks.look import Look
from rlm_core.looks.marks import Kind
from rlm_core.looks.node_shapes import CellFacts, CellRef, FindingFacts
from rlm_core.looks.verdicts import in_short
from rlm_core.plain import plain, plain_line
from rlm_core.task import Json

ROW_HEIGHT = 32
SHOWN_ROWS = 12


def cell(facts: CellFacts, look: Look) -> None:
    if facts.parted:
        parted(facts.parted, facts.span, look)
    labels = {"code": "Code", "out": "Out", "variables": f"Variables {len(facts.variables)}"}
    match tabs("cell", {**labels, **evidence_tab(look, facts.findings), "raw": "Raw"}):
        case "code":
            code_pane(CellRef(facts.span, facts.number, facts.code, facts.error), look, facts.span)
        case "out":
            _output(facts, look)
        case "variables":
            _variables(facts)
        case "evidence":
            if facts.findings:
                findings(facts.findings, look, f"findings-{facts.span}")
                open_source(look.sheet.id, facts.findings[0].span, "Open in their sources")
            else:
                st.caption("It recorded no finding.")
            of_node(look, facts.span)
        case _:
            raw(look.sheet.id, facts.span)


def code_pane(cell: CellRef, look: Look, key: str) -> None:
    """Code with line numbers; before it, where it failed, the line and why."""
    whole, trace = text.whole(cell.code), text.whole(cell.error)
    if trace:
        _failed(whole, trace, cell.number, failure(cell.span, look))
    text.code(whole, f"cell-code-{key}")


def _failed(whole: str, trace: str, number: int, kind: Kind) -> None:
    line = failed_line(trace, number)
    lines = whole.splitlines()
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key="node-error", wrap=False):
        st.markdown(icon(kind), width="content")
        named = f"line {line}: {lines[line - 1].strip()}" if line and line <= len(lines) else "it ended in an error"
        st.text(f"{plain_line(named, 300)}\n{plain_line(_last_line(trace), 300)}", width="stretch")


def _last_line(trace: str) -> str:
    """What the traceback says at its end, without the advice."""
    said = [line for line in trace.splitlines() if line.strip() and not line.startswith("Advice: ")]
    return said[-1].strip() if said else ""


def _output(facts: CellFacts, look: Look) -> None:
    if not facts.output.chars and not facts.error.chars:
        st.caption("It is running." if facts.elapsed_s is None else "It printed nothing.")
    if facts.output.chars:
        long_text("Output", facts.output, f"output-{facts.span}", kind="output")
    unseen = facts.output_chars - look.sheet.task.limits.shown_chars
    if unseen > 0 and look.sheet.knows_limit("shown_chars"):
        st.caption(f"The model was not shown {unseen:,} of these {facts.output_chars:,} characters.")
    if facts.error.chars:
        long_text("Error", facts.error, f"error-{facts.span}", kind="error")
    if facts.replaced:
        st.caption(f"{wording.exact(facts.replaced, 'character')} that no text can hold stand as � here.")


def _variables(facts: CellFacts) -> None:
    if not facts.variables:
        st.caption("It is running." if facts.elapsed_s is None else "No variable is new or changed after this cell.")
        return
    st.caption("New or changed after this cell, and kept for the next one.")
    st.dataframe(
        variables(facts.variables),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(facts.variables), ROW_HEIGHT, SHOWN_ROWS),
        key=f"variables-{facts.span}",
        alt="Variables that the cell left behind",
        column_config=figures_right("Size"),
    )


def variables(rows: Sequence[Json]) -> list[dict[str, str]]:
    """Name, type, size, whether it is new, and its beginning; all as text."""
    return [
        {
            "Name": plain_line(str(each.get("name", "")), 200),
            "Type": plain_line(str(each.get("type", "")), 200),
            "Size": _size(each.get("size")),
            "": plain_line(str(each.get("change", "")), 200),
            "Value": plain_line(str(each.get("preview", "")), 500),
        }
        for each in rows
    ]


def _size(size: object) -> str:
    return f"{size:,}" if isinstance(size, int) else plain_line(str(size or wording.DOES_NOT_APPLY), 200)


def findings(rows: Sequence[FindingFacts], look: Look, key: str) -> None:
    """Findings as a table; a click on one selects it."""
    ordered = telling_first(rows)
    st.text(labels_in_words(Counter(each.label for each in rows).most_common()))

    def selected() -> None:
        if each := clicked(key, ordered):
            links.select(each.span)

    st.dataframe(
        finding_rows(ordered),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(ordered), ROW_HEIGHT, SHOWN_ROWS),
        key=key,
        on_select=selected,
        selection_mode="single-cell",
        alt="Findings that the cell recorded",
    )
    st.caption("Click a row to see the finding.")


def finding_rows(rows: Sequence[FindingFacts]) -> list[dict[str, str]]:
    return [
        {
            "Item": plain(each.item),
            "Label": plain(each.label),
            "Verdict": in_short(each),
            "Quote": plain_line(each.quote),
        }
        for each in rows
    ]
