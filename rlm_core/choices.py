"""What a person decides of an item on which runs were compared: which of them is right, or none, and with what label.

Pure: shapes and their limits. It refuses to know where choices are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rlm_core.errors import StoreError

LABEL_CHARS = 60
NEITHER = ""
"""In the place of the run that is right."""


@dataclass(frozen=True, slots=True)
class Choice:
    right: str
    """The id of the run that is right, or `NEITHER`."""
    label: str = ""
    """The label that a person gives, in the place of that of the run."""


def runs_key(runs: Iterable[str]) -> str:
    """What is the same of one set of runs, in whatever order they are compared."""
    return ",".join(sorted(set(runs)))


def tidied(choice: Choice, runs: Iterable[str]) -> Choice:
    """With its label on one line. Raises `StoreError` for a label that is too long, or a run that was not compared."""
    label = " ".join(choice.label.encode("utf-8", "replace").decode("utf-8").split())
    if len(label) > LABEL_CHARS:
        raise StoreError(f"This label has {len(label):,} characters, up to {LABEL_CHARS} are allowed. Shorten it.")
    if choice.right not in (NEITHER, *runs):
        raise StoreError(f"The run {choice.right} is none of those that are compared.")
    return Choice(choice.right, label)
