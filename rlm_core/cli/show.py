"""`rlm-studio show`: a run step by step, as text or as its events."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.options import home_option, settings_of
from rlm_core.cli.report import steps_in_words
from rlm_core.events import to_dict
from rlm_core.jobs.asking import SAMPLE_RUN_ID, open_store
from rlm_core.view import fold


@click.command("show")
@click.argument("run")
@click.option("--json", "as_json", is_flag=True, help="Print the events instead, one JSON object a line.")
@home_option
def command(run: str, as_json: bool, home: Path | None) -> None:
    """Show the steps of RUN: code, outputs, calls, costs, findings and the answer.

    RUN is an id, the beginning of one, or `last`.
    """
    store = open_store(settings_of(home))
    id = chosen_run(store, run)
    events = store.events(id)
    if as_json:
        for event in events:
            click.echo(json.dumps(to_dict(event)))
    elif events:
        view = fold(events)
        corpus = store.corpus(view.task.corpus) if view.task else None
        click.echo(steps_in_words(view, corpus.name if corpus else None, recorded=id == SAMPLE_RUN_ID))
    else:
        click.echo(f"Run {id}: queued. It runs while the app is open (rlm-studio).")
