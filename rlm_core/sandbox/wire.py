"""Framed JSON between host and child: four bytes of length, then one JSON object in UTF-8.

Used by both ends. Knows bytes and sizes; refuses to know what a message means. Either end may be hostile to the other:
a frame that is too large, has too many values, is no JSON or is no object raises `BrokenFrame`. Values are counted before
they are read, because three bytes of JSON can become an object of a hundred; texts take up to four times their bytes.

Lone surrogates cannot be written in UTF-8. They become U+FFFD while a message is packed, and are counted.
"""

from __future__ import annotations

import json
import re
import struct
from _thread import allocate_lock

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from _socket import socket
    from typing import Any

LINE_BROKE = 70
"""Exit code of a child that could not read the line any more."""
MAX_FRAME_BYTES = 128 * 1024 * 1024
MAX_VALUES = 2_000_000
"""Items of lists and objects in one message."""
_VALUE_BYTES = 64
"""A small object of Python, roughly."""
_FEW_VALUES = 100_000
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_LENGTH = struct.Struct(">I")


class BrokenFrame(Exception):
    """The other end sent something that is not a message."""


class FrameTooLarge(ValueError):
    """A message is too large to cross. The text names its size and is fit to be shown to a model."""


def pack(message: dict[str, Any], max_bytes: int = MAX_FRAME_BYTES) -> tuple[bytes, int]:
    """The frame of `message`, and how many lone surrogates were replaced in it.

    Raises `FrameTooLarge`, and `TypeError` or `ValueError` where a value has no form in JSON.
    """
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    body, replaced = encode(text)
    if len(body) > max_bytes:
        raise FrameTooLarge(
            f"This is {len(body):,} bytes; at most {max_bytes:,} bytes can pass between a cell and the program "
            "around it at once. Split it into several parts."
        )
    if (values := _values(body)) > MAX_VALUES:
        raise FrameTooLarge(
            f"This holds {values:,} items; at most {MAX_VALUES:,} can pass between a cell and the program around it at "
            "once. Split it into several parts, or make one text of it."
        )
    return _LENGTH.pack(len(body)) + body, replaced


def encode(text: str) -> tuple[bytes, int]:
    """UTF-8 of `text`, and the number of lone surrogates that became U+FFFD."""
    try:
        return text.encode("utf-8"), 0
    except UnicodeEncodeError:
        # Through UTF-16, so that two halves of a pair become the one character that they stand for.
        clean = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return clean.encode("utf-8"), clean.count("\ufffd") - text.count("\ufffd")


class Frames:
    """Puts the bytes of a stream together into messages."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> list[tuple[dict[str, Any], int]]:
        """The messages that `data` completes, each with the bytes that it takes in memory, roughly. Raises
        `BrokenFrame`."""
        self._bytes += data
        messages = []
        while len(self._bytes) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._bytes)
            if length > MAX_FRAME_BYTES:
                raise BrokenFrame(f"a frame of {length:,} bytes; at most {MAX_FRAME_BYTES:,} are allowed")
            end = _LENGTH.size + length
            if len(self._bytes) < end:
                break
            with memoryview(self._bytes) as view:
                body = bytes(view[_LENGTH.size : end])
            del self._bytes[:end]
            values = _values(body)
            if values > MAX_VALUES:
                raise BrokenFrame(f"a frame of {values:,} values; at most {MAX_VALUES:,} are allowed")
            messages.append((_message(body), length + values * _VALUE_BYTES))
        return messages


def _values(body: bytes) -> int:
    """How many values this JSON holds, at most. Exact only where there may be many: then commas in texts do not count."""
    most = _marks(body)
    if most <= _FEW_VALUES:
        return most
    texts = (body.count(b'"') - body.count(b'\\"')) // 2
    return texts if texts > 2 * MAX_VALUES else _marks(_TEXT.sub(b"", body))


def _marks(body: bytes) -> int:
    return body.count(b",") + body.count(b"[") + body.count(b"{")


def _message(body: bytes) -> dict[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BrokenFrame(f"a frame that is no JSON: {error}") from error
    if not isinstance(message, dict):
        raise BrokenFrame(f"a frame that holds a {type(message).__name__} instead of an object")
    return message


class Channel:
    """One end of the line. Many threads may send; one thread receives."""

    def __init__(self, end: socket) -> None:
        self._end = end
        self._sending = allocate_lock()
        self._frames = Frames()

    def fileno(self) -> int:
        return self._end.fileno()

    def send(self, message: dict[str, Any]) -> int:
        """Send one message; returns the number of lone surrogates replaced. Raises as `pack`, and `OSError`."""
        frame, replaced = pack(message)
        with self._sending:
            self._end.sendall(frame)
        return replaced

    def receive(self) -> list[tuple[dict[str, Any], int]] | None:
        """Read once: the messages that are complete now, each as `Frames.feed` gives it; `None` when the other end is gone.
        Raises `BrokenFrame`."""
        try:
            data = self._end.recv(1 << 20)
        except ConnectionError:
            return None
        return self._frames.feed(data) if data else None

    def close(self) -> None:
        self._end.close()
