"""`rlm-studio import`: runs that other tools have recorded."""

from __future__ import annotations

from pathlib import Path

import click

from rlm_core.cli.options import home_option, settings_of
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.importing import FORMS, import_runs, limit_memory


@click.command("import", help=f"Take over runs from FILE, to be looked at like any other: {FORMS}.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@home_option
def command(file: Path, home: Path | None) -> None:
    store = open_store(settings_of(home))
    limit_memory()
    for each in import_runs(store, file):
        if each.is_new:
            click.echo(each.run)
        else:
            click.echo(f"The run {each.run} of this log is here already; it stays as it is.", err=True)
