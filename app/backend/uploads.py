"""Uploads under way: a ticket for each, its files as they arrive on disk, and the process that reads them.

A ticket is good for one upload of one page. It is forgotten with the page's session, so nothing has to expire; what has begun
to arrive goes on without the page: once it is read, it is an archive like any other. Refuses to know HTTP
(`app/upload_route.py`) and widgets.

Covered: connections that break or stall, two uploads at once, giving up, a full disk, an app that is killed (its files go at
the next start). Not covered: how many uploads may be under way at once.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from weakref import WeakValueDictionary

from app.backend.arrival import Arrival, not_written, room_bytes
from app.backend.folder import Problem, current_store, settings
from rlm_core.corpus.ingest import UNFINISHED
from rlm_core.corpus.limits import MIB
from rlm_core.errors import CorpusError
from rlm_core.held_folder import held_folder, remove_abandoned
from rlm_core.jobs.upload_reading import FoundLogs, ImportedLogs, Read, Reading, ReadUpload, What
from rlm_core.settings import load_settings

log = logging.getLogger(__name__)

FOLDER = "uploads"
STALLED_S = 60.0
"""A connection over which nothing has come for so long is given up."""
DECIDED_WITHIN_S = 3600.0
"""Logs wait on the disk for so long until somebody says what is to become of them."""
_WRITTEN_AT_ONCE = MIB
_tickets: WeakValueDictionary[str, Upload] = WeakValueDictionary()
_claiming = threading.Lock()
_read_now: dict[Upload, threading.Thread] = {}

State = Literal["waiting", "arriving", "reading", "asking", "read", "failed"]


@dataclass(eq=False)
class Upload:
    """One upload. `session` and `browser` say whose it is; `archive` or `imported` is there once it was read, `problem` where
    that failed."""

    home: Path
    session: str
    browser: bytes | None
    what: What = "archive unless logs"
    """As what its files are read; while it is `asking`, a person is to choose."""
    ticket: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    state: State = "waiting"
    names: tuple[str, ...] = ()
    bytes: int = 0
    so_far: int = 0
    """How many files have been read; of logs, how many bytes."""
    tools: tuple[str, ...] = ()
    """Whose logs the files are, where a person is to say what becomes of them."""
    began: float = 0.0
    """When reading began, on the monotonic clock."""
    archive: str | None = None
    already_here: bool = False
    """The same files were read before: `archive` is what they became then."""
    imported: ImportedLogs | None = None
    problem: Problem | None = None
    reading: Reading | None = field(default=None, repr=False)
    given_up: bool = False
    decided: threading.Event = field(default_factory=threading.Event, repr=False)

    def give_up(self) -> None:
        """Stop reading it; no archive of it is kept, but runs that have come in are. That is no problem."""
        self.given_up = True
        self.decided.set()
        if self.reading is not None:
            self.reading.give_up()

    def read_as(self, what: What) -> None:
        """What is to become of logs, if nobody has said so yet."""
        if self.state != "asking":
            return
        self.what, self.state = what, "reading"
        self.decided.set()

    def end(self, read: Read | None, problem: Problem | None) -> None:
        self.reading = None
        if isinstance(read, ReadUpload):
            self.archive, self.already_here = read.archive, read.already_here
        elif isinstance(read, ImportedLogs):
            self.imported = read
        self.problem = None if self.given_up else problem
        self.state = "read" if read else "failed"


@dataclass(frozen=True, slots=True)
class Allowed:
    """How much one upload may have now."""

    max_bytes: int
    max_files: int
    room_bytes: int


def new_upload(session: str, browser: bytes | None, what: What = "archive unless logs") -> Upload:
    """An upload that only one open page, in one browser, can send."""
    upload = Upload(current_store().home, session, browser, what)
    _tickets[upload.ticket] = upload
    return upload


def claim_upload(ticket: str, browser: bytes | None) -> Upload | None:
    """The upload of a ticket that was not used before; from now on it is used. `None` for any other."""
    with _claiming:
        upload = _tickets.get(ticket)
        if upload is None or upload.state != "waiting" or upload.browser != browser:
            return None
        upload.state = "arriving"
        return upload


def allowed_now() -> Allowed:
    limits = settings().ingest_limits
    return Allowed(limits.max_upload_mb * MIB, limits.max_entries, room_bytes(current_store().home))


@contextmanager
def tidy_uploads(home: Path) -> Iterator[None]:
    """For as long as the app lives: what killed ones have left behind goes at the start, what is being read is given up at
    the end."""
    try:
        remove_abandoned(home / FOLDER, "")
        remove_abandoned(home / "corpora", UNFINISHED)
    except OSError as error:
        log.warning("What earlier uploads have left behind in %s could not be removed: %s.", home, error)
    try:
        yield
    finally:
        for upload, reader in list(_read_now.items()):
            upload.give_up()
            reader.join()


async def receive(upload: Upload, stream: AsyncIterator[bytes]) -> None:
    """Write what arrives to disk, then have it read, which goes on by itself. Raises `Problem`, and whatever ends the stream:
    nothing of the upload is left then."""
    try:
        with ExitStack() as held:
            try:
                folder = held.enter_context(held_folder(upload.home / FOLDER, ""))
                reading = held.enter_context(closing(Reading(upload.home)))
            except OSError as error:
                raise not_written(error) from error
            arrival = held.enter_context(closing(Arrival(folder, load_settings(upload.home).ingest_limits)))
            async for block in _in_large_blocks(stream):
                await asyncio.to_thread(arrival.write, block)
            await asyncio.to_thread(arrival.finish)
            upload.names, upload.bytes = tuple(arrival.names), arrival.bytes
            upload.reading, upload.began, upload.state = reading, time.monotonic(), "reading"
            work = (upload, reading, folder, held.pop_all())
            _read_now[upload] = threading.Thread(target=_read, args=work, daemon=True)
            _read_now[upload].start()
    except BaseException as error:
        upload.end(None, error if isinstance(error, Problem) else None)
        raise


def _read(upload: Upload, reading: Reading, folder: Path, held: ExitStack) -> None:
    read: Read | None = None
    problem: Problem | None = None

    def tell(so_far: int) -> None:
        upload.so_far = so_far

    try:
        with held:
            found = reading.read(folder, upload.names, tell, upload.what)
            if not isinstance(found, FoundLogs):
                read = found
            else:
                _ask(upload, found)
                with closing(Reading(upload.home)) as upload.reading:
                    if upload.given_up:
                        raise CorpusError("The upload was given up.")
                    read = upload.reading.read(folder, upload.names, tell, upload.what)
    except Problem as error:
        problem = error
    except OSError as error:
        problem = not_written(error)
    finally:
        del _read_now[upload]
        upload.end(read, problem)


def _ask(upload: Upload, found: FoundLogs) -> None:
    """Wait for somebody to say what is to become of logs. Raises `CorpusError` if nobody does."""
    upload.tools, upload.state = found.tools, "asking"
    if not upload.decided.wait(DECIDED_WITHIN_S):
        raise CorpusError(
            "These files are logs of runs, and nobody has said what is to become of them, so nothing of them was kept. "
            "Upload them again."
        )


async def _in_large_blocks(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Fewer, larger writes. Raises `CorpusError` if nothing comes any more."""
    gathered = bytearray()
    while True:
        try:
            async with asyncio.timeout(STALLED_S):
                block = await anext(stream, None)
        except TimeoutError as error:
            raise CorpusError(
                f"Nothing has arrived for {STALLED_S:g} s, so the upload was given up. Try again."
            ) from error
        if block is None:
            break
        gathered += block
        if len(gathered) >= _WRITTEN_AT_ONCE:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)
