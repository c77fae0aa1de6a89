"""All files of an upload as a table and as files: those that need a look first."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import streamlit as st

from app.backend import IngestReport, Item
from app.components import report_words as words
from app.components.tables import figures_right, height
from rlm_core import wording
from rlm_core.plain import plain, plain_line
from rlm_core.wording import exact

ROW_PX, MOST_ROWS = 30, 12
CHAR_PX, WHY_PX, MOST_WHY_PX = 5.2, 30, 900
"""Of the reasons in the table: of one character, beside the text, and at most."""


def show(report: IngestReport) -> None:
    opened = st.expander(f"All {exact(len(report.items), 'file')}", key="all-files", type="compact", on_change="rerun")
    if not opened.open:
        return
    ordered = problems_first(report.items)
    rows = without_empty([row(item) for item in ordered])
    with opened:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="report-files"):
            st.caption(_counted(report))  # beside it and above the table, which comes in later and would move them
            _download("Download as CSV", "csv", "text/csv", report.to_csv)
            _download("Download as JSON", "json", "application/json", lambda: json_of(report))
        st.dataframe(
            rows,
            hide_index=True,
            row_height=ROW_PX,
            height=height(len(rows), ROW_PX, MOST_ROWS),
            column_config={
                **figures_right("Characters", "Lines"),
                "Why": st.column_config.TextColumn(width=why_px(rows)),
            },
            alt="All files",
        )


def _download(label: str, ending: str, mime: str, made: Callable[[], str]) -> None:
    st.download_button(
        label,
        made,
        file_name=f"report.{ending}",
        mime=mime,
        on_click="ignore",
        icon=":material/download:",
        key=f"report-{ending}",
    )


def problems_first(items: Sequence[Item]) -> list[Item]:
    """Files that were lost, then those that were read with doubts, then all others; each in the order of the upload."""
    return sorted(items, key=lambda item: 0 if words.is_lost(item) else 1 if words.doubts(item) else 2)


def _counted(report: IngestReport) -> str:
    need = sum(words.is_lost(item) or bool(words.doubts(item)) for item in report.items)
    if not need:
        return "Nothing was lost, and nothing was read with doubts."
    return f"{wording.m_of_n(need, len(report.items))} {'needs' if need == 1 else 'need'} a look; they come first."


def row(item: Item) -> dict[str, str]:
    return {
        "File": plain(item.path),
        "Status": words.STATUS_WORDS.get(item.status, item.status),
        "Why": plain_line(words.why(item)) if item.status != "ok" or words.doubts(item) else "",
        "Kind": plain(words.kind(item)),
        "Characters": "" if item.chars is None else f"{item.chars:,}",
        "Lines": "" if item.lines is None else f"{item.lines:,}",
        "Parts": words.parts(item),
        "Encoding": words.encoding(item),
    }


def why_px(rows: Sequence[dict[str, str]]) -> int:
    """How wide the reasons are: the longest is shown whole, unless it is very long."""
    longest = max((len(each.get("Why", "")) for each in rows), default=0)
    return min(round(CHAR_PX * longest) + WHY_PX, MOST_WHY_PX)


def without_empty(rows: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """The rows without columns in which no row says anything: the others need the room."""
    kept = {name for each in rows for name, cell in each.items() if cell}
    return [{name: cell for name, cell in each.items() if name in kept} for each in rows]


def json_of(report: IngestReport) -> str:
    """The report as `rlm-studio inspect --json` gives it."""
    return json.dumps(report.to_dict(), ensure_ascii=False, indent=1)
