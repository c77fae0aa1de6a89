"""What a run has used and may still use, counted for the whole tree of frames.

A call is admitted before it is sent, with an estimate reserved for it, and settled when it is over; so calls in flight
count. A call that was sent and whose cost or tokens nobody has reported goes on counting with its estimate: unknown is not
zero where money is at stake. Helpers are stopped at nineteen twentieths of money, tokens and calls, and one call before the
last: the rest is kept for the root model, which can still act on the advice and answer. Time stops both. A model without
any known price reserves nothing; what was spent says how many calls that was.

Nobody knows how long a reply will be. So near a limit calls wait for those in flight: together they may not be able to go
over it, each taken to write up to `LONG_OUTPUT_TOKENS`. One that is alone is sent if its estimate fits.
Not covered: a reply longer than that, or of one that is alone, may go over a limit by what it is longer; none is sent then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rlm_core.errors import LimitHit
from rlm_core.lm.client import Request
from rlm_core.task import Json, Limits, Usage
from rlm_core.tokens import estimated_tokens

Price = Callable[[str, int, int], float | None]
"""Model, input tokens and output tokens to US dollars, or `None` where the price is unknown (`LM.estimated_usd`)."""

HELPER_SHARE = 0.95
ASSUMED_OUTPUT_TOKENS = 500
LONG_OUTPUT_TOKENS = 16_384
"""What a reply may come to, its reasoning included, when calls in flight are weighed against what is left."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call in flight may turn out to cost."""

    tokens: int
    usd: float
    more_usd: float
    """By how much more it may cost if its reply is long."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used so far: settled calls, as far as known."""

    calls: int
    helper_calls: int
    tokens: int
    usd: float
    unpriced_calls: int
    unmeasured_calls: int
    """Calls that were sent and whose tokens nobody has reported."""
    elapsed_s: float


