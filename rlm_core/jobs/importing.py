"""Runs that other tools have recorded, taken over into the store as they are: nothing is asked again, nothing is paid.

A run has an id by the lines that it begins with, so it is recognised when its log is read again, and when that has grown. Knows
which forms there are; what they mean is in `importers/`. Logs are read as they come and are never held whole.
"""

from __future__ import annotations

import pickle
import resource
import sqlite3
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, BinaryIO

from rlm_core.errors import StoreError
from rlm_core.events import Event, Noted, RunFinished
from rlm_core.importers import dspy, fast_rlm, predict_rlm, rlms
from rlm_core.importers.jsonl import TOOL, is_own, read_all
from rlm_core.importers.lines import MAX_DOCUMENT_BYTES, document_of, json_line, lines_of
from rlm_core.importers.numbering import UNREADABLE
from rlm_core.notes import NodeNote
from rlm_core.store.connection import plain_words
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.story_edits import StoryEdit
from rlm_core.task import Json

FORMS = (
    "trajectories of rlms, logs of fast-rlm, or runs that RLM Studio has exported (JSON, one object a line), "
    "and predictions of dspy.RLM or traces of predict-rlm (JSON)"
)
MAX_MEMORY_BYTES = 4 * 2**30
LOOKED_AT_BYTES = 4096
MAX_NOTES = 20
"""Of what could not be read in one run."""
_BROKEN = (ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError, sqlite3.Error)
"""What a log raises that nobody has thought of: it is the log's fault, and must not look like ours."""


