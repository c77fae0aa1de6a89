"""`rlm-studio inspect`: what would be read of an archive, and why the rest would not. Nothing is kept."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import IO

import click

from rlm_core.cli.exits import NOTHING_READ
from rlm_core.cli.options import home_option, ingest_limits_of, ingest_option, json_option, settings_of
from rlm_core.cli.tables import table
from rlm_core.cli.uploads import sources_and_name
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import ingest
from rlm_core.corpus.report import HARMLESS, IngestReport, Item
from rlm_core.errors import CorpusError
from rlm_core.plain import plain, plain_line
from rlm_core.wording import exact, seconds


@click.command("inspect")
@click.argument("archive", nargs=-1, required=True)
@click.option("--document", metavar="PATH", help="Print the text of this document instead of the report.")
@click.option(
    "--csv", "csv_file", type=click.File("w", encoding="utf-8"), help="Write the report as a table; - prints it."
)
@ingest_option
@home_option
@json_option
def command(
    archive: tuple[str, ...],
    document: str | None,
    csv_file: IO[str] | None,
    ingest_limits: tuple[str, ...],
    home: Path | None,
    as_json: bool,
) -> int:
    """Say what can be read in ARCHIVE, file by file, with the reason where something cannot.

    ARCHIVE is a file, a folder, or several of both; `sample` is the shipped sample archive. Nothing is kept.
    """
    if (document is not None) + as_json + (csv_file is not None) > 1:
        raise click.UsageError("--document, --json and --csv exclude each other: give one of them.")
    limits = ingest_limits_of(ingest_limits, settings_of(home))
    sources, name = sources_and_name(archive)
    with tempfile.TemporaryDirectory(prefix="rlm-studio-") as folder:
        corpus, report = ingest(sources, Path(folder), limits, name=name)
        if document is not None:
            click.echo(_text_of(corpus, document, report))
        elif csv_file is not None:
            csv_file.write(plain(report.to_csv()))
        elif as_json:
            click.echo(json.dumps(report.to_dict(), indent=1))
        else:
            click.echo(_in_words(name, corpus, report))
    return 0 if corpus else NOTHING_READ


def _text_of(corpus: Corpus | None, path: str, report: IngestReport) -> str:
    found = corpus.find(path) if corpus else None
    if corpus is None or found is None:
        item = next((item for item in report.items if item.path == path), None)
        if item is not None:
            raise CorpusError(f"{path} was not read ({item.status}). {_why(item)}")
        known = ", ".join(each.path for each in corpus.documents[:5]) if corpus else "none"
        raise CorpusError(f"There is no document {path!r} in this archive, or several. Documents: {known}.")
    return plain(corpus.text(found.index))


def _in_words(name: str, corpus: Corpus | None, report: IngestReport) -> str:
    rows = [
        (
            item.status,
            plain_line(item.path),
            item.kind or "",
            "" if item.chars is None else f"{item.chars:,}",
            _why(item),
        )
        for item in report.items
    ]
    head = f"{plain_line(name)}: {_verdict(corpus, report)}; {seconds(report.elapsed_s)}"
    return f"{head}\n\n{table(('status', 'file', 'kind', 'characters', ''), rows, right={3})}" if rows else head


def _verdict(corpus: Corpus | None, report: IngestReport) -> str:
    if corpus is None:
        return "nothing in it can be read"
    size = f"{exact(report.documents, 'document')}, {exact(corpus.chars, 'character')}"
    lost = sum(item.status not in HARMLESS for item in report.items)
    return f"{size}; {exact(lost, 'file')} of {len(report.items):,} could not be read" if lost else size


def _why(item: Item) -> str:
    """What the reader has to say of a file beyond its status, in one line."""
    return plain_line(f"{item.reason} {item.warning}")
