"""What one upload sends, cut into files as it arrives: first a line of JSON, `[[name, bytes], ...]`, then the bytes of each.

Sizes are counted, not believed. A name is metadata: files lie under their numbers, and no name becomes a path.
"""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from rlm_core.corpus.limits import MIB
from rlm_core.errors import CorpusError
from rlm_core.ingest_limits import IngestLimits

MAX_LIST_BYTES = 32 * MIB
MAX_NAME_CHARS = 4_096
LEFT_FREE_BYTES = 256 * MIB
"""Of the disk: an upload must not fill it to its end."""


class TooLarge(CorpusError):
    """The upload has more bytes, or more files, than an upload may have."""


class NoRoom(CorpusError):
    """The disk of the data folder has no room for the upload."""


class Arrival:
    """The files of one upload, written into `folder`. For one thread at a time; to be closed."""

    def __init__(self, folder: Path, limits: IngestLimits) -> None:
        self.names: list[str] = []
        self.bytes = 0
        self._folder = folder
        self._limits = limits
        self._list: bytearray | None = bytearray()
        self._sizes: Iterator[tuple[int, int]] = iter(())
        self._left = 0
        self._file: BinaryIO | None = None

    def write(self, block: bytes) -> None:
        """Take in what has come next. Raises `CorpusError`."""
        rest = memoryview(block)
        if self._list is not None:
            end = block.find(b"\n")
            self._list += rest[: end if end >= 0 else None]
            if len(self._list) > MAX_LIST_BYTES:
                raise TooLarge(f"The names of the files have more than {_mb(MAX_LIST_BYTES)}. Pack a zip of them.")
            if end < 0:
                return
            self._begin(bytes(self._list))
            self._list, rest = None, rest[end + 1 :]
        self._fill(rest)

    def finish(self) -> None:
        """The end has come. Raises `CorpusError` if it came too early."""
        while not self._left and self._next():
            continue  # files without bytes
        if self._list is not None or self._left:
            raise CorpusError("The upload was cut off before its end, and nothing of it was kept. Upload it again.")
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _begin(self, line: bytes) -> None:
        listed = _listed(line)
        total = sum(size for _, size in listed)
        if len(listed) > self._limits.max_entries:
            raise TooLarge(
                f"These are {len(listed):,} files; an upload may have {self._limits.max_entries:,}. Upload them in parts."
            )
        if total > (allowed := self._limits.max_upload_mb * MIB):
            raise TooLarge(
                f"These files have {_mb(total)}; an upload may have {_mb(allowed)}. Upload them in parts, or packed."
            )
        if total > (room := room_bytes(self._folder)):
            raise NoRoom(
                f"These files have {_mb(total)}, and the disk of the data folder has room for {_mb(room)}. "
                "Make room there, or upload less."
            )
        self.names, self.bytes = [name for name, _ in listed], total
        self._sizes = enumerate(size for _, size in listed)

    def _fill(self, rest: memoryview) -> None:
        while rest:
            while not self._left:
                if not self._next():
                    raise CorpusError("More has arrived than was listed, so nothing of it was kept. Upload it again.")
            assert self._file is not None
            try:
                written = self._file.write(rest[: self._left])
            except OSError as error:
                raise not_written(error) from error
            self._left -= written
            rest = rest[written:]

    def _next(self) -> bool:
        """Go on to the next file; whether there is one."""
        self.close()
        for number, size in self._sizes:
            try:
                self._file = (self._folder / str(number)).open("wb", buffering=0)
            except OSError as error:
                raise not_written(error) from error
            self._left = size
            return True
        return False


def room_bytes(folder: Path) -> int:
    """How much may still be written to the disk of `folder`."""
    return max(0, shutil.disk_usage(folder).free - LEFT_FREE_BYTES)


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _listed(line: bytes) -> list[tuple[str, int]]:
    try:
        listed = [_name_and_size(*each) for each in json.loads(line)]
    except (ValueError, TypeError, RecursionError) as error:
        raise CorpusError("The list of the files cannot be read. Reload the page and upload them again.") from error
    if not listed:
        raise CorpusError("There are no files in this upload. Choose at least one.")
    return listed


def _name_and_size(name: Any, size: Any) -> tuple[str, int]:
    if not isinstance(name, str) or type(size) is not int or size < 0 or len(name) > MAX_NAME_CHARS:
        raise ValueError("No name and size of a file.")
    return name.encode("utf-8", "replace").decode("utf-8"), size


def not_written(error: OSError) -> CorpusError:
    """What is said of a disk that refuses."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NoRoom("The disk of the data folder is full, and nothing of the upload was kept. Make room there first.")
    return CorpusError(f"The upload cannot be written to the data folder: {error.strerror}. Nothing of it was kept.")
