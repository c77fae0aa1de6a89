"""The members of a 7z file, in stored order.

It is unpacked by a process of its own (`sevens_process.py`), which has limits on memory and time: the unpackers are many,
old and complicated. Covered: passwords, of files or of the directory; bombs; damage; links; duplicates.
Not covered: archives in parts; a few methods (BCJ2).
"""

from __future__ import annotations

import io
import json
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from rlm_core.corpus.limits import BLOCK, Allowance, Refused
from rlm_core.corpus.members import Member
from rlm_core.corpus.processes import start

_MODULE = "rlm_core.corpus.sevens_process"
_MAX_LINE_BYTES = BLOCK


def members(file: BinaryIO, spill: Path, allowance: Allowance) -> Iterator[Member]:
    """Its files, each to be read before the next is asked for. Raises `Refused` where the archive is."""
    with _on_disk(file, spill) as real, _unpacking(real, allowance) as told:
        while (line := told.line())[0] == "file":
            _, name, size, status, reason = line
            stream = _Stream(told)
            yield Member(str(name), int(size), partial(_same, stream), Refused(status, reason) if status else None)
            if not status:
                stream.drain(allowance)
        if line[0] == "refused":
            raise Refused(line[1], line[2])


@contextmanager
def _on_disk(file: BinaryIO, spill: Path) -> Iterator[IO[bytes]]:
    """The file as one that another process can be handed."""
    if isinstance(file, io.BufferedReader):
        yield file
        return
    with tempfile.TemporaryFile(dir=spill) as copy:
        file.seek(0)
        shutil.copyfileobj(file, copy, BLOCK)
        copy.flush()
        yield copy


@contextmanager
def _unpacking(file: IO[bytes], allowance: Allowance) -> Iterator[_Told]:
    limits = allowance.limits
    try:
        process = start(_MODULE, str(limits.max_ratio), str(limits.max_expanded_mb), stdin=file)
    except OSError as error:
        raise Refused("malformed", f"The program that unpacks it could not be started: {error}.") from error
    try:
        yield _Told(process)
    finally:
        process.kill()
        cast(IO[bytes], process.stdout).close()
        process.wait()


def _same(stream: _Stream) -> _Stream:
    return stream


class _Told:
    """What the process says, piece by piece."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._pipe = cast(IO[bytes], process.stdout)

    def line(self) -> list[Any]:
        """The next line; `["finished"]` where there is none. Raises `Refused` if the process did not live to its end."""
        line = self._pipe.readline(_MAX_LINE_BYTES)
        if line.endswith(b"\n"):
            return cast("list[Any]", json.loads(line))
        code = self._process.wait()
        if code == -signal.SIGXCPU:
            raise Refused("timeout", "Unpacking it took too long and was given up. Pack it as zip.")
        if code or line:
            raise Refused(
                "malformed", "It could not be unpacked: the program that does it crashed over it. Pack it as zip."
            )
        return ["finished"]

    def data(self, size: int) -> bytes:
        return self._pipe.read(size)


class _Stream:
    """One file. Raises `Refused` at its end if it turns out to be damaged."""

    def __init__(self, told: _Told) -> None:
        self._told = told
        self._left = 0
        self._ended = False

    def read(self, size: int, /) -> bytes:
        if not self._left and not self._ended:
            line = self._told.line()
            if line[0] == "data":
                self._left = int(line[1])
            else:
                self._ended = True
                if line[1]:
                    raise Refused(line[1], line[2])
        data = self._told.data(min(size, self._left))
        self._left -= len(data)
        return data

    def drain(self, allowance: Allowance) -> None:
        """Go on to its end: the next file begins there."""
        while block := self._rest():
            allowance.count_skipped(len(block))

    def _rest(self) -> bytes:
        try:
            return self.read(BLOCK)
        except Refused:
            return b""  # the file is damaged, but nobody has asked for the rest of it

    def close(self) -> None:
        """The process goes on with the next file."""
