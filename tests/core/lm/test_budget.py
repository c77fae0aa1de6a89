"""Limits are counted before a call is sent; what nobody reports goes on counting as it was estimated."""

from __future__ import annotations

import pytest

from rlm_core.errors import LimitHit
from rlm_core.lm.budget import Budget
from rlm_core.lm.client import Request
from rlm_core.task import Limits, Message, Usage


def request(role: str = "sub", chars: int = 400) -> Request:
    return Request("m", (Message("user", "x" * chars),), role)  # type: ignore[arg-type]


def budget(price: float | None = 0.01, **limits: float) -> Budget:
    return Budget(Limits(**limits), lambda model, i, o: price)  # type: ignore[arg-type]


def admitted(budget: Budget, role: str = "sub") -> int:
    """How many calls are admitted before the limit."""
    for count in range(1000):
        try:
            budget.admit(request(role))
        except LimitHit:
            return count
    return 1000


def test_calls_in_flight_count_with_their_estimate() -> None:
    assert admitted(budget(max_usd=0.1)) == 9
    assert admitted(budget(max_usd=0.1), "root") == 10


def test_helpers_leave_the_last_twentieth_and_the_last_call_to_the_root() -> None:
    calls = budget(max_calls=100)
    assert admitted(calls) == 95
    assert admitted(calls, "root") == 5
    few = budget(max_calls=2)
    assert admitted(few) == 1
    assert admitted(few, "root") == 1


def test_a_settled_call_counts_what_it_really_cost() -> None:
    counted = budget(max_usd=1.0)
    counted.settle(counted.admit(request()), Usage(10, 5), 0.25)
    spent = counted.spent()
    assert (spent.calls, spent.tokens, spent.usd, spent.unpriced_calls, spent.unmeasured_calls) == (1, 15, 0.25, 0, 0)
    assert admitted(counted) in (69, 70)


def test_a_call_of_unknown_cost_goes_on_counting_with_its_estimate() -> None:
    counted = budget(max_usd=0.1)
    for _ in range(9):
        counted.settle(counted.admit(request()), None, None)
    with pytest.raises(LimitHit, match="max_usd"):
        counted.admit(request())
    assert counted.spent().usd == 0
    assert counted.spent().unpriced_calls == 9


def test_a_call_that_was_never_sent_gives_its_reservation_back() -> None:
    counted = budget(max_usd=0.02)
    for _ in range(50):
        counted.settle(counted.admit(request()), None, None, sent=False)
    assert counted.spent().unpriced_calls == 0


def test_tokens_without_a_report_are_counted_as_estimated() -> None:
    counted = budget(price=None, max_tokens=1000)
    for _ in range(9):
        counted.settle(counted.admit(request()), None, None)
    with pytest.raises(LimitHit, match="max_tokens"):
        counted.admit(request())


def test_time_stops_the_root_too() -> None:
    now = [0.0]
    counted = Budget(Limits(timeout_s=10), lambda *_: None, lambda: now[0])
    counted.admit(request("root"))
    now[0] = 10.0
    with pytest.raises(LimitHit, match="timeout_s"):
        counted.admit(request("root"))
    assert counted.remaining_s == 1.0
