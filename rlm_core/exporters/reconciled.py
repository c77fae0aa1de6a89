"""The items of compared runs as one table: what each run says of each, and what was decided.

`decided_by` is `A`, `B` and so on where a person says that this run is right, `person` where a person gave the label or says
that no run is right, `agree` where several runs have one label, none has another, and
nobody decided otherwise, and unknown else. Unknown is `null`, or
an empty cell. Knows no store.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rlm_core.choices import NEITHER, Choice
from rlm_core.compare import LETTERS, Comparison, Item, Said
from rlm_core.listed import name_key
from rlm_core.spreadsheet import csv_text
from rlm_core.task import Json

OF_A_RUN = ("label", "quote", "verdict", "source", "line")


def reconciled(comparison: Comparison, choices: Mapping[str, Choice]) -> list[Json]:
    """A row an item, in the order of the comparison; `choices` are by the key of the item's name."""
    return [_row(comparison, item, choices.get(name_key(item.name))) for item in comparison.items]


def _row(comparison: Comparison, item: Item, choice: Choice | None) -> Json:
    label, decided_by = decided(comparison, item, choice)
    runs = [
        {"letter": LETTERS[number], "run": run.id, **_said(said)}
        for number, (run, said) in enumerate(zip(comparison.runs, item.said, strict=True))
    ]
    return {"item": item.name, "status": item.status, "label": label, "decided_by": decided_by, "runs": runs}


def decided(comparison: Comparison, item: Item, choice: Choice | None) -> tuple[str | None, str | None]:
    """The label of an item, and who decided it."""
    if choice is None:
        return (item.said[item.having[0]].label, "agree") if item.status == "agree" else (None, None)
    if choice.label or choice.right == NEITHER:
        return choice.label or None, "person"
    number = next((number for number, run in enumerate(comparison.runs) if run.id == choice.right), None)
    if number is None:
        return None, None
    return item.said[number].label or None, LETTERS[number]


def _said(said: Said) -> Json:
    quoted = said.quotes[0] if said.quotes else None
    found = quoted.checked if quoted else None
    return {
        "label": said.label if said.labelled else None,
        "quote": (quoted.quote or None) if quoted else None,
        "verdict": found.verdict if found else None,
        "source": (found.document if found and found.document else quoted.source or None) if quoted else None,
        "line": found.line if found else None,
    }


def to_json(rows: Sequence[Json]) -> str:
    return json.dumps(rows, indent=1)


def to_csv(rows: Sequence[Json], runs: int) -> str:
    """One line an item of so many runs, safe to open in a spreadsheet."""
    columns = ["item", "status", "label", "decided_by"]
    columns += [f"{LETTERS[number]}_{name}" for number in range(runs) for name in ("run", *OF_A_RUN)]
    return csv_text(columns, (_cells(row) for row in rows))


def _cells(row: Json) -> list[object]:
    cells = [row["item"], row["status"], row["label"], row["decided_by"]]
    return cells + [run[name] for run in row["runs"] for name in ("run", *OF_A_RUN)]
