"""`rlm-studio export`: a run in a form that others can read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.coverage import coverage_in_words
from rlm_core.cli.options import form_options, home_option, settings_of
from rlm_core.cli.show import units_of
from rlm_core.diagnose.rules import diagnose
from rlm_core.errors import StoreError
from rlm_core.exporters import findings, report, whole
from rlm_core.exporters.page.redaction import TELL_ALL, Redaction
from rlm_core.jobs import paging
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.diagnosing import material_of
from rlm_core.jobs.reading import shown_of
from rlm_core.plain import plain
from rlm_core.store.store import Store
from rlm_core.task import Json
from rlm_core.view import RunView, fold


@dataclass(frozen=True)
class Exported:
    """A run that has begun, as the forms take it."""

    store: Store
    id: str
    beside: tuple[str, ...] = ()
    """Runs that are shown before it, by forms that can show several."""
    redaction: Redaction = TELL_ALL

    @cached_property
    def view(self) -> RunView:
        return fold(self.store.events(self.id))

    @cached_property
    def findings(self) -> list[Json]:
        return findings.findings_of(
            self.view, units_of(self.store, self.view), shown_of(self.store, self.id, self.view)
        )

    @cached_property
    def archive(self) -> str | None:
        corpus = self.store.corpus(self.view.task.corpus) if self.view.task else None
        return corpus.name if corpus else None


def _json(run: Exported) -> str:
    return whole.to_json(whole.whole_of(run.view, run.findings, run.archive)) + "\n"


def _csv(run: Exported) -> str:
    return findings.to_csv(run.findings)


def _markdown(run: Exported) -> str:
    symptoms = diagnose(material_of(run.store, run.id))
    shown = coverage_in_words(run.store, run.id, run.view)
    return report.report_of(run.view, run.findings, symptoms, run.archive, shown)


def _html(run: Exported) -> str:
    return paging.page(run.store, [*run.beside, run.id], run.redaction)


FORMS: dict[str, tuple[Callable[[Exported], str], str]] = {
    "json": (_json, "One JSON document: what it came to, and every node of its tree."),
    "csv": (_csv, "Its findings as a table, safe to open in a spreadsheet."),
    "markdown": (_markdown, "A report: question, answer, findings with quotes, cost, the way to it, diagnosis."),
    "html": (_html, "One HTML file that opens from the disk and loads nothing; of several runs with their comparison."),
}
"""What a run can be exported as: how it is made, and what the help says of it."""
TAKES_SEVERAL = ("html",)
"""Forms that show several runs, and that can be redacted."""
MOST_RUNS = 6


@click.command("export")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@form_options(FORMS)
@click.option(
    "--redact",
    "hidden",
    type=click.Choice(["documents", "prompts"]),
    multiple=True,
    help="Of --html: leave out quotes, outputs and all other text of documents, or what helpers were sent.",
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file. Default: print it."
)
@home_option
def command(
    runs: tuple[str, ...], form: str | None, hidden: tuple[str, ...], output: Path | None, home: Path | None
) -> None:
    """Write RUN in one of the forms below.

    RUN is an id, the beginning of one, or `last`. --html takes several: the story is that of the last one, beside the first.
    """
    if form is None:
        raise click.UsageError(f"Say which form: {', '.join(f'--{name}' for name in FORMS)}.")
    if form not in TAKES_SEVERAL and (len(runs) > 1 or hidden):
        raise click.UsageError(f"--{form} takes one run, and no --redact: use --html.")
    if len(runs) > MOST_RUNS:
        raise click.UsageError(f"Up to {MOST_RUNS} runs can be shown in one file, these are {len(runs)}.")
    store = open_store(settings_of(home))
    chosen = list(dict.fromkeys(chosen_run(store, run) for run in runs))
    for id in chosen:
        if store.run(id) is None:
            raise StoreError(f"Run {id} has not begun: there is nothing to export yet.")
    redaction = Redaction("documents" in hidden, "prompts" in hidden)
    write(FORMS[form][0](Exported(store, chosen[-1], tuple(chosen[:-1]), redaction)), output)


def write(text: str, output: Path | None) -> None:
    """To the file, unchanged; on the terminal, what would act on it is made visible. Raises `click.FileError`."""
    if output is None:
        click.echo(plain(text), nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8", errors="replace", newline="")
    except OSError as error:
        raise click.FileError(str(output), error.strerror or str(error)) from error
