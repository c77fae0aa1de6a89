"""How much one search may cost. Documents and quotes are hostile: what would take forever is given up, and said to be."""

from __future__ import annotations

import time

MAX_CHARS = 32_000_000
"""Characters that one search may bring into normal form."""


class TooMuchWork(Exception):
    """The search is given up: neither found nor known to be absent."""


class Work:
    """What one search has cost so far."""

    def __init__(self, timeout_s: float, max_chars: int = MAX_CHARS) -> None:
        self._deadline = time.monotonic() + timeout_s
        self._chars_left = max_chars
        self.incomplete = False
        """Whether something was left out: what is not found may stand there."""

    def check(self) -> None:
        """Raises `TooMuchWork` when the time is up. To be called between steps that are short for sure."""
        if time.monotonic() > self._deadline:
            raise TooMuchWork

    def spend(self, chars: int) -> None:
        """Raises `TooMuchWork` when there are not so many characters left, or the time is up."""
        self._chars_left -= chars
        if self._chars_left < 0:
            raise TooMuchWork
        self.check()
