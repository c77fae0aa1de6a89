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
from typing import IO, Literal, cast

from rlm_core.corpus.report import IngestReport
from rlm_core.errors import CorpusError
from rlm_core.jobs.asking import NothingRead
from rlm_core.jobs.importing import Imported

STOP_TIMEOUT_S = 5.0
_MODULE = "rlm_core.jobs.read_process"
_CUT_OFF = "The files were not read to their end, and nothing of them was kept. Upload them again."
_CUT_OFF_RUNS = (
    "The logs were not read to their end. Runs that had come in by then are here; import the logs again for the rest."
)


What = Literal["archive", "runs", "archive unless logs"]
"""As what the files of an upload are read. `archive unless logs`: where all of them are logs, a person is to say which."""


@dataclass(frozen=True, slots=True)
class ReadUpload:
    """What an upload has become: the id of its archive, and whether the same files had become it before."""

    archive: str
    already_here: bool


@dataclass(frozen=True, slots=True)
class FoundLogs:
    """Nothing yet: all files of the upload are logs, by these tools."""

    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportedLogs:
    """The runs that were in the logs of an upload, and why any file was not read to its end, in sentences."""

    runs: tuple[Imported, ...]
    unread: tuple[str, ...] = ()


Read = ReadUpload | FoundLogs | ImportedLogs


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

    def read(
        self, folder: Path, names: Sequence[str], on_progress: Callable[[int], None], what: What = "archive"
    ) -> Read:
        """What the files `0`, `1`, ... of `folder` become; each has a name. `on_progress` is told how many files, of
        logs how many bytes, have been read so far. Raises `CorpusError`, also when the reading was given up."""
        self._asked = True
        runs, unread = list[Imported](), list[str]()
        with suppress(BrokenPipeError, ValueError):  # it is gone, or was given up: it answers nothing
            self._input.write(json.dumps([what, str(folder), names]).encode() + b"\n")
            self._input.flush()
        for line in cast(IO[bytes], self._process.stdout):
            match json.loads(line):
                case ["files" | "bytes", so_far]:
                    on_progress(so_far)
                case ["run", [run, is_new, tool, file, notes]]:
                    runs.append(Imported(run, is_new, tool, file, tuple(notes)))
                case ["unread", words]:
                    unread.append(words)
                case ["archive", [archive, already_here]]:
                    return ReadUpload(archive, already_here)
                case ["logs", tools]:
                    return FoundLogs(tuple(tools))
                case ["runs", _]:
                    return ImportedLogs(tuple(runs), tuple(unread))
                case ["nothing", report]:
                    raise NothingRead(IngestReport.from_dict(report))
                case [_, words]:
                    raise CorpusError(words)
        raise CorpusError(_CUT_OFF_RUNS if what == "runs" else _CUT_OFF)

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
