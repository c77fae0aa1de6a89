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
from rlm_core.jobs.upload_reading import Reading, ReadUpload
from rlm_core.settings import load_settings

log = logging.getLogger(__name__)

FOLDER = "uploads"
STALLED_S = 60.0
"""A connection over which nothing has come for so long is given up."""
_WRITTEN_AT_ONCE = MIB
_tickets: WeakValueDictionary[str, Upload] = WeakValueDictionary()
_claiming = threading.Lock()
_read_now: dict[Upload, threading.Thread] = {}

State = Literal["waiting", "arriving", "reading", "read", "failed"]


@dataclass(eq=False)
class Upload:
    """One upload. `session` and `browser` say whose it is; `archive` is there once it was read, `problem` where that failed."""

    home: Path
    session: str
    browser: bytes | None
    ticket: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    state: State = "waiting"
    files: int = 0
    files_read: int = 0
    began: float = 0.0
    """When reading began, on the monotonic clock."""
    archive: str | None = None
    already_here: bool = False
    """The same files were read before: `archive` is what they became then."""
    problem: Problem | None = None
    reading: Reading | None = field(default=None, repr=False)
    given_up: bool = False

    def give_up(self) -> None:
        """Stop reading it; nothing of it is kept. That is no problem."""
        self.given_up = True
        if self.reading is not None:
            self.reading.give_up()

    def end(self, read: ReadUpload | None, problem: Problem | None) -> None:
        self.reading = None
        if read:
            self.archive, self.already_here = read.archive, read.already_here
        self.problem = None if self.given_up else problem
        self.state = "read" if read else "failed"


@dataclass(frozen=True, slots=True)
class Allowed:
    """How much one upload may have now."""

    max_bytes: int
    max_files: int
    room_bytes: int


def new_upload(session: str, browser: bytes | None) -> Upload:
    """An upload that only one open page, in one browser, can send."""
    upload = Upload(current_store().home, session, browser)
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
            upload.files, upload.reading, upload.began = len(arrival.names), reading, time.monotonic()
            upload.state = "reading"
            work = (upload, reading, folder, arrival.names, held.pop_all())
            _read_now[upload] = threading.Thread(target=_read, args=work, daemon=True)
            _read_now[upload].start()
    except BaseException as error:
        upload.end(None, error if isinstance(error, Problem) else None)
        raise


def _read(upload: Upload, reading: Reading, folder: Path, names: list[str], held: ExitStack) -> None:
    read, problem = None, None

    def tell(files: int) -> None:
        upload.files_read = files

    try:
        with held:
            read = reading.read(folder, names, tell)
    except Problem as error:
        problem = error
    finally:
        del _read_now[upload]
        upload.end(read, problem)


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
