"""The list of all runs, and what is done to them from there."""

from __future__ import annotations

from dataclasses import dataclass

from app.backend.archives import UNLISTED
from app.backend.folder import current_store
from app.backend.questions import strategy_label
from rlm_core.jobs import asking
from rlm_core.store.rows import RunRow

LISTED_RUNS = 500
RECORDED_RUN = asking.SAMPLE_RUN_ID


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run at a glance, begun or not."""

    id: str
    state: str
    question: str
    archive: str
    strategy: str
    models: str
    started_at: float
    row: RunRow | None = None


def run_lines() -> list[RunLine]:
    """Newest first, with what is still queued at the top."""
    names = {row.id: row.name for row in current_store().corpora()}
    begun = [
        RunLine(
            row.id,
            row.outcome or "running",
            row.question,
            names.get(row.corpus, UNLISTED),
            strategy_label(row.strategy, row.options),
            models_label(row.root_model, row.helper_model),
            row.started_at,
            row,
        )
        for row in current_store().runs(LISTED_RUNS)
    ]
    known = {line.id for line in begun}
    waiting = [
        RunLine(
            job.id,
            "queued",
            job.task.question,
            names.get(job.task.corpus, UNLISTED),
            strategy_label(job.task.strategy, job.task.options),
            models_label(job.task.root_model, job.task.helper_model),
            job.created_at,
        )
        for job in current_store().jobs("queued")
        if job.id not in known
    ]
    return [*reversed(waiting), *begun]


def models_label(root: str, helper: str) -> str:
    return root if root == helper else f"{root}, helpers {helper}"


def newest_run() -> str | None:
    found = run_lines()
    return found[0].id if found else None


def recorded_run() -> str | None:
    """The recorded run that is shipped, put into the data folder on first use; `None` if it was deleted."""
    return asking.ensure_sample_run(current_store())