class Budget:
    """Counts one run against its limits. Safe to use from any thread."""

    def __init__(self, limits: Limits, price: Price, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._price = price
        self._clock = clock
        self._started = clock()
        self._paused_at: float | None = None
        self._lock = threading.Lock()
        self._calls = 0
        self._helper_calls = 0
        self._tokens = 0
        self._usd = 0.0
        self._unpriced = 0
        self._unmeasured = 0
        self._held_tokens = 0
        self._held_usd = 0.0
        self._in_flight = 0
        self._more_usd = 0.0

    def admit(self, request: Request, *, in_child: bool = False) -> Reservation | None:
        """Reserve for a call that is about to be sent, or raise `LimitHit`. `in_child`: a child frame makes it. `None`: it has
        to wait until one in flight is settled, and then ask again."""
        tokens = sum(estimated_tokens(message.text) for message in request.messages)
        usd = self._price(request.model, tokens, ASSUMED_OUTPUT_TOKENS) or 0.0
        more_usd = max(0.0, (self._price(request.model, tokens, LONG_OUTPUT_TOKENS) or 0.0) - usd)
        with self._lock:
            self._check(tokens, usd, last_word=request.role == "root" and not in_child)
            if self._in_flight and not self._fits_if_long(tokens, usd + more_usd):
                return None
            self._calls += 1
            self._helper_calls += int(request.role != "root" or in_child)
            self._held_tokens += tokens
            self._held_usd += usd
            self._in_flight += 1
            self._more_usd += more_usd
        return Reservation(tokens, usd, more_usd)

    def _fits_if_long(self, tokens: int, usd: float) -> bool:
        """Whether all that is in flight and one more stay within the limits even if their replies are long."""
        limits = self.limits
        long_tokens = self._tokens + self._held_tokens + tokens + (self._in_flight + 1) * LONG_OUTPUT_TOKENS
        long_usd = self._usd + self._held_usd + self._more_usd + usd
        return (limits.max_tokens is None or long_tokens <= limits.max_tokens) and (
            limits.max_usd is None or long_usd <= limits.max_usd
        )

    def check_helper(self) -> None:
        """Raise `LimitHit` if no helper may be asked any more, whatever it is asked."""
        with self._lock:
            self._check(0, 0.0, last_word=False)

    def _check(self, tokens: int, usd: float, *, last_word: bool) -> None:
        self.check_time()
        share = 1.0 if last_word else HELPER_SHARE
        limits = self.limits
        calls = limits.max_calls if last_word else min(int(limits.max_calls * share), limits.max_calls - 1)
        if self._calls >= calls:
            raise LimitHit("max_calls", self._calls, limits.max_calls)
        used_tokens = self._tokens + self._held_tokens
        if limits.max_tokens is not None and used_tokens + tokens > limits.max_tokens * share:
            raise LimitHit("max_tokens", used_tokens, limits.max_tokens)
        used_usd = self._usd + self._held_usd
        if limits.max_usd is not None and used_usd + usd > limits.max_usd * share:
            raise LimitHit("max_usd", used_usd, limits.max_usd)

    def check_time(self) -> None:
        """Raise `LimitHit` once the run's wall clock is used up."""
        elapsed_s = self._elapsed_s
        if elapsed_s >= self.limits.timeout_s:
            raise LimitHit("timeout_s", elapsed_s, self.limits.timeout_s)

    def settle(
        self, reservation: Reservation, usage: Usage | None, cost_usd: float | None, *, sent: bool = True
    ) -> None:
        """Count what the call really used in place of its reservation, which stays where that is unknown."""
        measured = usage is not None and usage.input_tokens is not None
        with self._lock:
            self._in_flight -= 1
            self._more_usd -= reservation.more_usd
            if usage:
                self._tokens += (usage.input_tokens or 0) + (usage.output_tokens or 0)
            self._usd += cost_usd or 0.0
            if measured or not sent:
                self._held_tokens -= reservation.tokens
            else:
                self._unmeasured += 1
            if cost_usd is not None or not sent:
                self._held_usd -= reservation.usd
            else:
                self._unpriced += 1

    def take_over(self, usage: Usage | None, cost_usd: float | None, *, helper: bool) -> None:
        """Count a call that an earlier life has paid for: the limits hold for the whole way, however often it was begun."""
        with self._lock:
            self._calls += 1
            self._helper_calls += int(helper)
            self._tokens += (usage.input_tokens or 0) + (usage.output_tokens or 0) if usage else 0
            self._usd += cost_usd or 0.0

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The run's clock stands still: it waits for a person. One at a time (`approvals.py`)."""
        self._paused_at = self._clock()
        try:
            yield
        finally:
            with self._lock:
                self._started += self._clock() - self._paused_at
                self._paused_at = None

    def spent(self) -> Spent:
        with self._lock:
            return Spent(
                self._calls,
                self._helper_calls,
                self._tokens,
                self._usd,
                self._unpriced,
                self._unmeasured,
                self._elapsed_s,
            )

    @property
    def remaining_s(self) -> float:
        """Seconds left of the run's wall clock, never below 1: a request needs some timeout."""
        return max(1.0, self.left_s)

    @property
    def left_s(self) -> float:
        """The same as it is: not above 0 once it is used up."""
        return self.limits.timeout_s - self._elapsed_s

    @property
    def _elapsed_s(self) -> float:
        paused_at = self._paused_at
        return (self._clock() if paused_at is None else paused_at) - self._started


def used_and_allowed(spent: Spent, limits: Limits, turns: int) -> Json:
    """What is used and what is allowed, as a cell is told; `None` where there is no limit."""
    return {
        "turns": {"used": turns, "allowed": limits.max_turns},
        "calls": {"used": spent.calls, "allowed": limits.max_calls},
        "tokens": {"used": spent.tokens, "allowed": limits.max_tokens, "calls_without_count": spent.unmeasured_calls},
        "usd": {"used": round(spent.usd, 6), "allowed": limits.max_usd, "calls_of_unknown_price": spent.unpriced_calls},
        "seconds": {"used": round(spent.elapsed_s, 1), "allowed": limits.timeout_s},
    }
