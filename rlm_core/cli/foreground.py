"""A run answered in the foreground, from its first event to its exit code: what `ask`, `fork` and `resume` have in common.

The answer goes to standard output, everything else to standard error, so that both can be used in a pipe.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import click

from rlm_core.checks.installation import worker_is_running
from rlm_core.cli.approval import Approval
from rlm_core.cli.exits import OF_OUTCOME, exit_code_of
from rlm_core.cli.narration import summary
from rlm_core.cli.progress import Progress
from rlm_core.cli.report import answer_in_words
from rlm_core.cli.streams import tell
from rlm_core.errors import ReplayDiverged, StudioError
from rlm_core.exporters.result import result_of
from rlm_core.jobs import asking
from rlm_core.store.store import Store
from rlm_core.task import DEMO_MODEL, Json, Origin, Task
from rlm_core.view import RunView
from rlm_core.wording import OUTCOMES


def answer_here(store: Store, task: Task, as_json: bool, origin: Origin | None = None) -> int:
    """Run the task, say what it does meanwhile, print its answer. Returns the exit code."""
    progress = Progress(sys.stderr)
    approval = Approval(store, progress)

    def on_change(view: RunView) -> None:
        progress(view)
        approval(view)

    try:
        view = asking.answer_now(store, task, on_change, origin=origin)
    finally:
        approval.end()
        progress.end()
    return _printed(view, as_json)


def or_no_run(command: Callable[[], int], as_json: bool) -> int:
    """The exit code of a command that makes a run. Where there was none to make, the JSON says so too."""
    try:
        return command()
    except StudioError as error:
        if as_json:
            click.echo(json.dumps(_no_run(error), indent=1))
        tell(f"Error: {error}")
        return exit_code_of(error)


def warn_of_demo(task: Task) -> None:
    if DEMO_MODEL in (task.root_model, task.helper_model):
        tell(
            "The model `demo` follows rules and is no language model: it shows how a run works. Choose one with --model."
        )


def hand_over(run: str, home: Path, as_json: bool) -> int:
    """Print the id of a run that was queued, and say who takes it up."""
    click.echo(json.dumps({"run": run, "outcome": None}) if as_json else run)
    waits = (
        "" if worker_is_running(home) else " No worker is running yet: it begins when the app is started (rlm-studio)."
    )
    tell(f"Queued.{waits} Look at it with: rlm-studio show {run}")
    return 0


def _printed(view: RunView, as_json: bool) -> int:
    outcome = view.outcome
    if outcome is None:
        raise StudioError(f"The run {view.run} has no end. rlm-studio show {view.run} says how far it came.")
    if outcome != "answered":
        tell(view.finished.reason if view.finished and view.finished.reason else f"{OUTCOMES[outcome].capitalize()}.")
    if view.finished and view.finished.error_kind == ReplayDiverged.__name__:
        tell(f"To go on all the same: rlm-studio resume {view.run} --accept-divergence")
    tell(f"{outcome} · {summary(view)}")
    if as_json:
        click.echo(json.dumps(result_of(view), indent=1))
    elif view.answer:
        click.echo(answer_in_words(view))
    return OF_OUTCOME[outcome]


def _no_run(error: StudioError) -> Json:
    """The JSON object of a question that never became a run, in the form of `result_of`."""
    return {
        "run": None,
        "outcome": "failed",
        "reason": str(error),
        "answer": None,
        "findings": [],
        "usage": None,
        "cost_usd": None,
        "elapsed_s": None,
    }
