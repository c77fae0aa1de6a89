"""`rlm-studio archives`: what was read before, and the end of it."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path

import click

from rlm_core import wording
from rlm_core.cli.options import home_option, json_option, settings_of
from rlm_core.cli.streams import tell
from rlm_core.cli.tables import table
from rlm_core.jobs.archives import bytes_of_archive, delete_archive
from rlm_core.jobs.asking import open_store
from rlm_core.plain import plain_line
from rlm_core.store.rows import CorpusRow
from rlm_core.store.store import Store

HEAD = ("archive", "read", "documents", "characters", "size", "name")
RIGHT = frozenset(HEAD.index(name) for name in ("documents", "characters", "size"))


@click.command("archives")
@click.option("--delete", "doomed", metavar="ARCHIVE", help="Delete this one for good: an id, or the beginning of one.")
@json_option
@home_option
def command(doomed: str | None, as_json: bool, home: Path | None) -> None:
    """List the archives of this data folder, newest first, or delete one. Runs that were asked of it stay."""
    store = open_store(settings_of(home))
    if doomed is not None:
        archive = _chosen(store, doomed)
        freed = delete_archive(store, archive.id)
        tell(f"The archive {archive.id} ({plain_line(archive.name)}) is deleted: {wording.size(freed)} freed.")
        return
    rows = [(row, bytes_of_archive(store, row.id)) for row in store.corpora()]
    if as_json:
        click.echo(json.dumps([_in_json(row, size) for row, size in rows], indent=1))
    elif rows:
        click.echo(table(HEAD, [_in_words(row, size) for row, size in rows], RIGHT))
    else:
        tell(f"There are no archives in {store.home}. Ask something: rlm-studio ask ARCHIVE QUESTION.")


def _in_json(row: CorpusRow, size: int) -> dict[str, object]:
    return {name: value for name, value in asdict(row).items() if name != "report"} | {"folder_bytes": size}


def _in_words(row: CorpusRow, size: int) -> list[str]:
    read = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.added_at))
    return [row.id, read, f"{row.documents:,}", f"{row.chars:,}", wording.size(size), plain_line(row.name, 60)]


def _chosen(store: Store, word: str) -> CorpusRow:
    """The archive that the word means. Raises `UsageError` if there is not one."""
    known = store.corpora()
    near = [row for row in known if row.id == word] or [row for row in known if word and row.id.startswith(word)]
    if len(near) == 1:
        return near[0]
    listed = ", ".join(f"{row.id} ({plain_line(row.name, 40)})" for row in (near or known)[:5])
    said = "Several begin so" if near else "There are" if known else "None has been read yet"
    raise click.UsageError(f"There is no archive {word!r} in {store.home}. {said}{': ' if known else ''}{listed}.")
