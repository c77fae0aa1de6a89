"""The mails of a mailbox (mbox), in stored order.

Covered: mailboxes of any size (one line is in memory at a time), both kinds of line ends. Not covered: the rare kind that
relies on `Content-Length`; `>From ` within a mail stays as stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from rlm_core.corpus.limits import Refused
from rlm_core.corpus.members import Member

_LINE_BYTES = 64 * 1024
_BEGINNING = re.compile(rb"From [^\n]{1,200}\d\d:\d\d")
"""Of the line before a mail; a sentence that begins with "From" has no time of day."""


def members(file: BinaryIO) -> Iterator[Member]:
    """Each mail as `message-<n>.eml`. Raises `Refused` where none begins."""
    number = 0
    for number, (start, end) in enumerate(_spans(file), 1):
        yield Member(f"message-{number}.eml", end - start, partial(_Span, file, start, end))
    if not number:
        raise Refused("malformed", "It is named as a mailbox, but no mail begins in it. Name it .txt or .eml.")


def _spans(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Where each mail starts, behind its line "From ...", and ends."""
    position, start, after_blank = 0, -1, True
    file.seek(0)
    while line := file.readline(_LINE_BYTES):
        if after_blank and _BEGINNING.match(line):
            if start >= 0:
                yield start, position
                file.seek(position + len(line))  # whoever read the mail has moved it
            start = position + len(line)
        after_blank = line in (b"\n", b"\r\n")
        position += len(line)
    if start >= 0:
        yield start, position


class _Span:
    """A part of a file that others read, too."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        self._file = file
        self._position = start
        self._end = end

    def read(self, size: int, /) -> bytes:
        self._file.seek(self._position)
        block = self._file.read(min(size, self._end - self._position))
        self._position += len(block)
        return block

    def close(self) -> None:
        """The file stays open: it is not this part's."""
