"""`rlm-studio resume`: take a run up where it broke off; what had finished is replayed for nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.exits import EXIT_CODES
from rlm_core.cli.foreground import answer_here, hand_over, or_no_run, warn_of_demo
from rlm_core.cli.options import (
    allow_unsafe,
    changes_of,
    run_options,
    settings_of,
)
from rlm_core.cli.streams import tell
from rlm_core.jobs import asking, going_on
from rlm_core.task import Json
from rlm_core.view import fold
from rlm_core.wording import replayed


@click.command("resume", epilog=EXIT_CODES)
@click.argument("run")
@click.option(
    "--accept-divergence",
    is_flag=True,
    help="Go on also where a cell prints something else than it did before; without it the run stops there and says so.",
)
@run_options
def command(run: str, accept_divergence: bool, home: Path | None, as_json: bool, **options: Any) -> int:
    """Take RUN up where it broke off, as a new run: one that was interrupted or cancelled, or that failed. What had finished
    is replayed, and nothing of it is paid again.

    RUN is an id, the beginning of one, or `last`. Limits are those of RUN unless others are given.
    """
    return or_no_run(lambda: _resume(run, accept_divergence, home, as_json, options), as_json)


def _resume(word: str, accept: bool, home: Path | None, as_json: bool, options: Json) -> int:
    allow_unsafe(options)
    store = asking.open_store(settings_of(home))
    run = chosen_run(store, word)
    task, origin = going_on.to_resume(store, run, accept, **changes_of(options))
    kept = going_on.what_is_kept(fold(store.events(run, resolve=False)))
    tell(f"Goes on from {run}: {replayed(kept.turns, kept.calls, kept.usd, kept.unknown_cost_calls)}.")
    warn_of_demo(task)
    if options["background"]:
        return hand_over(store.add_job(task, origin=origin), store.home, as_json)
    return answer_here(store, task, as_json, origin)
