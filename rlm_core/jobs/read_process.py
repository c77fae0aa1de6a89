"""The process that reads one upload: `python -m rlm_core.jobs.read_process HOME`. `upload_reading.py` speaks with it.

One line of input, `[folder, names]`, says what to read. Each line of output is `[kind, value]`: `files`, how many have been
read so far; at the end `archive`, its id and whether the same files had been read before, or `nothing`, the report of an
upload without any text, or `problem`, a sentence. When its input ends, it gives up.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlm_core.corpus.ingest import Source
from rlm_core.corpus.report import Item
from rlm_core.errors import StudioError
from rlm_core.jobs.asking import NothingRead, load_archive
from rlm_core.store.store import Store

TOLD_EVERY_S = 0.25


def main() -> None:
    request = sys.stdin.buffer.readline()
    if not request:
        return
    threading.Thread(target=_give_up_when_input_ends, daemon=True).start()
    folder, names = json.loads(request)
    try:
        _tell(*_outcome(Path(sys.argv[1]), Path(folder), names))
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(1)  # given up: nobody waits for an answer


def _give_up_when_input_ends() -> None:
    os.read(0, 1)  # not `sys.stdin`, whose lock would be held while the interpreter ends
    _thread.interrupt_main()


def _outcome(home: Path, folder: Path, names: Sequence[str]) -> tuple[str, Any]:
    sources = [Source(name, folder / str(number)) for number, name in enumerate(names)]
    try:
        corpus, report = load_archive(Store.open(home), sources, name=_name_of_folder(names), on_item=_Progress())
        return "archive", (corpus.id, report.already_here)
    except NothingRead as nothing:
        return "nothing", nothing.report.to_dict()
    except StudioError as error:
        return "problem", str(error)
    except OSError as error:
        return "problem", f"The archive cannot be written to {home}: {error.strerror}. Nothing of it was kept."


def _name_of_folder(names: Sequence[str]) -> str | None:
    """The folder that was uploaded, if all files come from one."""
    folder, separator, _ = names[0].partition("/")
    return folder if separator and all(name.startswith(folder + separator) for name in names) else None


class _Progress:
    """Tells how many files have been read, a few times each second."""

    def __init__(self) -> None:
        self._files, self._told_at = 0, time.monotonic()

    def __call__(self, _: Item) -> None:
        self._files += 1
        if time.monotonic() - self._told_at >= TOLD_EVERY_S:
            self._told_at = time.monotonic()
            _tell("files", self._files)


def _tell(kind: str, value: object) -> None:
    sys.stdout.write(json.dumps([kind, value]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
