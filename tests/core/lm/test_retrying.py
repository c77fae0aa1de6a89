"""When a request is repeated, and how long it waits."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from rlm_core.closings import call_failed, call_finished
from rlm_core.errors import CallError, Retry
from rlm_core.lm.client import Reply
from rlm_core.lm.retrying import REASON_CHARS, retry_after_s, with_retries


def in_seconds(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:05 GMT", "date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 5.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_what_a_server_asks_to_wait_is_read_in_all_its_forms(headers: dict[str, str], wait_s: float | None) -> None:
    assert retry_after_s(headers) == wait_s


def test_a_date_without_the_servers_clock_is_measured_by_ours() -> None:
    wait_s = retry_after_s({"retry-after": in_seconds(30)})
    assert wait_s is not None
    assert 25 < wait_s <= 30


def test_no_attempt_begins_after_the_time_of_the_request() -> None:
    numbers = []

    async def refused(number: int) -> Reply:
        numbers.append(number)
        raise CallError("slow down", "rate_limit", retry_after_s=0.3)

    began = time.monotonic()
    with pytest.raises(CallError) as caught:
        asyncio.run(with_retries(refused, timeout_s=0.5))
    assert (numbers, caught.value.attempts) == ([1, 2], 2)
    assert time.monotonic() - began < 0.5


def test_each_attempt_that_came_to_nothing_is_kept_with_its_reason_and_the_wait_after_it() -> None:
    async def answered_at_last(number: int) -> Reply:
        if number < 3:
            raise CallError("slow down " * 100, "rate_limit", retry_after_s=0.01 * number)
        return Reply("now", "m", attempts=number)

    finished = call_finished(asyncio.run(with_retries(answered_at_last, timeout_s=5.0)))
    assert [(each.kind, len(each.reason)) for each in finished.retries] == [("rate_limit", REASON_CHARS)] * 2
    first_s, second_s = (each.wait_s for each in finished.retries)
    assert 0.01 <= first_s <= 0.011
    assert 0.02 <= second_s <= 0.022


def test_of_a_call_that_failed_in_the_end_the_attempts_before_the_last_are_kept() -> None:
    async def refused(number: int) -> Reply:
        if number == 1:
            raise CallError("busy", "server", retry_after_s=0.0)
        raise CallError("no key", "auth")

    with pytest.raises(CallError) as caught:
        asyncio.run(with_retries(refused, timeout_s=5.0))
    finished = call_failed(caught.value)
    assert (finished.error, finished.attempts, finished.retries) == ("no key", 2, (Retry("server", "busy", 0.0),))
