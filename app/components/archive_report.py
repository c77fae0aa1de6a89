"""What became of an uploaded archive: figures, kinds of documents, the files that need a look, and all of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

import streamlit as st

from app.backend import Archive, IngestReport, Item
from app.components import report_table
from app.components.kinds import icon
from app.components.report_words import doubts, is_lost, kind, why
from app.components.run_header import figures
from app.components.tables import figures_right, height
from app.components.text import common_container
from rlm_core import wording
from rlm_core.looks.run_words import Figure
from rlm_core.plain import plain, plain_line
from rlm_core.wording import exact

SHOWN_PROBLEMS = 6
WITHOUT_TEXT = {"empty": "empty", "no-text-layer": "without text"}
"""Statuses of documents that hold nothing to read."""


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
    report_table.show(report)


def archive_figures(archive: Archive) -> list[Figure]:
    items = archive.report.items
    read = [item for item in items if item.status == "ok"]
    warned = sum(bool(doubts(item)) for item in read)
    notes = [f"{many:,} of them {said}" for status, said in WITHOUT_TEXT.items() if (many := _many(items, status))]
    notes += [wording.exact(warned, "warning")] if warned else []
    lost = [item for item in items if is_lost(item)]
    pages = sum(len(item.pages_without_text) for item in items)
    other = Counter(item.status for item in items if item.status in ("duplicate", "skipped"))
    return [
        Figure("Files found", f"{len(items):,}", ", ".join(f"{many:,} {status}" for status, many in other.items())),
        Figure("Documents", f"{archive.report.documents:,}", ", ".join(notes)),
        Figure("Characters", f"{archive.chars:,}"),
        Figure("Tokens", wording.count(archive.tokens, estimate=True), "estimated"),
        Figure("Not read", f"{len(lost):,}", f"{exact(pages, 'page')} without text" if pages else ""),
    ]


def _many(items: Sequence[Item], status: str) -> int:
    return sum(item.status == status for item in items)


def kinds_table(report: IngestReport) -> list[dict[str, Any]]:
    """One row for each kind of document, the largest first."""
    by_kind: dict[str, list[Item]] = defaultdict(list)
    for item in report.items:
        if item.status == "ok":
            by_kind[kind(item) or "Text"].append(item)
    total = sum(item.chars or 0 for items in by_kind.values() for item in items)
    rows = []
    for name, items in by_kind.items():
        chars = sum(item.chars or 0 for item in items)
        endings = sorted({PurePosixPath(item.path).suffix.lower() for item in items} - {""})
        rows.append(
            {
                "Kind": plain(f"{name}{_parts(items)}"),
                "Files": plain_line(", ".join(endings), 40),
                "Documents": len(items),
                "Characters": chars,
                "Share": wording.share(chars, total),
                "Bar": chars / total if total else 0.0,
            }
        )
    return sorted(rows, key=lambda row: -row["Characters"])


def _parts(items: Sequence[Item]) -> str:
    """`, 61 pages`, `, 5 sheets`: of what the documents of one kind are made."""
    pages, sheets = sum(item.pages or 0 for item in items), sum(len(item.sheets) for item in items)
    if pages:
        return f", {exact(pages, 'slide' if items[0].kind == 'pptx' else 'page')}"
    return f", {exact(sheets, 'sheet')}" if sheets else ""


def problems(report: IngestReport) -> None:
    """Each file that was lost or read with doubts, and why, right there."""
    found = [item for item in report.items if is_lost(item)] + [
        item for item in report.items if not is_lost(item) and doubts(item)
    ]
    if not found:
        return
    container = common_container(item.path for item in report.items)
    needs = "1 file needs a look" if len(found) == 1 else f"{len(found):,} files need a look"
    st.markdown(f":gray[**{needs}**]")
    with st.container(key="problem-files", gap="xsmall"):
        for number, item in enumerate(found[:SHOWN_PROBLEMS]):
            with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"problem-{number}"):
                st.markdown(icon("failed") if is_lost(item) else ":orange[:material/warning:]", width="content")
                st.text(plain_line(item.path.removeprefix(container), 60))
                st.text(plain_line(why(item), 400))
    if len(found) > SHOWN_PROBLEMS:
        st.caption(
            f"{wording.m_of_n(SHOWN_PROBLEMS, len(found))} are shown; they all stand first in the list of all files."
        )
