"""Names of the things that happen in a frame, and the pairs of events that open and close them.

The one place that emits a Started and its Finished, whatever happens in between; so nothing that begins can stay open.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from rlm_core.errors import RunCancelled
from rlm_core.events import Body, Event

Emit = Callable[[str, str | None, Body], Event]
"""Records a fact: span, parent, body. When it returns, the fact is on disk (`store/recorder.py`)."""

Fact = tuple[str, str | None, Body]
EmitAll = Callable[[Sequence[Fact]], Sequence[Event]]
"""Records facts together: all of them are on disk when it returns, none when it raises."""


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


class Gathered:
    """Facts of the tasks of one event loop. Those that come in one round of the loop are recorded together, in their order, which
    costs a fraction of one by one when a hundred calls are under way."""

    def __init__(self, emit_all: EmitAll) -> None:
        self._emit_all = emit_all
        self._facts: list[Fact] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._broke: Exception | None = None
        """What recording has raised. From then on nothing is recorded: an end must not come without its beginning."""

    def add(self, span: str, parent: str | None, body: Body) -> None:
        """Record a fact without waiting for it: `settled` does."""
        if not self._facts:
            asyncio.get_running_loop().call_soon(self._record)
        self._facts.append((span, parent, body))

    def emit(self, span: str, parent: str | None, body: Body) -> asyncio.Future[None]:
        """Done once the fact is recorded, with whatever recording it has raised. A cancelled task's facts are recorded too."""
        self.add(span, parent, body)
        recorded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(recorded)
        return recorded

    async def settled(self) -> None:
        """Wait until all facts so far are recorded. Raises what recording has raised."""
        if self._facts:
            recorded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(recorded)
            await recorded
        elif self._broke is not None:
            raise self._broke

    def _record(self) -> None:
        facts, self._facts = self._facts, []
        waiting, self._waiting = self._waiting, []
        try:
            if self._broke is None:
                self._emit_all(facts)
        except Exception as error:  # the tasks that wait get it, and the loop goes on
            self._broke = error
        for recorded in waiting:
            if recorded.done():
                continue  # its task was cancelled
            if self._broke is None:
                recorded.set_result(None)
            else:
                recorded.set_exception(self._broke)


@asynccontextmanager
async def gathered_pair(
    facts: Gathered, span: str, parent: str | None, started: Body, failed: Callable[[BaseException], Body]
) -> AsyncIterator[Pair]:
    """`pair` for a task of an event loop, which goes on without waiting for the end to be recorded: whoever uses what came of
    it waits until the facts are `settled`."""
    opened = Pair()
    begun = facts.emit(span, parent, started)
    try:
        await begun
        yield opened
    except BaseException as error:
        if begun.cancelled() or not begun.exception():  # else it never began
            facts.add(span, parent, opened.finished or failed(error))
        raise
    facts.add(span, parent, opened.finished or failed(RunCancelled("nothing came back")))


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
