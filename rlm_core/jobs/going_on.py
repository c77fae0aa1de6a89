"""Going on from a run that has ended, as another run: forked at a turn, or taken up where it broke off. And a person's word
for a run that waits for it.

Everything that cannot work is said before anything is stored. What is then replayed is up to the journal (`journal.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rlm_core import events as ev
from rlm_core.errors import CorpusError, TaskError
from rlm_core.jobs.asking import check
from rlm_core.jobs.lives import origin_of
from rlm_core.lineage import root_turn_of, root_turns, turn_at, was_answered, what_is_kept, what_is_replayed
from rlm_core.passages import passage
from rlm_core.store.store import Store
from rlm_core.task import Fork, Origin, Outcome, Task
from rlm_core.view import RunView, fold
from rlm_core.waiting import open_approval

__all__ = ["approve", "continuations", "fork", "resume", "to_fork", "to_resume", "what_is_kept", "what_is_replayed"]

BROKEN_OFF: frozenset[Outcome] = frozenset({"interrupted", "failed", "cancelled"})
"""Outcomes of runs that can be taken up again."""
WITHOUT_TURNS = frozenset({"base"})
"""Strategies that put everything into one prompt: there is no way to leave."""
LOOKED_AT = 1_000
"""The newest runs, among which those are looked for that go on from another one."""


def fork(store: Store, run: str, at: Fork, **changes: Any) -> str:
    """Queue a run that leaves `run` at a turn. Returns its id.

    `changes` are fields of its task that are to be others; of `limits` those that are to be others, by their name.
    """
    task, origin = to_fork(store, run, at, **changes)
    return store.add_job(task, origin=origin)


def resume(store: Store, run: str, accept_divergence: bool = False, **changes: Any) -> str:
    """Queue a run that takes `run` up where it broke off. Returns its id. `changes` as of `fork`."""
    task, origin = to_resume(store, run, accept_divergence, **changes)
    return store.add_job(task, origin=origin)


def to_fork(store: Store, run: str, at: Fork, **changes: Any) -> tuple[Task, Origin]:
    """What such a run is asked, and from where it goes on. Raises `TaskError` or `CorpusError` if it cannot be."""
    view, task = _ended_run(store, run)
    turns = [number for each in root_turns(view) if (number := root_turn_of(each.id)) is not None]
    if not turns or task.strategy in WITHOUT_TURNS:
        why = f"the strategy {task.strategy} asks once" if turns else "its model was never asked"
        raise TaskError(f"The run {run} cannot be forked at a turn: {why}. Ask its question again instead.")
    turn = turn_at(view, at.turn)
    if turn is None:
        known = f"1 to {turns[-1]}" if len(turns) > 1 else "1"
        raise TaskError(f"The run {run} has no turn {at.turn}; its turns are {known}.")
    if at.code is not None and not at.code.strip():
        raise TaskError("The code is empty. Write what is to run in that turn, or leave it out to ask the model again.")
    if at.code is not None and not was_answered(view, turn):
        raise TaskError(
            f"The model gave no reply in turn {at.turn} of {run}, so there is nothing that code could take the place of. "
            "Fork without code: the model is asked again."
        )
    task = _changed(task, **changes)
    check(task)
    return task, Origin(run, replace(at, instruction=(at.instruction or "").strip() or None))


def to_resume(store: Store, run: str, accept_divergence: bool = False, **changes: Any) -> tuple[Task, Origin]:
    """As `to_fork`. What another run has gone on from is not taken up a second time: that one knows all that it paid for."""
    view, task = _ended_run(store, run)
    if view.outcome not in BROKEN_OFF:
        raise TaskError(
            f"The run {run} is {view.outcome}: it did not break off, so there is nothing to take up. "
            "Fork it at a turn to have it go another way from there."
        )
    later = continuations(store, run)
    if later:
        raise TaskError(
            f"The run {run} was taken up already, in {later[-1]}. Look at that one; if it broke off too, resume it: "
            "what both have paid for is not paid again."
        )
    task = _changed(task, **changes)
    check(task)
    return task, Origin(run, accept_divergence=accept_divergence)


def _changed(task: Task, *, limits: Mapping[str, Any] | None = None, **changes: Any) -> Task:
    return replace(task, **changes, limits=replace(task.limits, **(limits or {})))


def continuations(store: Store, run: str) -> list[str]:
    """The runs, begun or queued, that take this one up where it broke off, oldest first."""
    begun = [row.id for row in store.runs(LOOKED_AT) if row.parent_run == run]
    queued = [job.id for job in store.jobs("queued") if job.origin and job.origin.run == run]
    return [each for each in (*reversed(begun), *queued) if not _left_by_fork(store, each)]


def _left_by_fork(store: Store, run: str) -> bool:
    origin = origin_in(store, run)
    return origin is not None and origin.fork is not None


def origin_in(store: Store, run: str) -> Origin | None:
    """What a run goes on from: as its job says, or of one that was made elsewhere its first event."""
    row = store.run(run)
    job = store.job(row.job if row and row.job else run)
    if job is not None:
        return origin_of(job, run)
    started = fold(store.events(run, resolve=False)).started
    return started.origin if started else None


def approve(store: Store, run: str, granted: bool) -> None:
    """Give a person's word for the batch that a run waits with. Raises `TaskError` if it does not wait for one."""
    row = store.run(run)
    if row is None or row.outcome is not None:
        state = "has not begun" if row is None and store.job(run) else "is not there" if row is None else "has ended"
        raise TaskError(f"The run {run} {state}, so it waits for nobody's word.")
    events = store.events(run, resolve=False)
    if open_approval(fold(events)) is None:
        raise TaskError(f"The run {run} is under way and waits for nobody's word.")
    asked_at = max(event.at for event in events if isinstance(event.body, ev.ApprovalAsked))
    if any(each.kind in ("approve", "refuse") and each.at >= asked_at for each in store.commands(run)):
        raise TaskError(f"The run {run} was given an answer a moment ago. It goes on by itself.")
    store.add_command(run, "approve" if granted else "refuse")


def _ended_run(store: Store, run: str) -> tuple[RunView, Task]:
    """A run that another one can go on from, and what it was asked."""
    row = store.run(run)
    if row is None:
        queued = store.job(run) is not None
        raise TaskError(
            f"The run {run} has not begun yet." if queued else f"There is no run {run}. It may have been deleted."
        )
    if row.outcome is None:
        raise TaskError(f"The run {run} is under way. Wait until it has ended, or cancel it.")
    view = fold(store.events(run, resolve=False))
    asked = view.task
    assert asked is not None
    question = passage(asked.question)
    task = replace(asked, question=store.text(question.sha) if question.sha else question.head)
    if missing := lacks_archive(store, run, task.corpus):
        raise CorpusError(missing)
    return view, task


def lacks_archive(store: Store, run: str, corpus: str) -> str:
    """Why the cells of a run cannot run again for want of its archive, and what to do; empty where they can."""
    if not corpus:
        return (
            f"The run {run} was imported, and its log does not hold the archive, which cells need to run again. "
            "So it cannot be forked or taken up. Ask its question anew of the archive."
        )
    if store.corpus(corpus) is None or not (store.home / "corpora" / corpus).is_dir():
        return (
            f"The archive of the run {run} is no longer in the data folder, and cells need it to run again. "
            "Upload the same files again: they become the same archive."
        )
    return ""