Read = Event | NodeNote | StoryEdit
"""What a log holds: the events of a run, and after its end what people say of its nodes, and how it is to be told."""


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of log: by what tool, how its first object is recognised, and what a log that was written at a time holds."""

    tool: str
    is_log: Callable[[Json], bool]
    read: Callable[[BinaryIO, float], Iterator[Read]]


_FORMS = (
    Form(TOOL, is_own, lambda log, _: read_all(line for _, line in lines_of(log))),
    Form(rlms.TOOL, rlms.is_log, rlms.read_log),
    Form(fast_rlm.TOOL, fast_rlm.is_log, fast_rlm.read_log),
    Form(dspy.TOOL, dspy.is_log, dspy.read_log),
    Form(predict_rlm.TOOL, predict_rlm.is_log, predict_rlm.read_log),
)


@dataclass(frozen=True, slots=True)
class Imported:
    """A run of a log; `is_new` unless it was here before, and was left as it is."""

    run: str
    is_new: bool
    tool: str = ""
    file: str = ""
    unread: tuple[str, ...] = ()
    """What of its log cannot be read, in sentences."""


class NothingNew(StoreError):
    """All runs of the log are here already."""


def limit_memory() -> None:
    """Of this process, for good: one line of a log may become many times as large as it is in its file."""
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = MAX_MEMORY_BYTES if most == resource.RLIM_INFINITY else min(MAX_MEMORY_BYTES, most)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))


def tool_of(file: Path) -> str | None:
    """The tool that wrote a log; `None` for a file that is no log which can be read here. Raises `OSError`."""
    with file.open("rb") as log:
        form = _form_of(log)
    return form.tool if form else None


def import_runs(
    store: Store, file: Path, name: str | None = None, on_bytes: Callable[[int], None] = lambda _: None
) -> Iterator[Imported]:
    """Take over the runs of a log, each as it comes. Raises `StoreError` for a file of another form, for a run that cannot be
    read, of which nothing is kept then, and at the end if no run was new. `name` is what people call the file; `on_bytes` is told
    how far reading is."""
    name = name or file.name
    reading, known, is_new, any_new = name, list[str](), False, False
    try:
        with file.open("rb") as log:
            form = _form_of(log)
            if form is None:
                raise StoreError(f"{name} is no log that can be read here. What can: {FORMS}.")
            events = _watched(form.read(log, file.stat().st_mtime), log, on_bytes)
            for first in events:
                if isinstance(first, NodeNote):
                    if is_new:  # of a run that was here before, what is said of it here stays
                        store.set_note(first.run, first.span, first.note)
                    continue
                if isinstance(first, StoryEdit):
                    if is_new:
                        store.stories.keep(first.run, first.steps)
                    continue
                reading = f"The run {first.run} of {name}"
                unread = list[str]()
                is_new = _take_over(store, first.run, _noting(chain([first], _to_the_end(events)), unread))
                any_new = any_new or is_new
                known += [] if is_new else [first.run]
                yield Imported(first.run, is_new, form.tool, name, tuple(unread))
                reading = f"A run of {name}"
    except OSError as error:
        raise StoreError(f"{name} cannot be read: {error.strerror}.") from error
    except MemoryError as error:
        raise StoreError(
            f"{reading} cannot be taken over: reading it takes more than the {MAX_MEMORY_BYTES // 2**30} GB of memory "
            "that an import may have."
        ) from error
    except _BROKEN as error:
        raise StoreError(f"{reading} cannot be taken over: {type(error).__name__}, {error}.") from error
    if not any_new:
        raise NothingNew(_nothing_new(name, known)) if known else StoreError(f"{name} holds no run.")


def _form_of(log: BinaryIO) -> Form | None:
    """The form of a log, which is at its beginning then."""
    begins = log.read(LOOKED_AT_BYTES).removeprefix(BOM_UTF8).lstrip()
    log.seek(0)
    if not begins.startswith(b"{"):
        return None
    first = json_line(next((line for _, line in lines_of(log, MAX_DOCUMENT_BYTES) if line.strip()), b""))
    log.seek(0)
    if first is None:  # one object, on many lines
        first, _ = document_of(log)
        log.seek(0)
    return next((form for form in _FORMS if form.is_log(first)), None)


def _take_over(store: Store, run: str, events: Iterator[Event]) -> bool:
    """False if the run is here already: its events are passed over."""
    if store.run(run):
        deque(events, maxlen=0)
        return False
    with plain_words(store.home), TemporaryFile(dir=store.home) as kept, Recorder.open(store.home, run) as recorder:
        recorder.copy(_laid_by(events, kept))
    return True


def _laid_by(events: Iterable[Event], kept: IO[bytes]) -> Iterator[Event]:
    """The same events, once all of them could be read. What a log takes of time is not spent while the store is locked, which it
    is for the runs that are under way, too."""
    for event in events:
        pickle.dump(event, kept, pickle.HIGHEST_PROTOCOL)
    end = kept.tell()
    kept.seek(0)
    return _read_back(kept, end)


def _read_back(kept: IO[bytes], end: int) -> Iterator[Event]:
    while kept.tell() < end:
        yield pickle.load(kept)


def _watched(events: Iterator[Read], log: BinaryIO, on_bytes: Callable[[int], None]) -> Iterator[Read]:
    for event in events:
        on_bytes(log.tell())
        yield event


def _noting(events: Iterator[Event], unread: list[str]) -> Iterator[Event]:
    """The events, and on the way what they say of lines that cannot be read."""
    for event in events:
        if isinstance(event.body, Noted) and event.body.topic == UNREADABLE and len(unread) < MAX_NOTES:
            unread.append(event.body.text)
        yield event


def _to_the_end(events: Iterator[Read]) -> Iterator[Event]:
    """The events of one run, and nothing of the next: what is wrong with that one must not cost this one."""
    for event in events:
        if isinstance(event, NodeNote | StoryEdit):
            continue
        yield event
        if isinstance(event.body, RunFinished):
            return


def _nothing_new(name: str, known: list[str]) -> str:
    which = f"The run {known[0]} of this log is" if len(known) == 1 else f"All {len(known):,} runs of {name} are"
    return f"{which} here already. Delete a run first to read it again."
