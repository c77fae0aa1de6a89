"""`rlm-studio approve`: a person's word for a run that waits for it before it sends a large batch of calls."""

from __future__ import annotations

from pathlib import Path

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.options import home_option, settings_of
from rlm_core.jobs import asking, going_on


@click.command("approve")
@click.argument("run")
@click.option("--refuse", is_flag=True, help="Refuse instead: the calls are not sent, and the model is told so.")
@home_option
def command(run: str, refuse: bool, home: Path | None) -> None:
    """Let RUN send the batch of helper calls that it asks about. Above how many calls or dollars a run asks is set with
    --ask-above-calls and --ask-above-usd, or in the settings. RUN is an id, the beginning of one, or `last`.
    """
    store = asking.open_store(settings_of(home))
    id = chosen_run(store, run)
    going_on.approve(store, id, not refuse)
    click.echo(f"The run {id} was told {'not to send them' if refuse else 'to send them'}.")
