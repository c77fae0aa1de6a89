"""Names of the things that happen in a frame, and the pairs of events that open and close them.

The one place that emits a Started and its Finished, whatever happens in between; so nothing that begins can stay open.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rlm_core.errors import RunCancelled
from rlm_core.events import Body, Event

Emit = Callable[[str, str | None, Body], Event]
"""Records a fact: span, parent, body. When it returns, the fact is on disk (`store/recorder.py`)."""


@dataclass(slots=True)
class Pair:
    """An open span that waits for the body which closes it."""

    finished: Body | None = None


@contextmanager
def pair(
    emit: Emit, span: str, parent: str | None, started: Body, failed: Callable[[BaseException], Body]
) -> Iterator[Pair]:
    """Emit `started`, and whatever happens inside, emit what closes it."""
    opened = Pair()
    emit(span, parent, started)
    try:
        yield opened
    except BaseException as error:
        emit(span, parent, opened.finished or failed(error))
        raise
    emit(span, parent, opened.finished or failed(RunCancelled("nothing came back")))


class Numbering:
    """Spans below a parent: `f1.t2` and `k` give `f1.t2.k1`, `f1.t2.k2`, ... From any thread."""

    def __init__(self) -> None:
        self._used: Counter[str] = Counter()
        self._lock = threading.Lock()

    def new(self, parent: str, letter: str) -> str:
        key = f"{parent}.{letter}"
        with self._lock:
            self._used[key] += 1
            return f"{key}{self._used[key]}"

    def used(self, parent: str, letter: str) -> int:
        """How many were given out."""
        return self._used[f"{parent}.{letter}"]
