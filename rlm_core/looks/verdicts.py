"""What became of a quote, in words: few for a list, a sentence for a reader; and counts over all findings. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rlm_core import wording
from rlm_core.looks.sheet import FindingRow
from rlm_core.task import PROVEN, Verdict

Tone = Literal["green", "blue", "orange", "red", "gray"]


@dataclass(frozen=True, slots=True)
class Told:
    words: str
    tone: Tone
    means: str
    mark: str = "?"


_TOLD: dict[Verdict, tuple[str, Tone, str]] = {
    "exact": ("exact", "green", "The quote stands in the document letter for letter."),
    "normalised": (
        "but for spacing",
        "blue",
        "The quote stands in the document, but for spacing, capitals or typography: dashes, quotation marks, ligatures, "
        "words cut at the end of a line.",
    ),
    "fuzzy": (
        "nearly",
        "orange",
        "Nearly the same words stand here; no number, name or negation differs. Compare them.",
    ),
    "conflict": (
        "conflict",
        "red",
        "The quote is close to one place in the document, but a word that decides differs: a number, a name, a not.",
    ),
    "ambiguous": (
        "in several places",
        "orange",
        "The words stand in the archive, but in several places, and the finding does not say which is meant.",
    ),
    "not found": (
        "not found",
        "red",
        "The words stand nowhere in the archive. Do not rely on this finding before you have looked yourself.",
    ),
    "not looked for": (
        "search given up",
        "orange",
        "The search would have been too much work and was given up: the words may stand in the archive, or not.",
    ),
    "no quote": ("no quote", "gray", "The model gave no quote for this finding, so there is nothing to look up."),
}
_MARKS: dict[Verdict, str] = {
    "exact": "✓",
    "normalised": "✓",
    "fuzzy": "≈",
    "conflict": "✕",
    "ambiguous": "≡",
    "not found": "✕",
    "not looked for": "?",
    "no quote": "–",
}
NOT_CHECKED = Told(
    wording.NOT_CHECKED, "gray", "Nobody has looked for this quote: the run is still under way, or ended before."
)
ALWAYS_COUNTED: tuple[Verdict, ...] = ("exact", "not found")


def told(verdict: Verdict | None) -> Told:
    return Told(*_TOLD[verdict], _MARKS[verdict]) if verdict else NOT_CHECKED


def in_short(finding: FindingRow) -> str:
    """`✓ exact`, for a cell of a table."""
    said = told(verdict_of(finding))
    return f"{said.mark} {said.words}"


def doubts(finding: FindingRow) -> list[str]:
    """What speaks against relying on a finding, in words. A quote that was not checked is none yet."""
    verdict = verdict_of(finding)
    return wording.doubts(verdict or "exact", finding.earlier)


def doubts_counted(findings: Sequence[FindingRow]) -> str:
    """`3 without a proven quote, 1 recorded with several labels`; nothing where there is nothing to doubt."""
    unproven = sum(verdict_of(each) not in (None, *PROVEN) for each in findings)
    relabelled = sum(bool(each.earlier) for each in findings)
    said = [f"{unproven:,} without a proven quote"] if unproven else []
    return ", ".join([*said, f"{relabelled:,} recorded with several labels"] if relabelled else said)


def verdict_of(finding: FindingRow) -> Verdict | None:
    return finding.verdict.verdict if finding.verdict else None


def counts_in_words(findings: Iterable[FindingRow]) -> list[tuple[str, Tone]]:
    """`310 quotes checked`, `✓ 290 exact`, ..., `0 not found`, each with its tone."""
    counts = Counter(verdict_of(each) for each in findings)
    checked = sum(counts[verdict] for verdict in _TOLD if verdict != "no quote")
    said: list[tuple[str, Tone]] = [(f"{wording.exact(checked, 'quote')} checked", "gray")]
    for verdict in _TOLD:
        many, each = counts[verdict], told(verdict)
        if verdict != "no quote" and (many or (checked and verdict in ALWAYS_COUNTED)):
            said.append((f"{each.mark} {many:,} {each.words}", each.tone) if many else (f"0 {each.words}", "gray"))
    if counts["no quote"]:
        said.append((f"{counts['no quote']:,} without a quote", "gray"))
    if counts[None]:
        said.append((f"{counts[None]:,} not checked", "gray"))
    return said
