"""The lines of a log, none longer than may be held, and the JSON object on one. Refuses to know what objects mean."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

from rlm_core.task import Json

MAX_LINE_BYTES = 512 * 1024 * 1024
MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""Of a file that is one object."""
TOO_LONG = b"\0"
"""In the place of a line that is longer: no form of a log can read it."""


def lines_of(log: BinaryIO, max_bytes: int = MAX_LINE_BYTES) -> Iterator[tuple[int, bytes]]:
    """Where each line begins, and the line."""
    while True:
        at, line = log.tell(), log.readline(max_bytes)
        if not line:
            return
        if len(line) == max_bytes and not line.endswith(b"\n"):
            line = TOO_LONG
            while (rest := log.readline(max_bytes)) and not rest.endswith(b"\n"):
                continue
        yield at, line


def json_line(line: bytes) -> Json | None:
    """The object on a line of a log, an empty one for an empty line; `None` for what is no object."""
    try:
        found = {} if line.isspace() or not line else json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def document_of(log: BinaryIO) -> tuple[Json, bytes]:
    """The object that a whole file is, and what the file holds. Of what is none, or too large, an empty one."""
    content = log.read(MAX_DOCUMENT_BYTES + 1)
    return (json_line(content) or {} if len(content) <= MAX_DOCUMENT_BYTES else {}), content
