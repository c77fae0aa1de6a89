"""Text of unknown length kept in bounded memory: the head, the tail, and how much there was.

Used by both ends. Knows characters only.
"""

from __future__ import annotations

from collections import deque


class Tail:
    """Keeps at least the last `capacity` characters of what is added, and little more."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.total = 0
        """Characters added so far."""
        self._chunks: deque[str] = deque()
        self._kept = 0

    def add(self, text: str, start: int = 0) -> None:
        """Add `text` from `start` on, without a copy of what is not kept."""
        self.total += len(text) - start
        self._chunks.append(text[max(start, len(text) - self.capacity) :])
        self._kept += len(self._chunks[-1])
        while self._kept - len(self._chunks[0]) >= self.capacity:
            self._kept -= len(self._chunks.popleft())

    def text(self) -> str:
        """The last `capacity` characters."""
        return "".join(self._chunks)[-self.capacity :]


class HeadAndTail:
    """Keeps everything up to `limit` characters; beyond that the first and the last half of `limit`."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._head: list[str] = []
        self._room = limit - limit // 2
        self._tail = Tail(limit // 2)
        self._skipped = 0

    @property
    def total(self) -> int:
        """Characters of the whole text, kept or not."""
        return sum(map(len, self._head)) + self._tail.total + self._skipped

    def add(self, text: str) -> None:
        if self._room:
            self._head.append(text[: self._room])
            text = text[self._room :]
            self._room -= len(self._head[-1])
        if text:
            self._tail.add(text)

    def skip(self, chars: int) -> None:
        """Count `chars` characters that were dropped elsewhere; at least half of `limit` must be added after them."""
        self._skipped += chars

    def text(self) -> str:
        """The text, with a line in the place of what was not kept."""
        head, tail = "".join(self._head), self._tail.text()
        lost = self.total - len(head) - len(tail)
        return f"{head}\n[... {lost:,} characters not kept ...]\n{tail}" if lost else head + tail
