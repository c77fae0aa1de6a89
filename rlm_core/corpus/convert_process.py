"""The process behind `Converter`: reads files from its standard input, writes their texts to its standard output.

    in    a line `<kind> <bytes> <seconds>`, then the file
    out   a line `ok|failed <bytes>`, then the text or the reason, in UTF-8

Knows which module converts a kind. Works until its input ends, and never longer on a file than it was given.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from typing import BinaryIO

from rlm_core.corpus.page import page_text

CONVERTERS: dict[str, Callable[[bytes], str]] = {"html": page_text}


def main(memory_mb: int, requests: BinaryIO, answers: BinaryIO) -> None:
    _limit(resource.RLIMIT_DATA, memory_mb * 1024 * 1024)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    while head := requests.readline():
        kind, size, seconds = head.decode("ascii").split()
        _limit(resource.RLIMIT_CPU, int(time.process_time()) + int(seconds) + 1)
        status, answer = _convert(kind, requests.read(int(size)))
        answers.write(f"{status} {len(answer)}\n".encode())
        answers.write(answer)
        answers.flush()


def _convert(kind: str, data: bytes) -> tuple[str, bytes]:
    try:
        return "ok", CONVERTERS[kind](data).encode("utf-8")
    except MemoryError:
        return "failed", b"it takes too much memory"
    except Exception as error:  # whatever a converter trips over is the file's own misfortune
        return "failed", f"{type(error).__name__}: {error}"[:500].encode("utf-8", "replace")


def _limit(kind: int, value: int) -> None:
    """Only the soft limit: it is raised again for the next file."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
