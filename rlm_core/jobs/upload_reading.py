"""Has an upload read by a process of its own (`read_process.py`): what that takes of memory and processor time is not the app's.

The process can be started while the files still arrive, so that it is ready when they have. It ends with its input, so it
cannot outlive whoever started it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from rlm_core.corpus.report import IngestReport
from rlm_core.errors import CorpusError
from rlm_core.jobs.asking import NothingRead

STOP_TIMEOUT_S = 5.0
_MODULE = "rlm_core.jobs.read_process"


@dataclass(frozen=True, slots=True)
class ReadUpload:
    """What an upload has become: the id of its archive, and whether the same files had become it before."""

    archive: str
    already_here: bool


class Reading:
    """A process that reads one upload into the store of `home`. To be closed."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _MODULE, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,  # Ctrl-C is for the app, which then lets go of its input
        )
        self._asked = False

    def read(self, folder: Path, names: Sequence[str], on_files: Callable[[int], None]) -> ReadUpload:
        """What the files `0`, `1`, ... of `folder` become; each has a name. `on_files` is told how many files have been read so
        far. Raises `CorpusError`, also when the reading was given up."""
        self._asked = True
        with suppress(BrokenPipeError, ValueError):  # it is gone, or was given up: it answers nothing
            self._input.write(json.dumps([str(folder), names]).encode() + b"\n")
            self._input.flush()
        for line in cast(IO[bytes], self._process.stdout):
            kind, value = json.loads(line)
            if kind == "files":
                on_files(value)
            elif kind == "archive":
                return ReadUpload(*value)
            elif kind == "nothing":
                raise NothingRead(IngestReport.from_dict(value))
            else:
                raise CorpusError(value)
        raise CorpusError("The files were not read to their end, and nothing of them was kept. Upload them again.")

    def give_up(self) -> None:
        """Let the process end where it is, and clean up behind itself. Any thread may say so."""
        with suppress(BrokenPipeError):
            self._input.close()

    def close(self) -> None:
        """End the process. As often as you like."""
        self.give_up()
        if not self._asked:  # it has nothing to clean up
            self._process.kill()
        cast(IO[bytes], self._process.stdout).close()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def _input(self) -> IO[bytes]:
        return cast(IO[bytes], self._process.stdin)
