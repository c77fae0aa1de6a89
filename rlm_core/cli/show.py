"""`rlm-studio show`: a run step by step, as text or as its events."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.coverage import coverage_in_words
from rlm_core.cli.options import home_option, settings_of
from rlm_core.cli.report import steps_in_words
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CorpusError
from rlm_core.evidence.sources import unit_at
from rlm_core.exporters.findings import UnitOf, findings_of, no_unit, to_csv, to_json
from rlm_core.exporters.jsonl import objects
from rlm_core.folding import ANSWER
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.reading import shown_of
from rlm_core.jobs.recorded import RECORDED
from rlm_core.plain import plain, plain_line
from rlm_core.search import find, matcher
from rlm_core.store.store import Store
from rlm_core.view import RunView, fold
from rlm_core.wording import exact


@click.command("show")
@click.argument("run")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the events instead, and notes on nodes, one JSON object a line."
)
@click.option(
    "--findings",
    type=click.Choice(["csv", "json"]),
    help="Print only the findings, as a table or as a list of objects.",
)
@click.option(
    "--find", "words", metavar="WORDS", help="Print only the nodes that have these words in one of their texts."
)
@home_option
def command(run: str, as_json: bool, findings: str | None, words: str | None, home: Path | None) -> None:
    """Show the steps of RUN: code, outputs, calls, costs, findings and the answer.

    RUN is an id, the beginning of one, or `last`.
    """
    if sum(map(bool, (as_json, findings, words is not None))) > 1:
        raise click.UsageError("--json, --findings and --find exclude each other: give one of them.")
    store = open_store(settings_of(home))
    id = chosen_run(store, run)
    if words is not None:
        _print_found(store, id, words)
        return
    events = store.events(id)
    if as_json:
        for each in objects(id, events, store.notes(id), store.stories.of(id)):
            click.echo(json.dumps(each))
    elif findings:
        view = fold(events)
        rows = findings_of(view, units_of(store, view), shown_of(store, id, view))
        click.echo(plain(to_csv(rows)) if findings == "csv" else to_json(rows), nl=findings == "json")
    elif events:
        view = fold(events)
        corpus = store.corpus(view.task.corpus) if view.task else None
        click.echo(steps_in_words(view, corpus.name if corpus else None, recorded=id in RECORDED))
        click.echo(coverage_in_words(store, id, view))
    else:
        click.echo(f"Run {id}: queued. It runs while the app is open (rlm-studio).")


def _print_found(store: Store, run: str, words: str) -> None:
    view = fold(store.events(run, resolve=False))
    hits = find(view, words, partial(store.holding, has=matcher(words))).hits
    for hit in hits:
        kind = "answer" if hit.span == ANSWER else view.nodes[hit.span].kind
        click.echo(plain_line(f"{hit.span}  {kind}: in {', '.join(hit.parts)}"))
    click.echo(f"{exact(len(hits), 'node')} of run {run} {'has' if len(hits) == 1 else 'have'} these words.")


def units_of(store: Store, view: RunView) -> UnitOf:
    """What page a place is on, as long as the archive is here."""
    if view.task is None or store.corpus(view.task.corpus) is None:
        return no_unit
    try:
        return partial(unit_at, Corpus.open(store.home / "corpora" / view.task.corpus))
    except CorpusError:
        return no_unit
