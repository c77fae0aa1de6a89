"""The worker beside the app: one while the app lives, another when it dies, none afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from app.worker_process import worker_beside


def children() -> set[int]:
    """Processes of this one that run the worker."""
    found = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_bytes()
        except (OSError, ValueError):
            continue  # it ended while we looked
        if parent == os.getpid() and b"rlm_core.jobs.worker" in command:
            found.add(int(entry.name))
    return found


async def until(condition, timeout_s=20.0):
    for _ in range(int(timeout_s / 0.1)):
        if condition():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("It did not come to be.")


def test_a_worker_that_is_killed_is_replaced_and_none_is_left_at_the_end(tmp_path: Path):
    async def live() -> None:
        async with worker_beside(tmp_path):
            await until(lambda: len(children()) == 1)
            (first,) = children()
            os.kill(first, signal.SIGKILL)
            await until(lambda: children() - {first})
            assert len(children()) == 1

    asyncio.run(live())
    assert children() == set()
