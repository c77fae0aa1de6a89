"""Keeps one worker process beside the app for as long as the app lives.

The worker's standard input is its lifeline: it ends when the pipe closes, so it cannot outlive an app that is killed. A
worker that dies is started again, a little later each time. What a worker does is `rlm_core.jobs.worker`'s business.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

log = logging.getLogger(__name__)

STOP_TIMEOUT_S = 8.0
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 30.0
HEALTHY_AFTER_S = 60.0
"""A worker that lived this long did not fail at its start: the next one is started without a long wait."""


@asynccontextmanager
async def worker_beside(home: Path) -> AsyncIterator[None]:
    """A worker for the data folder `home` while the context is open."""
    keeper = asyncio.create_task(_keep(home))
    try:
        yield
    finally:
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)


async def _keep(home: Path) -> None:
    wait_s = FIRST_WAIT_S
    while True:
        started, worker = time.monotonic(), _start(home)
        try:
            code = await _ended(worker)
        finally:
            await asyncio.shield(asyncio.to_thread(_stop, worker))
        if time.monotonic() - started > HEALTHY_AFTER_S:
            wait_s = FIRST_WAIT_S
        log.error("The worker ended with code %s; starting another in %g s.", code, wait_s)
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, LONGEST_WAIT_S)


def _start(home: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "rlm_core.jobs.worker", "--home", str(home)], stdin=subprocess.PIPE
    )


async def _ended(worker: subprocess.Popen[bytes]) -> int:
    while (code := worker.poll()) is None:
        await asyncio.sleep(0.5)
    return code


def _stop(worker: subprocess.Popen[bytes]) -> None:
    """Close the lifeline and wait; a worker that does not heed it is killed."""
    if worker.stdin:
        worker.stdin.close()
    try:
        worker.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        log.error("The worker did not end within %g s and is killed.", STOP_TIMEOUT_S)
        worker.kill()
        worker.wait()
