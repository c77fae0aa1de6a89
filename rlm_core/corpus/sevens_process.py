"""The process behind `sevens.py`: unpacks the 7z file that is its standard input, and writes what it finds to its output.

Lines of JSON, in the order of the archive:

    ["refused", status, reason]                     the whole archive
    ["file", name, bytes, status, reason]           a file; with a status, it is not unpacked
    ["data", bytes]                                 so many bytes of it follow the line
    ["end", status, reason]                         of the file; with a status, what came must not be used

A bad file costs only itself, in as far as those behind it are not packed together with it.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any, BinaryIO

import py7zr
from py7zr.compressor import SupportedMethods
from py7zr.exceptions import PasswordRequired, UnsupportedCompressionMethodError

from rlm_core.corpus.limits import BLOCK, DEVICE, RATIO_APPLIES_ABOVE, SYMBOLIC_LINK, Refused, bomb
from rlm_core.corpus.processes import bind, limit, own_output
from rlm_core.ingest_limits import IngestLimits

_MEMORY_MB = 1024
_OPENING_S = 5
_BYTES_PER_S = 4 * BLOCK
"""The slowest machine and method that we wait for."""
_PASSWORD = Refused("encrypted", "The file is protected by a password. Unpack the archive and upload the folder.")
_ALL_PASSWORD = Refused("encrypted", "The archive is protected by a password. Unpack it and upload the folder.")
_MEMORY = Refused("too-large", "Unpacking it takes too much memory. Pack it as zip.")
_CHECKSUM = Refused("malformed", "The file is damaged: its checksum is wrong. Pack or download the archive again.")


def main(max_ratio: int, max_expanded_mb: int, output: BinaryIO) -> None:
    bind(_MEMORY_MB)
    limit(resource.RLIMIT_CPU, _OPENING_S)
    limits = IngestLimits(max_ratio=max_ratio, max_expanded_mb=max_expanded_mb)
    try:
        with os.fdopen(sys.stdin.fileno(), "rb", closefd=False) as file:
            file.seek(0)
            _unpack(py7zr.SevenZipFile(file), file, limits, output)
    except Exception as error:
        refused = _refusal(error)
        _tell(output, "refused", refused.status, refused.reason)
    output.flush()


def _unpack(archive: py7zr.SevenZipFile, file: BinaryIO, limits: IngestLimits, output: BinaryIO) -> None:
    files = list(_files(archive))
    refusals = _of_folders(archive, limits)
    if files and all(refusals.get(id(each.folder)) is _PASSWORD for each in files):
        raise _ALL_PASSWORD
    folders, lost = _Folders(archive), dict[int, Refused]()
    for each in files:
        folder = id(each.folder)
        refused = refusals.get(folder) or lost.get(folder) or _of_file(each)
        _tell(output, "file", each.filename, each.uncompressed, *(_told(refused)))
        if refused:
            continue
        try:
            limit(resource.RLIMIT_CPU, _seconds(each, limits))
            checksum = folders.unpack(each, file, _Sink(output)) if each.folder else None
            end = None if each.crc32 in (None, checksum) else _CHECKSUM
        except Exception as error:
            end = lost[folder] = _refusal(error)
        _tell(output, "end", *_told(end))


class _Folders:
    """The parts of the archive that are packed as one stream each."""

    def __init__(self, archive: py7zr.SevenZipFile) -> None:
        self._worker = archive.worker
        self._starts = _starts(archive)
        self._current = 0

    def unpack(self, each: Any, file: BinaryIO, sink: _Sink) -> int:
        """Its files come one after the other, in their order. Returns the checksum."""
        start, end = self._starts[id(each.folder)]
        if id(each.folder) != self._current:
            self._current = id(each.folder)
            file.seek(start)
        return int(self._worker.decompress(file, each.folder, sink, each.uncompressed, each.compressed, end))


class _Sink:
    def __init__(self, output: BinaryIO) -> None:
        self._output = output

    def write(self, data: bytes) -> int:
        view = memoryview(data)
        for at in range(0, len(view), BLOCK):
            block = view[at : at + BLOCK]
            _tell(self._output, "data", len(block))
            self._output.write(block)
        return len(data)


def _files(archive: py7zr.SevenZipFile) -> Iterator[Any]:
    empty = getattr(archive.header.files_info, "emptyfiles", [])
    number = 0
    for each in archive.files:
        if each.emptystream:
            number += 1
            if each.is_directory or empty[number - 1 : number] != [True]:
                continue
        yield each


def _folders(archive: py7zr.SevenZipFile) -> list[Any]:
    streams = archive.header.main_streams
    return list(streams.unpackinfo.folders) if streams else []


def _starts(archive: py7zr.SevenZipFile) -> dict[int, tuple[int, int]]:
    folders = _folders(archive)
    at = archive.header.main_streams.packinfo.packpositions if folders else []
    begin = archive.afterheader
    return {id(folder): (begin + at[n], begin + at[n + 1]) for n, folder in enumerate(folders)}


def _of_folders(archive: py7zr.SevenZipFile, limits: IngestLimits) -> dict[int, Refused]:
    """Sizes do not lie here: never more than the declared size is unpacked."""
    found: dict[int, Refused] = {}
    for folder, (start, end) in zip(_folders(archive), _starts(archive).values(), strict=True):
        unpacked = sum(each.uncompressed for each in folder.files or ())
        if SupportedMethods.needs_password(folder.coders):
            found[id(folder)] = _PASSWORD
        elif unpacked > RATIO_APPLIES_ABOVE and unpacked > limits.max_ratio * (end - start):
            found[id(folder)] = bomb(unpacked / max(end - start, 1), limits)
    return found


def _of_file(each: Any) -> Refused | None:
    if each.is_symlink or each.is_junction:
        return SYMBOLIC_LINK
    return None if each.is_file else DEVICE


def _refusal(error: Exception) -> Refused:
    match error:
        case Refused():
            return error
        case PasswordRequired():
            return _ALL_PASSWORD
        case UnsupportedCompressionMethodError():
            return Refused("unsupported", "It is compressed by a method that is not unpacked. Pack it as zip.")
        case MemoryError():
            return _MEMORY
        case _:
            words = f"{type(error).__name__}: {error}"[:300]
            return Refused("malformed", f"It is damaged or cut off ({words}). Pack or download the archive again.")


def _seconds(each: Any, limits: IngestLimits) -> int:
    size = min(each.uncompressed, limits.max_expanded_mb * BLOCK)
    return int(time.process_time()) + _OPENING_S + int(size / _BYTES_PER_S)


def _told(refused: Refused | None) -> tuple[str | None, str]:
    return (refused.status, refused.reason) if refused else (None, "")


def _tell(output: BinaryIO, *words: Any) -> None:
    output.write(json.dumps(words).encode("ascii") + b"\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), own_output())
