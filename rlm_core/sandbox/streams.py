"""`sys.stdout` and `sys.stderr` of a cell: one text, in order, bounded.

Runs in the child. Up to a number of characters everything goes to the host through a pipe, so that it survives the
death of the child; beyond that only the tail is kept here and handed over when the cell ends.
"""

from __future__ import annotations

import io
import os
from _thread import RLock
from time import monotonic

from rlm_core.sandbox.capture import Tail
from rlm_core.sandbox.wire import encode

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from typing import Any

_BUFFERED_CHARS = 8_192
_BUFFERED_S = 0.002
_EAGER_LINES = 200
"""So many lines of a cell go out at once; later ones are gathered for a moment."""


class Output:
    """Collects what a cell writes. Any thread may write."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self._descriptor = descriptor
        self._limit = limit
        self._lock = RLock()
        self.begin()

    def begin(self) -> None:
        """A new cell starts."""
        self._buffer: list[str] = []
        self._buffered = 0
        self._flushed_at = 0.0
        self._eager = _EAGER_LINES
        self._room = self._limit
        self._tail = Tail(self._limit // 2)
        self.replaced = 0

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() takes a str, not {type(text).__name__}")
        length = len(text)
        with self._lock:
            self._buffer.append(text)
            self._buffered += length
            if self._buffered >= _BUFFERED_CHARS:
                self.flush()
            elif text[-1:] == "\n":
                self._eager -= 1
                if self._eager > 0 or monotonic() - self._flushed_at > _BUFFERED_S:
                    self.flush()
        return length

    def flush(self) -> None:
        with self._lock:
            if not self._buffer:
                return
            text, self._buffer, self._buffered = "".join(self._buffer), [], 0
            now = text[: self._room]
            self._room -= len(now)
            if len(now) < len(text):
                self._tail.add(text, len(now))
            data, replaced = encode(now)
            self.replaced += replaced
            while data:
                data = data[os.write(self._descriptor, data) :]
            self._flushed_at = monotonic()

    def end(self) -> tuple[int, str]:
        """The cell is over: how many characters were dropped, and the text after them."""
        self.flush()
        tail = self._tail.text()
        return self._tail.total - len(tail), tail


class TextStream(io.TextIOBase):
    """A text file that writes into an `Output`."""

    def __init__(self, output: Output, descriptor: int) -> None:
        self._output = output
        self._descriptor = descriptor
        # No method of its own: a million small prints would pay for one more call each.
        self.write = output.write  # type: ignore[method-assign]
        self.buffer = _ByteStream(self)

    encoding = "utf-8"
    errors = "replace"

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        self._output.flush()

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        """A cell cannot close its output."""


class _ByteStream(io.BufferedIOBase):
    def __init__(self, text: TextStream) -> None:
        self._text = text

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._text.write(bytes(data).decode("utf-8", "replace"))
        return len(data)
