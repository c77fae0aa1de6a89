"""`rlm-studio fork`: another way from a turn of an earlier run on; everything before it is replayed for nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.exits import EXIT_CODES
from rlm_core.cli.foreground import answer_here, hand_over, or_no_run, warn_of_demo
from rlm_core.cli.options import (
    allow_unsafe,
    changes_of,
    model_options,
    run_options,
    settings_of,
)
from rlm_core.cli.streams import tell
from rlm_core.jobs import asking, going_on
from rlm_core.task import Fork, Json
from rlm_core.view import fold
from rlm_core.wording import replayed


@click.command("fork", epilog=EXIT_CODES)
@click.argument("run")
@click.option(
    "--turn",
    type=click.IntRange(1),
    required=True,
    metavar="K",
    help="Go another way from this turn of the root model on.",
)
@click.option(
    "--code",
    type=click.File("rb"),
    metavar="FILE",
    help="Run the code in this file in that turn, in place of what the model wrote; - is stdin. Without it the model is "
    "asked again.",
)
@click.option(
    "--instruction", metavar="TEXT", help="Tell the model this too: before that turn, or with --code after it."
)
@model_options
@run_options
def command(
    run: str,
    turn: int,
    code: BinaryIO | None,
    instruction: str | None,
    home: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Go another way from a turn of RUN on, as a new run: with code of your own, with a word to the model, or with other
    models. What came before that turn is replayed: nobody is asked again, and nothing is paid again.

    RUN is an id, the beginning of one, or `last`. Models and limits are those of RUN unless others are given.

    \b
    rlm-studio fork last --turn 2 --instruction "Count each room once."
    rlm-studio fork 261130-101500-a1b2 --turn 3 --code cell.py --max-usd 1
    """
    at = Fork(turn, _text_of(code), instruction)
    return or_no_run(lambda: _fork(run, at, home, as_json, options), as_json)


def _text_of(file: BinaryIO | None) -> str | None:
    if file is None:
        return None
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"The code in {file.name} is no UTF-8 text ({error}). Save it as UTF-8.") from error


def _fork(word: str, at: Fork, home: Path | None, as_json: bool, options: Json) -> int:
    allow_unsafe(options)
    store = asking.open_store(settings_of(home))
    run = chosen_run(store, word)
    task, origin = going_on.to_fork(store, run, at, **changes_of(options))
    prefix = going_on.what_is_replayed(fold(store.events(run, resolve=False)), at.turn)
    tell(
        f"Goes on from {run} at turn {at.turn}: {replayed(prefix.turns, prefix.calls, prefix.usd, prefix.unknown_cost_calls)}."
    )
    warn_of_demo(task)
    if options["background"]:
        return hand_over(store.add_job(task, origin=origin), store.home, as_json)
    return answer_here(store, task, as_json, origin)
