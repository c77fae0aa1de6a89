"""`rlm-studio cancel`: stop a run that is queued or under way."""

from __future__ import annotations

from pathlib import Path

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.exits import FAILED
from rlm_core.cli.options import home_option, settings_of
from rlm_core.cli.streams import tell
from rlm_core.jobs import asking


@click.command("cancel")
@click.argument("run")
@home_option
def command(run: str, home: Path | None) -> int:
    """Stop RUN. What it has done stays, and can be shown. RUN is an id, the beginning of one, or `last`."""
    store = asking.open_store(settings_of(home))
    id = chosen_run(store, run)
    if asking.cancel(store, id):
        click.echo(f"The run {id} was told to stop.")
        return 0
    tell(f"The run {id} has ended already.")
    return FAILED
