"""What tasks of one event loop have to record is recorded together, before any of them goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from rlm_core.errors import RunCancelled, StoreError
from rlm_core.events import Body, Event, Noted
from rlm_core.spans import Fact, Gathered, gathered_pair


class Disk:
    """Keeps what was recorded, by transaction; full from a certain transaction on."""

    def __init__(self, full_at: int = 1_000) -> None:
        self.transactions: list[list[str]] = []
        self._full_at = full_at

    @property
    def words(self) -> list[str]:
        return [word for each in self.transactions for word in each]

    def take(self, facts: Sequence[Fact]) -> list[Event]:
        if len(self.transactions) >= self._full_at:
            raise StoreError("The disk is full.")
        self.transactions.append([f"{span} {getattr(body, 'text', '')}" for span, _, body in facts])
        return []


def failed(error: BaseException) -> Body:
    return Noted("end", type(error).__name__)


async def work(facts: Gathered, disk: Disk, span: str, last: Body | BaseException | None) -> str:
    async with gathered_pair(facts, span, "f1", Noted("start", "began"), failed) as opened:
        assert f"{span} began" in disk.words
        await asyncio.sleep(0)
        if isinstance(last, BaseException):
            raise last
        opened.finished = last
    await facts.settled()
    assert disk.words.count(f"{span} began") == 1
    return span


def test_pairs_of_tasks_that_run_together_share_transactions() -> None:
    async def main() -> None:
        facts = Gathered(disk.take)
        spans = [f"k{number}" for number in range(50)]
        assert await asyncio.gather(*(work(facts, disk, span, Noted("end", "ended")) for span in spans)) == spans

    disk = Disk()
    asyncio.run(main())
    assert [len(each) for each in disk.transactions] == [50, 50]
    assert sorted(disk.words) == sorted(f"k{number} {word}" for number in range(50) for word in ("began", "ended"))


def test_whatever_happens_inside_a_pair_is_closed() -> None:
    async def main() -> list[object]:
        facts = Gathered(disk.take)
        ends = (ValueError("no"), None, RunCancelled("no"))
        return await asyncio.gather(
            *(work(facts, disk, f"k{number}", end) for number, end in enumerate(ends)), return_exceptions=True
        )

    disk = Disk()
    results = asyncio.run(main())
    assert [type(each) for each in results] == [ValueError, str, RunCancelled]
    assert disk.transactions[1] == ["k0 ValueError", "k1 RunCancelled", "k2 RunCancelled"]


@pytest.mark.parametrize("rounds", range(5))
def test_a_task_that_is_cancelled_at_any_moment_leaves_no_pair_open(rounds: int) -> None:
    async def main() -> None:
        facts = Gathered(disk.take)
        task = asyncio.create_task(work(facts, disk, "k1", Noted("end", "ended")))
        for _ in range(rounds):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        for _ in range(3):
            await asyncio.sleep(0)

    disk = Disk()
    asyncio.run(main())
    assert [word.split()[1] for word in disk.words] in ([], ["began", "CancelledError"], ["began", "ended"])
    assert rounds == 0 or disk.words


@pytest.mark.parametrize("full_at", range(3))
def test_what_cannot_be_recorded_stops_every_task_that_waits_for_it(full_at: int) -> None:
    async def main() -> list[object]:
        facts = Gathered(disk.take)
        return await asyncio.gather(
            *(work(facts, disk, f"k{number}", Noted("end", "ended")) for number in range(3)), return_exceptions=True
        )

    disk = Disk(full_at)
    results = asyncio.run(main())
    assert [type(each) for each in results] == [str if full_at == 2 else StoreError] * 3
    assert len(disk.transactions) == full_at


def test_an_end_is_not_recorded_without_its_beginning() -> None:
    async def main() -> None:
        facts = Gathered(lose_the_first)
        task = asyncio.create_task(work(facts, disk, "k1", Noted("end", "ended")))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    def lose_the_first(facts: Sequence[Fact]) -> list[Event]:
        tried.append(len(facts))
        if len(tried) == 1:
            raise StoreError("The disk is full.")
        return disk.take(facts)

    disk, tried = Disk(), list[int]()
    asyncio.run(main())
    assert (tried, disk.words) == ([1], [])


def test_an_end_is_not_waited_for_until_somebody_wants_the_facts_to_be_settled() -> None:
    async def main() -> None:
        facts = Gathered(disk.take)
        async with gathered_pair(facts, "k1", "f1", Noted("start", "began"), failed) as opened:
            opened.finished = Noted("end", "ended")
        assert disk.words == ["k1 began"]
        await facts.settled()
        assert disk.words == ["k1 began", "k1 ended"]
        await facts.settled()

    disk = Disk()
    asyncio.run(main())
    assert len(disk.transactions) == 2


def test_whoever_wants_the_facts_to_be_settled_is_told_that_they_cannot_be() -> None:
    async def main() -> None:
        facts = Gathered(disk.take)
        facts.add("k1", None, Noted("start", "began"))
        for _ in range(2):
            with pytest.raises(StoreError, match="The disk is full"):
                await facts.settled()

    disk = Disk(0)
    asyncio.run(main())
