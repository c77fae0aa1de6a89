"""What people decide of the items of compared runs, and the table that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from app.backend.folder import current_store
from rlm_core.choices import Choice
from rlm_core.compare import Comparison
from rlm_core.exporters.reconciled import reconciled, to_csv, to_json


def choices_of(runs: Sequence[str]) -> dict[str, Choice]:
    """What was decided of the items of these runs, by the key of the item's name."""
    return current_store().choices.of(runs)


def choose(runs: Sequence[str], item: str, choice: Choice | None) -> None:
    """Decide an item; `None` takes it back. Raises `Problem`."""
    current_store().choices.keep(runs, item, choice)


def reconciled_as(form: Literal["csv", "json"], comparison: Comparison) -> str:
    """The items of compared runs with what was decided of each."""
    rows = reconciled(comparison, choices_of([run.id for run in comparison.runs]))
    return to_csv(rows, len(comparison.runs)) if form == "csv" else to_json(rows)
