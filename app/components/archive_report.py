"""What became of an uploaded archive: figures, kinds of documents, the files that need a look, and all of them."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

import streamlit as st

from app.backend import HARMLESS, Archive, IngestReport, Item
from app.components.kinds import icon
from app.components.run_header import figures
from app.components.run_words import Figure
from app.components.tables import figures_right, height
from app.components.text import common_container
from rlm_core import wording
from rlm_core.plain import plain, plain_line

SHOWN_PROBLEMS = 6
STATUS_WORDS = {
    "ok": "read",
    "no-text-layer": "no text layer",
    "too-large": "too large",
    "unsafe-path": "unsafe path",
    "bomb": "refused: would unpack to far more than it is",
    "timeout": "took too long",
    "unsupported": "this type is not read",
}
WITHOUT_TEXT = {"empty": "empty", "no-text-layer": "without text"}
"""Statuses of documents that hold nothing to read."""
KIND_WORDS = {
    "text": "Text",
    "markdown": "Markdown",
    "csv": "Tables",
    "json": "JSON",
    "jsonl": "JSON lines",
    "log": "Logs",
    "html": "Web pages",
    "code": "Code",
}


def show(archive: Archive) -> None:
    report = archive.report
    figures(archive_figures(archive), "archive-figures")
    if len(report.items) > 1:
        kinds = kinds_table(report)
        st.dataframe(
            kinds,
            hide_index=True,
            row_height=30,
            height=height(len(kinds), 30, 8),
            alt="Documents by kind",
            column_config={
                "Documents": st.column_config.NumberColumn(format="localized"),
                "Characters": st.column_config.NumberColumn(format="localized"),
                **figures_right("Share"),
                "Bar": st.column_config.ProgressColumn("", format=" ", min_value=0, max_value=1),
            },
        )
    problems(report)
    everything(report)


def archive_figures(archive: Archive) -> list[Figure]:
    items = archive.report.items
    read = [item for item in items if item.status == "ok"]
    warned = sum(bool(_warning(item)) for item in read)
    notes = [f"{many:,} of them {said}" for status, said in WITHOUT_TEXT.items() if (many := _many(items, status))]
    notes += [wording.exact(warned, "warning")] if warned else []
    lost = [item for item in items if _is_lost(item)]
    other = Counter(item.status for item in items if item.status in ("duplicate", "skipped"))
    return [
        Figure("Files found", f"{len(items):,}", ", ".join(f"{many:,} {status}" for status, many in other.items())),
        Figure("Documents", f"{archive.report.documents:,}", ", ".join(notes)),
        Figure("Characters", f"{archive.chars:,}"),
        Figure("Tokens", wording.count(archive.tokens, estimate=True), "estimated"),
        Figure("Not read", f"{len(lost):,}"),
    ]


def _many(items: Sequence[Item], status: str) -> int:
    return sum(item.status == status for item in items)


def kinds_table(report: IngestReport) -> list[dict[str, Any]]:
    """One row for each kind of document, the largest first."""
    by_kind: dict[str, list[Item]] = defaultdict(list)
    for item in report.items:
        if item.status == "ok":
            by_kind[item.kind or "text"].append(item)
    total = sum(item.chars or 0 for items in by_kind.values() for item in items)
    rows = []
    for kind, items in by_kind.items():
        chars = sum(item.chars or 0 for item in items)
        endings = sorted({PurePosixPath(item.path).suffix.lower() for item in items} - {""})
        rows.append(
            {
                "Kind": KIND_WORDS.get(kind, plain(kind)),
                "Files": plain_line(", ".join(endings), 40),
                "Documents": len(items),
                "Characters": chars,
                "Share": wording.share(chars, total),
                "Bar": chars / total if total else 0.0,
            }
        )
    return sorted(rows, key=lambda row: -row["Characters"])


def problems(report: IngestReport) -> None:
    """Each file that was lost or read with doubts, and why, right there."""
    found = [item for item in report.items if _is_lost(item)] + [
        item for item in report.items if not _is_lost(item) and _warning(item)
    ]
    if not found:
        return
    container = common_container(item.path for item in report.items)
    needs = "1 file needs a look" if len(found) == 1 else f"{len(found):,} files need a look"
    st.markdown(f":gray[**{needs}**]")
    with st.container(key="problem-files", gap="xsmall"):
        for number, item in enumerate(found[:SHOWN_PROBLEMS]):
            with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"problem-{number}"):
                st.markdown(icon("failed") if _is_lost(item) else ":orange[:material/warning:]", width="content")
                st.text(plain_line(item.path.removeprefix(container), 60))
                st.text(plain_line(_why(item), 400))
    if len(found) > SHOWN_PROBLEMS:
        st.caption(f"and {len(found) - SHOWN_PROBLEMS:,} more in the full report below")


def everything(report: IngestReport) -> None:
    """All files as a table and as a file."""
    opened = st.expander(
        f"All {wording.exact(len(report.items), 'file')}", key="all-files", type="compact", on_change="rerun"
    )
    if not opened.open:
        return
    rows = all_rows(report)
    with opened:
        st.dataframe(rows, hide_index=True, row_height=30, height=height(len(rows), 30, 12), alt="All files")
        st.download_button(
            "Download as CSV",
            lambda: csv_of(rows),
            file_name="report.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
        )


def all_rows(report: IngestReport) -> list[dict[str, str]]:
    return [
        {
            "File": plain(item.path),
            "Status": STATUS_WORDS.get(item.status, item.status),
            "Why": plain_line(_why(item)) if item.status != "ok" or _warning(item) else "",
            "Kind": KIND_WORDS.get(item.kind or "", plain(item.kind or "")),
            "Characters": "" if item.chars is None else f"{item.chars:,}",
            "Lines": "" if item.lines is None else f"{item.lines:,}",
            "Encoding": plain(item.encoding or ""),
        }
        for item in report.items
    ]


def csv_of(rows: Sequence[dict[str, str]]) -> str:
    """The rows as CSV. A cell that a spreadsheet would run as a formula gets an apostrophe in front."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]) if rows else [])
    writer.writeheader()
    for row in rows:
        writer.writerow({name: f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell for name, cell in row.items()})
    return out.getvalue()


def _is_lost(item: Item) -> bool:
    return item.status not in HARMLESS or item.status == "no-text-layer"


def _warning(item: Item) -> str:
    if item.warning:
        return item.warning
    if item.replaced:
        return f"{wording.exact(item.replaced, 'character')} could not be decoded and show as �."
    if item.bad_lines:
        return f"{wording.exact(len(item.bad_lines), 'line')} could not be parsed."
    return ""


def _why(item: Item) -> str:
    if not _is_lost(item):
        return item.reason or _warning(item)
    return f"{item.reason or STATUS_WORDS.get(item.status, item.status)} Not read."
