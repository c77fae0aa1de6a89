"""Batches of calls on the loop of a run: how many at once, in which order, and what a cancel leaves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from rlm_core.lm.loop import ModelLoop

AT_ONCE = 4


@pytest.fixture
def loop() -> Iterator[ModelLoop]:
    loop = ModelLoop(AT_ONCE)
    yield loop
    loop.close()


class Work:
    """Counts how many of it are under way."""

    def __init__(self) -> None:
        self.now = self.most = self.begun = 0

    async def do(self, number: int, rounds: int = 3) -> int:
        self.begun += 1
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            for _ in range(rounds):
                await asyncio.sleep(0)
            if number % 5 == 3:
                raise ValueError(f"no {number}")
            return number
        finally:
            self.now -= 1

    async def wait(self) -> None:
        self.begun += 1
        await asyncio.sleep(60)


def test_results_come_in_order_failures_among_them_and_never_more_at_once_than_allowed(loop: ModelLoop) -> None:
    work = Work()
    results = loop.run_all([work.do(number, rounds=number % 7) for number in range(50)])
    assert [str(each) for each in results] == [f"no {n}" if n % 5 == 3 else str(n) for n in range(50)]
    assert (work.most, work.now, work.begun) == (AT_ONCE, 0, 50)
    assert loop.run_all([]) == []


def test_callers_share_the_places_and_none_waits_for_the_whole_batch_of_another(loop: ModelLoop) -> None:
    work, ended = Work(), list[str]()

    async def note(word: str) -> None:
        await work.do(0)
        ended.append(word)

    def ask(word: str) -> None:
        asked.set()
        loop.run_all([note(word)])

    async def ask_from_another_thread() -> None:
        other.start()
        asked.wait()
        await asyncio.sleep(0.05)

    asked, other = threading.Event(), threading.Thread(target=ask, args=("other",))
    loop.run_all([ask_from_another_thread(), *(note("batch") for _ in range(1_000))])
    other.join()
    assert ended.index("other") < 900
    assert work.most <= AT_ONCE


def test_a_cancel_ends_what_is_under_way_and_nothing_begins_after_it(loop: ModelLoop) -> None:
    work = Work()
    timer = threading.Timer(0.1, loop.cancel)
    timer.start()
    results = loop.run_all([work.wait() for _ in range(20)])
    assert [type(each) for each in results] == [asyncio.CancelledError] * 20
    assert work.begun == AT_ONCE
    assert [type(each) for each in loop.run_all([work.wait()])] == [asyncio.CancelledError]
    assert work.begun == AT_ONCE
    timer.join()
