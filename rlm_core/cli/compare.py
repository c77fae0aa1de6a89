"""`rlm-studio compare`: two or more runs side by side, item by item."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.export import write
from rlm_core.cli.options import form_options, home_option, settings_of
from rlm_core.cli.tables import table
from rlm_core.compare import LETTERS, Comparison, Item
from rlm_core.exporters import comparison as exported
from rlm_core.headlines import headline
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.comparing import compared
from rlm_core.plain import plain_line
from rlm_core.wording import exact, m_of_n

SHOWN_ITEMS = 40
ANSWER_CHARS, QUOTE_CHARS = 200, 160
RIGHT = frozenset(range(7, 11))
"""Columns of figures."""


def _json(comparison: Comparison, now: float) -> str:
    return json.dumps(exported.comparison_of(comparison, now), indent=1) + "\n"


FORMS: dict[str, tuple[Callable[[Comparison, float], str], str]] = {
    "json": (_json, "Print one JSON document, for programs."),
    "csv": (lambda comparison, _: exported.to_csv(comparison), "Print the items as a table for a spreadsheet."),
    "markdown": (exported.to_markdown, "Print a report."),
}


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN ...")
@form_options(FORMS)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file.")
@home_option
def command(runs: tuple[str, ...], form: str | None, output: Path | None, home: Path | None) -> None:
    """Say what two or more runs came to, where they part item by item, and by which quotes.

    A RUN is an id, the beginning of one, or `last`. The first is A, the second B.
    """
    store = open_store(settings_of(home))
    ids = list(dict.fromkeys(chosen_run(store, run) for run in runs))
    if not 2 <= len(ids) <= len(LETTERS):
        raise click.UsageError(f"Name two to {len(LETTERS)} different runs, these are {len(ids)}.")
    comparison, now = compared(store, ids), time.time()
    write(FORMS[form][0](comparison, now) if form else compared_in_words(comparison, now) + "\n", output)


def compared_in_words(comparison: Comparison, now: float) -> str:
    """The comparison as text for a terminal: headline, runs, answers, items."""
    said = headline(comparison)
    lines = [said.text, *said.lead, "", table(("", *exported.FIGURES), _figures(comparison, now), RIGHT)]
    lines += ["", *exported.deltas(comparison, now), ""]
    for letter, run in zip(LETTERS, comparison.runs, strict=False):
        answer = run.answer if run.answer is not None else f"no answer: {run.state}. {run.reason}"
        lines.append(f"{letter}: {plain_line(answer, ANSWER_CHARS)}")
    shown = comparison.items[:SHOWN_ITEMS]
    for item in shown:
        lines += ["", *_item(comparison, item)]
    if len(shown) < len(comparison.items):
        lines += ["", f"{m_of_n(len(shown), len(comparison.items))} items; --csv, --json and --markdown have more."]
    return "\n".join(lines)


def _figures(comparison: Comparison, now: float) -> list[list[str]]:
    return [[plain_line(cell) for cell in row] for row in exported.figures(comparison, now)]


def _item(comparison: Comparison, item: Item) -> list[str]:
    status = f"only {LETTERS[item.having[0]]}" if item.status == "only" else item.status
    lines = [f"{plain_line(item.name)} ({status})"]
    for number, said in enumerate(item.said):
        reasons = [plain_line(each) for each in exported.why(comparison, item, number)]
        if not said.labelled:
            lines.append(f"  {LETTERS[number]}: {reasons[0]}")
            continue
        first = [plain_line(each, QUOTE_CHARS) for each in exported.quotes_in_words(said.quotes[:1])]
        more = [f"and {exact(len(said.quotes) - 1, 'more quote')}"] if len(said.quotes) > 1 else []
        lines.append(f"  {LETTERS[number]}: {'; '.join([plain_line(said.label), *first, *more, *reasons])}")
    return lines
