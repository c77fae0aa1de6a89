"""The findings of a run as a table: item, label, quote, where it is said to stand, and what became of looking for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from app.components.text import common_container
from rlm_core import wording
from rlm_core.compare import label_rank
from rlm_core.looks.sheet import FindingRow
from rlm_core.looks.verdicts import doubts, in_short
from rlm_core.plain import plain, plain_line

Row = TypeVar("Row", bound=FindingRow)
ROW_HEIGHT = 34
SHOWN_ROWS = 10
PANE_PX, QUOTE_PX = 690, 180
"""The room for a table, and what of it a quote has at least."""
CHAR_PX, PADDING_PX = 5.9, 20
WIDEST_CHARS = {"Item": 24, "Label": 14, "Verdict": 18, "Doubt": 24, "Shown": 12, "Source": 40}
"""Columns that are as wide as what stands in them, up to so many characters. The quote has what they leave."""


def telling_first(findings: Sequence[Row]) -> list[Row]:
    """By what their labels tell; as recorded within each."""
    return sorted(findings, key=lambda each: label_rank(each.label))


def table(findings: Sequence[FindingRow]) -> list[dict[str, str]]:
    """One row a finding, all of it text. A container that all sources lie in is left out of each."""
    container = common_container(source(each) for each in findings)
    doubted = any(map(doubts, findings))
    return [
        {
            "Item": plain(each.item),
            "Label": plain(each.label),
            "Quote": plain_line(each.quote),
            "Source": plain(source(each).removeprefix(container)),
            "Verdict": in_short(each),
            **({"Doubt": plain_line("; ".join(doubts(each)))} if doubted else {}),
            **({"Note": plain_line(each.note)} if any(one.note for one in findings) else {}),
        }
        for each in findings
    ]


def widths(rows: Sequence[Mapping[str, str]]) -> dict[str, int]:
    """Pixels for each column: the end of a source, where its line stands, must be seen before the end of a quote is."""
    pixels = {
        name: PADDING_PX + round(CHAR_PX * min(most, max([len(name), *(len(row[name]) for row in rows)])))
        for name, most in WIDEST_CHARS.items()
        if all(name in row for row in rows)
    }
    return {**pixels, "Quote": max(QUOTE_PX, PANE_PX - sum(pixels.values()))}


def width_settings(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    return {name: st.column_config.TextColumn(width=pixels) for name, pixels in widths(rows).items()}


def labels_telling_first(labels: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Labels with their counts: yes, then others, unknown, no; in their order within each."""
    return sorted(labels, key=lambda each: label_rank(each[0]))


def labels_in_words(labels: Sequence[tuple[str, int]], most: int = 6) -> str:
    """`17 yes · 271 no · 22 unknown`; of many labels the most frequent, and how many others."""
    said = [f"{count:,} {plain_line(label, 40)}" for label, count in labels_telling_first(labels[:most])]
    if len(labels) > most:
        said.append(f"{len(labels) - most:,} more labels")
    return " · ".join(said)


def source(finding: FindingRow) -> str:
    """Where the quote was found; where it was not, where the model says it stands."""
    found = finding.verdict
    return wording.place(found.document, found.line) if found and found.document else finding.source
