"""When a request is repeated: only where providers do not charge for the first one, and no later than is of use.

Repeated are refused connections, 429, 500 and 503 (`complaints.py` says which errors these are); never a timeout, a gateway's
error or a broken reply, behind which the model may have answered. It knows errors and clocks, and nothing of HTTP.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from rlm_core.errors import CallError, CallErrorKind, Retry
from rlm_core.lm.client import Reply

ATTEMPTS = 4
MAX_WAIT_S = 60.0
"""A server that asks for more than this is not waited for: whoever asked can do better with the time."""
REASON_CHARS = 300
"""So much is kept of what an attempt failed with."""
_BACKOFF_S = (0.5, 1.0, 2.0)
_WORTH_ANOTHER_TRY: frozenset[CallErrorKind] = frozenset({"rate_limit", "server", "unreachable"})


async def with_retries(attempt: Callable[[int], Awaitable[Reply]], timeout_s: float) -> Reply:
    """The reply of the first attempt that gives one, with those before it; `attempt` is called with its number from 1.

    No attempt begins later than `timeout_s` after the first, and each may take its own whole time once it has begun: cutting
    it short would pay for a reply that nobody gets.
    """
    began = time.monotonic()
    failed: tuple[Retry, ...] = ()
    for number in range(1, ATTEMPTS + 1):
        try:
            return replace(await attempt(number), retries=failed)
        except CallError as error:
            error.attempts, error.retries = number, failed
            wait_s = _wait_s(error, number)
            left_s = timeout_s - (time.monotonic() - began)
            if wait_s is None or wait_s > left_s:
                raise
            failed = (*failed, Retry(error.kind, str(error)[:REASON_CHARS], wait_s))
            await asyncio.sleep(wait_s)
    raise AssertionError("not reached: the last attempt is never waited after")


def _wait_s(error: CallError, attempts: int) -> float | None:
    """How long to wait before the next attempt; `None` if there is to be none. A little chance keeps a thousand requests
    that were refused together from coming back together."""
    if attempts == ATTEMPTS or error.kind not in _WORTH_ANOTHER_TRY or error.maybe_paid:
        return None
    if error.retry_after_s is None:
        return _BACKOFF_S[attempts - 1] * random.uniform(1.0, 1.5)
    if error.retry_after_s > MAX_WAIT_S:
        return None
    return error.retry_after_s * random.uniform(1.0, 1.1)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """What a server asks to wait: seconds, milliseconds or a date. `None` if it does not say, or nothing that can be read."""
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            wait_s = float(headers[name]) * unit_s
        except (KeyError, ValueError):
            continue
        return max(0.0, wait_s) if math.isfinite(wait_s) else None
    until = _moment(headers.get("retry-after"))
    if until is None:
        return None
    now = _moment(headers.get("date")) or datetime.now(UTC)  # the server's own clock, where it tells it
    return max(0.0, (until - now).total_seconds())


def _moment(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
