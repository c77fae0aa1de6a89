"""The findings of a run as a table: item, label, quote, where it is said to stand, and what became of looking for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from app.components.text import common_container
from app.components.verdicts import in_short
from app.sheet import FindingRow
from rlm_core import wording
from rlm_core.compare import label_rank
from rlm_core.plain import plain, plain_line

Row = TypeVar("Row", bound=FindingRow)
ROW_HEIGHT = 34
SHOWN_ROWS = 10


def telling_first(findings: Sequence[Row]) -> list[Row]:
    """By what their labels tell; as recorded within each."""
    return sorted(findings, key=lambda each: label_rank(each.label))


def table(findings: Sequence[FindingRow]) -> list[dict[str, str]]:
    """One row a finding, all of it text. A container that all sources lie in is left out of each."""
    container = common_container(source(each) for each in findings)
    return [
        {
            "Item": plain(each.item),
            "Label": plain(each.label),
            "Quote": plain_line(each.quote),
            "Source": plain(source(each).removeprefix(container)),
            "Verdict": in_short(each),
            **({"Note": plain_line(each.note)} if any(one.note for one in findings) else {}),
        }
        for each in findings
    ]


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
