"""One event loop for all model calls of a run, in a thread of its own.

Strategies are synchronous and live in threads of their own; they hand coroutines over and wait. One loop for the life of
the run: clients keep their connections, and no batch ever meets a closed loop. It knows nothing of models.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
CLOSE_TIMEOUT_S = 10.0


class ModelLoop:
    """Runs coroutines, at most `concurrency` of them at once across all callers."""

    def __init__(self, concurrency: int) -> None:
        self._loop = asyncio.new_event_loop()
        self._concurrency = concurrency
        self._gate = asyncio.Semaphore(concurrency)
        self._in_flight: set[asyncio.Future[Any]] = set()
        self._cancelled = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="models", daemon=True)
        self._thread.start()

    def run_all(
        self, coroutines: Sequence[Coroutine[Any, Any, T]], then: Callable[[], Awaitable[None]] | None = None
    ) -> list[T | BaseException]:
        """Run them together and wait: results in order, a failure as its exception. Cancelled ones give `CancelledError`. `then`
        is awaited after them, and what it raises is raised."""
        return asyncio.run_coroutine_threadsafe(self._run_all(coroutines, then), self._loop).result()

    async def _run_all(
        self, coroutines: Sequence[Coroutine[Any, Any, T]], then: Callable[[], Awaitable[None]] | None
    ) -> list[T | BaseException]:
        """As many tasks as may be under way, each with one after another: a task for each would take memory and time."""
        results: list[T | BaseException] = [asyncio.CancelledError()] * len(coroutines)
        waiting = iter(enumerate(coroutines))
        tasks = [
            asyncio.ensure_future(self._work(waiting, results)) for _ in range(min(self._concurrency, len(coroutines)))
        ]
        self._in_flight.update(tasks)
        if self._cancelled:
            self._cancel_now()
        try:
            await asyncio.gather(*tasks, return_exceptions=True)
            if then is not None:
                await then()
            return results
        finally:
            self._in_flight.difference_update(tasks)
            for coroutine in coroutines:
                coroutine.close()  # one that was cancelled before its turn was never awaited

    async def _work(
        self, waiting: Iterator[tuple[int, Coroutine[Any, Any, T]]], results: list[T | BaseException]
    ) -> None:
        for place, coroutine in waiting:
            async with self._gate:  # shared with other callers, who come in between
                try:
                    results[place] = await coroutine
                except (Exception, asyncio.CancelledError) as error:
                    results[place] = error
            if self._cancelled:
                return

    def cancel(self) -> None:
        """Cancel everything in flight, and everything that is handed over from now on. From any thread, at any time."""
        try:
            self._loop.call_soon_threadsafe(self._cancel_now)
        except RuntimeError:
            return  # closed: there is nothing left to cancel

    def _cancel_now(self) -> None:
        self._cancelled = True
        for task in self._in_flight:
            task.cancel()

    def close(self, last: Coroutine[Any, Any, None] | None = None) -> None:
        """Run `last` (closing a client), then stop the loop and its thread. Raises what `last` raises, once all is stopped."""
        try:
            if last is not None:
                asyncio.run_coroutine_threadsafe(last, self._loop).result(CLOSE_TIMEOUT_S)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(CLOSE_TIMEOUT_S)
            if not self._thread.is_alive():
                self._loop.close()
