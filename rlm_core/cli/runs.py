"""`rlm-studio runs`: what was asked before."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path

import click

from rlm_core.cli.options import home_option, json_option, settings_of
from rlm_core.cli.streams import tell
from rlm_core.cli.tables import table
from rlm_core.jobs.asking import open_store
from rlm_core.plain import plain_line
from rlm_core.store.rows import RunRow
from rlm_core.wording import money, outcome, seconds


@click.command("runs")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Print at most so many.")
@click.option("--search", metavar="TEXT", help="Only runs with this text in their question, answer or id.")
@json_option
@home_option
def command(limit: int, search: str | None, as_json: bool, home: Path | None) -> None:
    """List the runs of this data folder, newest first."""
    store = open_store(settings_of(home))
    rows = store.runs(limit, search)
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows], indent=1))
    elif rows:
        head = ("run", "started", "outcome", "calls", "cost", "time", "question")
        click.echo(table(head, [_in_words(row) for row in rows], right={3, 4, 5}))
    else:
        tell(f"There are no runs in {store.home}. Ask something: rlm-studio ask ARCHIVE QUESTION.")


def _in_words(row: RunRow) -> tuple[str, ...]:
    elapsed = "" if row.finished_at is None else seconds(row.finished_at - row.started_at)
    return (
        row.id,
        time.strftime("%Y-%m-%d %H:%M", time.localtime(row.started_at)),
        outcome(row.outcome),
        f"{row.calls:,}",
        money(0.0 if row.cost_usd is None and not row.unknown_cost_calls else row.cost_usd, row.unknown_cost_calls),
        elapsed,
        plain_line(row.question, 60),
    )
