"""`rlm-studio runs`: what was asked before."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from rlm_core.cli.options import home_option, json_option, settings_of
from rlm_core.cli.streams import tell
from rlm_core.cli.tables import GAP, fitted, table, width
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.recorded import RECORDED
from rlm_core.plain import plain_line
from rlm_core.store.rows import RunRow
from rlm_core.store.store import Store
from rlm_core.task import Json
from rlm_core.wording import money, outcome, seconds

HEAD = ("run", "started", "archive", "how", "model", "outcome", "calls", "cost", "time", "question")
ARCHIVE, MODEL, QUESTION = (HEAD.index(name) for name in ("archive", "model", "question"))
RIGHT = frozenset(HEAD.index(name) for name in ("calls", "cost", "time"))
TERMINAL_COLUMNS = 120
"""A terminal is sent no wider lines; a file or a pipe gets the whole names."""


@click.command("runs")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Print at most so many.")
@click.option("--search", metavar="TEXT", help="Only runs with this text in their question, answer, title, tags or id.")
@json_option
@home_option
def command(limit: int, search: str | None, as_json: bool, home: Path | None) -> None:
    """List the runs of this data folder, newest first."""
    store = open_store(settings_of(home))
    rows = store.runs(limit, search)
    archives = _archives(store, rows)
    if as_json:
        click.echo(json.dumps([_in_json(row, archives) for row in rows], indent=1))
    elif rows:
        lines = [_in_words(row, archives[row.corpus]) for row in rows]
        click.echo(_for_terminal(lines) if sys.stdout.isatty() else table(HEAD, lines, RIGHT))
    else:
        tell(f"There are no runs in {store.home}. Ask something: rlm-studio ask ARCHIVE QUESTION.")


def _archives(store: Store, rows: Sequence[RunRow]) -> dict[str, str | None]:
    """The name of each archive that was asked, by its id; `None` where it has been deleted."""
    known = {id: store.corpus(id) for id in {row.corpus for row in rows}}
    return {id: corpus.name if corpus else None for id, corpus in known.items()}


def _in_json(row: RunRow, archives: Mapping[str, str | None]) -> Json:
    """The row, its cost by the rule of `ask --json`: known only if that of every call is."""
    known_usd = row.cost_usd or 0.0
    return {
        **asdict(row),
        "archive": archives[row.corpus],
        "recorded": row.id in RECORDED,
        "cost_usd": None if row.unknown_cost_calls else known_usd,
        "known_cost_usd": known_usd,
    }


def _in_words(row: RunRow, archive: str | None) -> list[str]:
    models = row.root_model if row.root_model == row.helper_model else f"{row.root_model}, {row.helper_model}"
    elapsed = "" if row.finished_at is None else seconds(row.finished_at - row.started_at)
    return [
        row.id,
        "recorded" if row.id in RECORDED else _when(row.started_at),
        plain_line(archive or row.corpus),
        _how(row),
        plain_line(models),
        outcome(row.outcome),
        f"{row.calls:,}",
        money(row.cost_usd or 0.0, row.unknown_cost_calls),
        elapsed,
        plain_line(row.question, 60),
    ]


def _when(at: float) -> str:
    """The time of day today, else the date."""
    then = time.localtime(at)
    return time.strftime("%H:%M" if then[:3] == time.localtime()[:3] else "%Y-%m-%d", then)


def _how(row: RunRow) -> str:
    """`rlm depth 1`: the strategy and its options, the depth of an rlm even where it was not given."""
    options = {"depth": 1, **row.options} if row.strategy == "rlm" else row.options
    return plain_line(" ".join([row.strategy, *(f"{name} {value}" for name, value in options.items())]))


def _for_terminal(lines: Sequence[list[str]]) -> str:
    """The table so that it fits a terminal: archive and model are cut to leave room for the question, which ends a line."""
    others = (number for number in range(len(HEAD)) if number not in (ARCHIVE, MODEL, QUESTION))
    taken = sum(max(width(line[number]) for line in (HEAD, *lines)) + len(GAP) for number in others)
    share = max(len(HEAD[ARCHIVE]), (TERMINAL_COLUMNS - taken - 2 * len(GAP)) // 3)
    for line in lines:
        line[ARCHIVE] = fitted(line[ARCHIVE], share)
        line[MODEL] = fitted(line[MODEL], share, keep_end=True)
    return "\n".join(fitted(line, TERMINAL_COLUMNS) for line in table(HEAD, lines, RIGHT).split("\n"))
