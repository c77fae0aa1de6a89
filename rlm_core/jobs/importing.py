"""Runs that other tools have recorded, taken over into the store as they are: nothing is asked again, nothing is paid.

A run has an id by its log's bytes, so the same log is recognised. Knows which forms there are; what they mean is in
`importers/`. Logs are read as they come and are never held whole.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from rlm_core.errors import StoreError
from rlm_core.events import Event
from rlm_core.importers import fast_rlm, rlms
from rlm_core.importers.jsonl import read_lines
from rlm_core.importers.numbering import json_line
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store

FORMS = "trajectories of rlms, logs of fast-rlm, or runs that RLM Studio has exported (all JSON, one object a line)"
MAX_FIRST_LINE = 256 * 1024 * 1024
_READERS = ((rlms.is_log, rlms.read_log), (fast_rlm.is_log, fast_rlm.read_log))


def import_runs(store: Store, file: Path) -> list[str]:
    """Take over the runs of a log; their ids, in the order of the log. Raises `StoreError` for a file of another form, and for
    runs that are here already."""
    try:
        with file.open("rb") as log:
            return [
                _take_over(store, run, events) for run, events in groupby(_events(log, file.name), attrgetter("run"))
            ]
    except OSError as error:
        raise StoreError(f"{file} cannot be read: {error.strerror}.") from error


def _take_over(store: Store, run: str, events: Iterator[Event]) -> str:
    if store.run(run):
        raise StoreError(f"The run {run} of this log is here already. Delete it first to read the log again.")
    with Recorder.open(store.home, run) as recorder:
        recorder.copy(events)
    return run


def _events(log: io.BufferedReader, name: str) -> Iterator[Event]:
    first = (
        json_line(next((line for line in iter(lambda: log.readline(MAX_FIRST_LINE), b"") if line.strip()), b"")) or {}
    )
    log.seek(0)
    if {"run", "seq", "kind", "body"} <= first.keys():
        return read_lines(io.TextIOWrapper(log, encoding="utf-8", errors="replace"))
    reader = next((read for is_log, read in _READERS if is_log(first)), None)
    if reader is None:
        raise StoreError(f"{name} is no log that can be read here. What can: {FORMS}.")
    digest = hashlib.file_digest(log, "sha256").hexdigest()[:16]
    log.seek(0)
    return reader(log, lambda number: f"log-{digest}-{number + 1}")
