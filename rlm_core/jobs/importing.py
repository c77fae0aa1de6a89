"""Runs that other tools have recorded, taken over into the store as they are: nothing is asked again, nothing is paid.

A run has an id by the lines that it begins with, so it is recognised when its log is read again, and when that has grown. Knows
which forms there are; what they mean is in `importers/`. Logs are read as they come and are never held whole.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from rlm_core.errors import StoreError
from rlm_core.events import Event, RunFinished
from rlm_core.importers import fast_rlm, rlms
from rlm_core.importers.jsonl import read_lines
from rlm_core.importers.numbering import json_line
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store

FORMS = "trajectories of rlms, logs of fast-rlm, or runs that RLM Studio has exported (all JSON, one object a line)"
MAX_FIRST_LINE = 256 * 1024 * 1024
_READERS = ((rlms.is_log, rlms.read_log), (fast_rlm.is_log, fast_rlm.read_log))
_BROKEN = (ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError, sqlite3.Error)
"""What a log raises that nobody has thought of: it is the log's fault, and must not look like ours."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A run of a log; `is_new` unless it was here before, and was left as it is."""

    run: str
    is_new: bool


def import_runs(store: Store, file: Path) -> Iterator[Imported]:
    """Take over the runs of a log, each as it comes. Raises `StoreError` for a file of another form, for a run that cannot be
    read, of which nothing is kept then, and at the end if no run was new."""
    reading, known, any_new = file.name, list[str](), False
    try:
        with file.open("rb") as log:
            events = _events(log, file)
            for first in events:
                reading = f"The run {first.run} of {file.name}"
                is_new = _take_over(store, first.run, chain([first], _to_the_end(events)))
                any_new = any_new or is_new
                known += [] if is_new else [first.run]
                yield Imported(first.run, is_new)
                reading = f"A run of {file.name}"
    except OSError as error:
        raise StoreError(f"{file} cannot be read: {error.strerror}.") from error
    except _BROKEN as error:
        raise StoreError(f"{reading} cannot be taken over: {type(error).__name__}, {error}.") from error
    if not any_new:
        raise StoreError(_nothing_new(file.name, known))


def _take_over(store: Store, run: str, events: Iterator[Event]) -> bool:
    """False if the run is here already: its events are passed over."""
    if store.run(run):
        deque(events, maxlen=0)
        return False
    with Recorder.open(store.home, run) as recorder:
        recorder.copy(events)
    return True


def _to_the_end(events: Iterator[Event]) -> Iterator[Event]:
    """The events of one run, and nothing of the next: what is wrong with that one must not cost this one."""
    for event in events:
        yield event
        if isinstance(event.body, RunFinished):
            return


def _nothing_new(name: str, known: list[str]) -> str:
    if not known:
        return f"{name} holds no run."
    which = f"The run {known[0]} of this log is" if len(known) == 1 else f"All {len(known):,} runs of {name} are"
    return f"{which} here already. Delete a run first to read it again."


def _events(log: BinaryIO, file: Path) -> Iterator[Event]:
    first = (
        json_line(next((line for line in iter(lambda: log.readline(MAX_FIRST_LINE), b"") if line.strip()), b"")) or {}
    )
    log.seek(0)
    if {"run", "seq", "kind", "body"} <= first.keys():
        return read_lines(line.decode("utf-8-sig", "replace") for line in log)
    reader = next((read for is_log, read in _READERS if is_log(first)), None)
    if reader is None:
        raise StoreError(f"{file.name} is no log that can be read here. What can: {FORMS}.")
    return reader(log, file.stat().st_mtime)
