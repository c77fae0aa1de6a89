"""Standard output and error when nobody reads them any more: `| head` must neither end a run nor leave a traceback."""

from __future__ import annotations

import os
import sys
from typing import IO

import click

from rlm_core.plain import plain


def abandon(stream: IO[str]) -> None:
    """Send all further output of the stream nowhere; Python writes what it still holds when the process ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def tell(text: str) -> None:
    """A line on standard error, for whoever still reads it."""
    try:
        click.echo(plain(text), err=True)
    except BrokenPipeError:
        abandon(sys.stderr)
