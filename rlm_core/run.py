"""One task from its first event to its last: whatever happens, a run that began says how it ended.

It puts the parts together (models, budget, root frame, strategy) and knows what each kind of failure means for the
outcome. It knows nothing of processes, queues and storage beyond the function that takes an event.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from rlm_core import events as ev
from rlm_core.calls import Shared
from rlm_core.children import Children, facts_of
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CallError, LimitHit, RunCancelled, StoreError, StudioError, TaskError
from rlm_core.frame import Frame, Ground
from rlm_core.journal import FrameJournal, Life, instructions_of, root_journal
from rlm_core.lm.budget import Budget
from rlm_core.lm.client import LM
from rlm_core.lm.loop import ModelLoop
from rlm_core.lm.scrub import scrub
from rlm_core.spans import EmitAll
from rlm_core.strategies import run_strategy, strategy_of
from rlm_core.task import Answer, Origin, Outcome, Task

ROOT_FRAME = "f1"
MAX_QUESTION_CHARS = 100_000

Emit = Callable[[str, str | None, ev.Body], Any]


def check_task(task: Task) -> None:
    """Raise `TaskError` for a task that cannot be run as asked, before anything is stored or spent."""
    if not task.question.strip():
        raise TaskError("The question is empty. Write what you want to know of the archive.")
    if len(task.question) > MAX_QUESTION_CHARS:
        raise TaskError(
            f"The question has {len(task.question):,} characters; up to {MAX_QUESTION_CHARS:,} are taken. "
            "Long material belongs in the archive: add it as a file."
        )
    strategy_of(task).checked_options(task.options)
    if task.api_base:
        _check_api_base(task.api_base)


def _check_api_base(api_base: str) -> None:
    try:
        address = urlsplit(api_base)
        usable = (
            address.scheme in ("http", "https")
            and bool(address.hostname)
            and (address.port is None or address.port > 0)
        )
    except ValueError:
        usable = False
    if not usable:
        raise TaskError("The API base is no address of a server. Write it like http://127.0.0.1:8000/v1.")
    if address.username or address.password:
        raise TaskError(
            "The API base holds a user name or password. Leave them out and set the key in the environment."
        )


def run_task(
    task: Task,
    corpus: Corpus,
    lm: LM,
    emit: Emit,
    *,
    emit_all: EmitAll | None = None,
    job: str | None = None,
    origin: Origin | None = None,
    lives: Sequence[Life] = (),
    unsafe_sandbox: bool = False,
    on_start: Callable[[Shared], None] = lambda shared: None,
) -> Outcome:
    """Run the task and emit every event of it, `RunStarted` to `RunFinished`. Returns the outcome.

    `emit_all` takes several events at once, all or none; without it they go to `emit` one by one.
    `origin` and `lives` (`journal.lives_of`): the runs that it goes on from. `on_start` is handed what a door may act on
    while it runs: `cancel()` and `approvals.give(granted)`, from any thread. Only a `StoreError` gets out: where nothing can
    be written, nothing can be said.
    """
    parent_run = origin.run if origin else None
    started = ev.RunStarted(task, job=job, parent_run=parent_run, origin=origin, versions=_versions())
    run = emit(ev.RUN_SPAN, None, started).run
    loop = ModelLoop(task.limits.concurrency)
    budget = Budget(task.limits, lm.estimated_usd)
    emit_all = emit_all or (lambda facts: [emit(*fact) for fact in facts])
    shared = Shared(run, task, emit, emit_all, lm, loop, budget, corpus, unsafe_sandbox, instructions_of(origin, lives))
    try:
        on_start(shared)
        answer = _root_frame(shared, root_journal(ROOT_FRAME, origin, lives))
        finished = ev.RunFinished(_outcome(answer), answer, answer.reason)
    except StoreError:
        raise
    except BaseException as error:
        outcome, reason, kind = _ending(error, shared)
        finished = ev.RunFinished(outcome, None, reason, kind)
    emit(ev.RUN_SPAN, None, finished)
    try:
        loop.close(lm.close())
    except Exception as error:  # the run has said how it ended; a connection that does not close changes nothing of it
        print(f"Closing the models failed: {type(error).__name__}: {scrub(str(error))}", file=sys.stderr)
    return finished.outcome


def _outcome(answer: Answer) -> Outcome:
    return "forced" if answer.how == "forced" else "answered"


def _root_frame(shared: Shared, journal: FrameJournal) -> Answer:
    check_task(shared.task)
    strategy = strategy_of(shared.task)
    options = strategy.checked_options(shared.task.options)
    task = replace(shared.task, options=options)
    ground = Ground(ROOT_FRAME, 0, task, shared.corpus, strategy.functions(options))
    children = Children(run_strategy, lambda child: strategy.functions(child.options))
    frame = Frame(shared, ground, journal, children.ask)
    started = ev.FrameStarted(0, task.strategy, task.question, facts_of(shared.corpus), options)
    shared.emit(ROOT_FRAME, ev.RUN_SPAN, started)
    try:
        answer = run_strategy(frame, task)
    except StoreError:
        raise
    except BaseException as error:
        outcome, reason, _ = _ending(error, shared)
        shared.emit(ROOT_FRAME, ev.RUN_SPAN, ev.FrameFinished(outcome, reason))
        raise
    finally:
        frame.close()
    shared.emit(ROOT_FRAME, ev.RUN_SPAN, ev.FrameFinished(_outcome(answer), answer.reason))
    return answer


def _ending(error: BaseException, shared: Shared | None = None) -> tuple[Outcome, str, str | None]:
    """Outcome, one sentence, and kind of whatever ended a frame or a run. After a cancel whatever breaks is part of it."""
    if isinstance(error, RunCancelled) or (shared is not None and shared.cancelled.is_set()):
        return "cancelled", "Cancelled on request.", None
    if isinstance(error, CallError):
        return "failed", str(error), error.kind
    if isinstance(error, LimitHit):
        return "failed", str(error), "limit"
    if isinstance(error, StudioError):
        return "failed", str(error), type(error).__name__
    return "failed", f"An error in RLM Studio itself: {type(error).__name__}: {scrub(str(error))}", "internal"


def _versions() -> dict[str, str]:
    return {"rlm-studio": version("rlm-studio"), "python": platform.python_version()}


def refuse_task(
    task: Task, emit: Emit, error: StudioError, *, job: str | None = None, origin: Origin | None = None
) -> None:
    """The whole of a run that cannot begin: started, and failed with the reason."""
    _, reason, kind = _ending(error)
    emit(
        ev.RUN_SPAN,
        None,
        ev.RunStarted(task, job=job, parent_run=origin.run if origin else None, origin=origin, versions=_versions()),
    )
    emit(ev.RUN_SPAN, None, ev.RunFinished("failed", None, reason, kind))
