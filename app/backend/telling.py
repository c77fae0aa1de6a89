"""A run as a story, what a person has changed in it, and the HTML page of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.backend.comparing import MOST_COMPARED, compared, to_add
from app.backend.coverage import share_of
from app.backend.folder import current_store
from app.backend.run_list import RunLine
from app.backend.runs import look, read, whole
from rlm_core.errors import StoreError
from rlm_core.exporters.page.redaction import Redaction
from rlm_core.jobs import paging
from rlm_core.looks.place import Place
from rlm_core.story import Step, draft
from rlm_core.story_edits import StepEdit


@dataclass(frozen=True, slots=True)
class Told:
    """The story of a run: as it is drafted, and what a person has changed."""

    question: str
    drafted: tuple[Step, ...]
    edits: tuple[StepEdit, ...]


def story_of(run: str, base: str | None = None) -> Told | None:
    """The story of a run, beside another one where it is given and there; `None` if the run has not begun."""
    looked = look(Place(run))
    if looked is None or not looked.tree.marks:
        return None
    comparison = compared([base, run]).comparison if base else None
    if comparison is not None and len(comparison.runs) < 2:
        comparison = None
    shown = share_of(run, looked.sheet.task.corpus)
    drafted = read(run, draft, looked.reading, whole, shown, comparison)
    return Told(whole(looked.sheet.question), drafted or (), current_store().stories.of(run))


def keep_story(run: str, steps: Sequence[StepEdit]) -> None:
    """Keep these in the place of what was kept; none leaves the story as it is drafted. Raises `Problem`."""
    current_store().stories.keep(run, steps)


def bases_of(run: str) -> list[RunLine]:
    """The other runs that were asked the same of the same archive, newest first."""
    lines = to_add([run])
    mine = current_store().run(run)
    return [line for line in lines if mine and line.question == mine.question]


def as_page(hidden: str, runs: str) -> str | None:
    """One HTML file of a run, or of several, parted by commas, with their comparison; `None` if one is not there. `hidden`: what
    is left out, `documents` or nothing. Raises `Problem` for more than are compared."""
    store, wanted = current_store(), list(dict.fromkeys(each for each in runs.split(",") if each))
    if len(wanted) > MOST_COMPARED:
        raise StoreError(f"Up to {MOST_COMPARED} runs can be shown in one file, these are {len(wanted)}.")
    if not wanted or any(store.run(run) is None for run in wanted):
        return None
    return paging.page(store, wanted, Redaction(documents=hidden == "documents"))
