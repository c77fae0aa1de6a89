"""An answer set against the findings of its run: where its number, or the items that it names, are not what was recorded.

Pure. Says only what can be told without guessing: a number that the answer begins with, items that have a finding, and counts of
labels. Refuses to say which of the two is right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from rlm_core.compare import label_rank
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.plain import plain_line
from rlm_core.wording import exact

NAMED = 8
"""Items that are named one by one."""
LABELS = 5
HEAD_CHARS = 400
_NUMBER = re.compile(
    r"[\s*_#>\"'“(]*(?:answer|total|count)?[\s*_:]*(\d{1,3}(?:,\d{3})+|\d{1,9})(?![\w%]|[.,:/-]\d)", re.I
)


def differences(answer: str, findings: Sequence[FindingFacts], named: Collection[str]) -> list[str]:
    """Sentences, none where nothing differs. `named` are the spans of findings whose items the answer names."""
    counts, number = Counter(each.label for each in findings), number_of(answer)
    of_named = {each.label for each in findings if each.span in named}
    if number == counts.total():
        return []
    if len(of_named) == 1:
        (label,) = of_named
        missing = [each.item for each in findings if each.label == label and each.span not in named]
        agrees = number == counts[label]
        return [] if agrees else _of_label(label, counts[label], number, missing)
    if number is None or not counts or number in counts.values():
        return []
    recorded = sorted(counts.items(), key=lambda each: label_rank(each[0]))
    said = [f"{count:,} {_label(label)}" for label, count in recorded[:LABELS]]
    said += [exact(len(counts) - LABELS, "more label")] if len(counts) > LABELS else []
    return [f"The answer says {number:,}; the findings are {', '.join(said)}."]


def _of_label(label: str, recorded: int, number: int | None, missing: Sequence[str]) -> list[str]:
    """Of an answer all whose items were recorded with one label."""
    items = f"{exact(recorded, 'item')} {'was' if recorded == 1 else 'were'}"
    said = [] if number is None else [f"The answer says {number:,}; {items} recorded as {_label(label)}."]
    if missing:
        listed = ", ".join(plain_line(each, 40) for each in missing[:NAMED])
        more = f" and {len(missing) - NAMED:,} more" if len(missing) > NAMED else ""
        those = f"Of the {exact(recorded, 'item')} recorded as {_label(label)}"
        said.append(f"{those}, the answer names {recorded - len(missing):,}; not named: {listed}{more}.")
    return said


def _label(label: str) -> str:
    return plain_line(label, 40) or "without a label"


def number_of(answer: str) -> int | None:
    """The whole number that an answer begins with: `12 rooms: A05, ...`, `Answer: 12`."""
    found = _NUMBER.match(answer[:HEAD_CHARS])
    return int(found[1].replace(",", "")) if found else None
