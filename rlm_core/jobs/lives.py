"""The life of a run, and how a life that was cut off is closed.

    queued --claimed--> running --+--> answered | forced | failed     written by the run's own process
       |                          +--> cancelled                      by its process, or by its supervisor after a kill
       |                          '--> interrupted                    by whoever finds it: its process is gone
       '--cancelled before it was claimed--> cancelled                by the door that cancelled it

A run is one process life; only the process that holds its lock writes its events. So whoever can take the lock of an
unfinished run knows that the process is gone, and closes it: every open span, innermost first, then the run. A job whose
process died is lived once more, as a new run that goes on from the one before: what had finished there is replayed, and
nothing is paid again.
"""

from __future__ import annotations

import time
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

from rlm_core import events as ev
from rlm_core.errors import StoreError
from rlm_core.settings import load_settings
from rlm_core.store.recorder import Recorder
from rlm_core.store.rows import Job
from rlm_core.task import Origin, Outcome, Task

if TYPE_CHECKING:  # the run process imports this module, and must not pay for sqlite-utils
    from rlm_core.store.store import Store

NEVER_BEGAN_S = 60.0
"""How long a job may be under way without a first event before its process counts as gone."""
MAX_LIVES = 2
"""A job that has died twice is left to a person."""
STOPPED = "RLM Studio was stopped while this run was under way. What had finished is kept; calls in flight may have been paid."
DIED = "The process of this run ended without a word. What had finished is kept; calls in flight may have been paid."


def close_life(home: Path, run: str, outcome: Outcome, reason: str, task: Task | None = None) -> bool:
    """Write the end of a run whose process is gone. False if it had ended, or if a process still holds it.

    `task` is needed for a run that never began: it gets its first event too, so that it can be shown.
    """
    try:
        recorder = Recorder.open(home, run)
    except StoreError:
        return False
    with recorder:
        if recorder.finished:
            return False
        if not recorder.begun:
            if task is None:
                return False
            recorder.emit(ev.RUN_SPAN, None, ev.RunStarted(task, job=job_of(run)))
        for span, parent, kind, _ in recorder.open_spans():
            body = _closing(kind, outcome, reason)
            if body is not None:
                recorder.emit(span, parent, body)
        recorder.emit(ev.RUN_SPAN, None, ev.RunFinished(outcome, None, reason))
    return True


def close_abandoned(store: Store, alive: Container[str] = (), now: float | None = None) -> list[str]:
    """Close every unfinished run whose process is gone, and the jobs of all that ended. Returns the runs that it closed.

    `alive` are the runs that somebody watches over and will close himself.
    """
    closed = []
    for run in store.unfinished_runs():
        if run not in alive and close_life(store.home, run, "interrupted", DIED):
            closed.append(run)
    now = time.time() if now is None else now
    for job in store.jobs("running"):
        row = store.run(job.id)
        if row is None and job.id not in alive and now - job.created_at > NEVER_BEGAN_S:
            closed += [job.id] * close_life(store.home, job.id, "interrupted", DIED, job.task)
            row = store.run(job.id)
        if row is not None and row.outcome is not None:
            store.set_job_state(job.id, "finished")
    return closed


def cancel_queued(store: Store, job_id: str) -> bool:
    """Cancel a job that no worker has claimed. False if one has."""
    job = store.job(job_id)
    if job is None or not store.claim_job(job_id):
        return False
    close_life(store.home, job_id, "cancelled", "Cancelled before it began.", job.task)
    store.set_job_state(job_id, "finished")
    return True


def job_of(run: str) -> str:
    """The job that a run is a life of: later lives are `<job>.2`, `<job>.3`, ..."""
    return run.partition(".")[0]


def next_life(store: Store, job: Job) -> str | None:
    """The run in which a job is lived once more, if its last life was cut off by the death of its process, and if that may be.

    A run that was stopped together with RLM Studio, or cancelled, is not taken up again by itself.
    """
    lives = store.runs_of(job.id)
    if not lives or len(lives) >= MAX_LIVES or not load_settings(store.home).resume_after_crash:
        return None
    last = lives[-1]
    return f"{job.id}.{len(lives) + 1}" if last.outcome == "interrupted" and last.reason != STOPPED else None


def origin_of(job: Job, run: str) -> Origin | None:
    """The run that a life of a job goes on from: the life before it, or of the first what the job says."""
    number = run.partition(".")[2]
    if not number:
        return job.origin
    return Origin(job.id if number == "2" else f"{job.id}.{int(number) - 1}")


def _closing(kind: str, outcome: Outcome, reason: str) -> ev.Body | None:
    status: ev.Status = "cancelled" if outcome == "cancelled" else "interrupted"
    match kind:
        case "call":
            kind_of_error = "cancelled" if status == "cancelled" else None
            return ev.CallFinished(status, error=reason, error_kind=kind_of_error, maybe_paid=True)
        case "cell":
            return ev.CellFinished(status, error=reason)
        case "turn":
            return ev.TurnFinished()
        case "frame":
            return ev.FrameFinished(outcome, reason)
    return None
