"""The process that reads one upload: `python -m rlm_core.jobs.read_process HOME`. `upload_reading.py` speaks with it.

One line of input, `[what, folder, names]`, says what to read, and as what (`What` in `upload_reading.py`). Each line of output
is `[kind, value]`. Of an archive: `files`, how many have been read so far; at the end its id and whether the same files had been
read before, or `nothing`, the report of an upload without any text. Of logs: `bytes`, how many have been read so far; `run`, one
that was taken over or is here already; `unread`, why a file was not read to its end; at the end `runs`. In the place of an
archive where all files are logs: `logs`, the tools that wrote them. Or `problem`, a sentence. When its input ends, it gives up.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from rlm_core.corpus.ingest import Source
from rlm_core.errors import StudioError
from rlm_core.jobs import importing
from rlm_core.jobs.asking import NothingRead, load_archive
from rlm_core.store.store import Store

TOLD_EVERY_S = 0.25
Files = Sequence[tuple[str, Path]]
"""What people call each file, and where it lies."""


def main() -> None:
    request = sys.stdin.buffer.readline()
    if not request:
        return
    threading.Thread(target=_give_up_when_input_ends, daemon=True).start()
    what, folder, names = json.loads(request)
    files = [(name, Path(folder) / str(number)) for number, name in enumerate(names)]
    read = _runs if what == "runs" else _archive
    try:
        tools = _tools(files) if what == "archive unless logs" else []
        _tell(*(("logs", tools) if tools else read(Path(sys.argv[1]), files)))
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(1)  # given up: nobody waits for an answer


def _give_up_when_input_ends() -> None:
    os.read(0, 1)  # not `sys.stdin`, whose lock would be held while the interpreter ends
    _thread.interrupt_main()


def _tools(files: Files) -> list[str]:
    """The tools that wrote these files, none if any of them is no log."""
    found = dict[str, None]()
    for _, file in files:
        tool = importing.tool_of(file)
        if tool is None:
            return []
        found[tool] = None
    return list(found)


def _archive(home: Path, files: Files) -> tuple[str, Any]:
    sources = [Source(name, file) for name, file in files]
    name, read = _name_of_folder([name for name, _ in files]), _Progress("files")
    try:
        corpus, report = load_archive(Store.open(home), sources, name=name, on_item=lambda _: read.more(1))
        return "archive", (corpus.id, report.already_here)
    except NothingRead as nothing:
        return "nothing", nothing.report.to_dict()
    except StudioError as error:
        return "problem", str(error)
    except OSError as error:
        return "problem", f"The archive cannot be written to {home}: {error.strerror}. Nothing of it was kept."


def _runs(home: Path, files: Files) -> tuple[str, Any]:
    importing.limit_memory()
    read = _Progress("bytes")
    try:
        store = Store.open(home)
    except StudioError as error:
        return "problem", str(error)
    for name, file in files:
        before = read.so_far
        try:
            for run in importing.import_runs(store, file, name, lambda at: read.reach(before + at)):  # noqa: B023
                _tell("run", astuple(run))
        except importing.NothingNew:
            pass  # which its runs have said
        except StudioError as error:
            _tell("unread", str(error))
        read.reach(before + file.stat().st_size)
    return "runs", None


def _name_of_folder(names: Sequence[str]) -> str | None:
    """The folder that was uploaded, if all files come from one."""
    folder, separator, _ = names[0].partition("/")
    return folder if separator and all(name.startswith(folder + separator) for name in names) else None


class _Progress:
    """Tells how far reading is, a few times each second."""

    def __init__(self, kind: str) -> None:
        self.so_far, self._kind, self._told_at = 0, kind, time.monotonic()

    def more(self, read: int) -> None:
        self.reach(self.so_far + read)

    def reach(self, so_far: int) -> None:
        self.so_far = max(self.so_far, so_far)
        if time.monotonic() - self._told_at >= TOLD_EVERY_S:
            self._told_at = time.monotonic()
            _tell(self._kind, self.so_far)


def _tell(kind: str, value: object) -> None:
    sys.stdout.write(json.dumps([kind, value]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
