"""What a person has changed in the story of a run: words, order, what is left out. No event knows of it.

Pure: shapes and their limits. It refuses to know how a story is drafted (`story.py`) and where edits are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlm_core.errors import StoreError

TITLE_CHARS, BODY_CHARS, STEP_CHARS = 300, 4_000, 40
MOST_STEPS = 40


@dataclass(frozen=True, slots=True)
class StepEdit:
    """One step as a person wants it. `None`: the words are those of the draft, whatever they are by then."""

    step: str
    title: str | None = None
    body: str | None = None
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class StoryEdit:
    """All steps of a run's story, in a person's order: how they travel with the file of a run."""

    run: str
    steps: tuple[StepEdit, ...]


def tidied(steps: Sequence[StepEdit]) -> tuple[StepEdit, ...]:
    """With titles on one line. Raises `StoreError` for what is too long or too much, or a step that stands twice."""
    if len(steps) > MOST_STEPS:
        raise StoreError(f"A story has up to {MOST_STEPS} steps, these are {len(steps)}.")
    if len({each.step for each in steps}) < len(steps):
        raise StoreError("A step of a story stands there twice.")
    return tuple(_tidied(each) for each in steps)


def _tidied(edit: StepEdit) -> StepEdit:
    title = None if edit.title is None else " ".join(_writable(edit.title).split())
    body = None if edit.body is None else _writable(edit.body).strip()
    for what, said, most in (
        ("step", edit.step, STEP_CHARS),
        ("title", title, TITLE_CHARS),
        ("text", body, BODY_CHARS),
    ):
        if len(said or "") > most:
            raise StoreError(f"This {what} has {len(said or ''):,} characters, up to {most:,} are allowed. Shorten it.")
    return StepEdit(_writable(edit.step), title, body, edit.left_out)


def _writable(text: str) -> str:
    """Without halves of surrogate pairs, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
