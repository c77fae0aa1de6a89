"""What a run has used and may still use, counted for the whole tree of frames.

A call is admitted before it is sent, with an estimate reserved for it, and settled when it is over; so calls in flight
count. Helpers are stopped at nineteen twentieths of money, tokens and calls: the rest is kept for the root model, which
can still act on the advice and answer. Time and cancellation stop both. Unknown prices reserve and cost nothing here;
the run's totals say how many calls that was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from rlm_core.errors import LimitHit
from rlm_core.events import CallRole
from rlm_core.lm.client import Request
from rlm_core.lm.prices import estimated_usd
from rlm_core.lm.tokens import estimated_tokens
from rlm_core.task import Limits, Usage

HELPER_SHARE = 0.95
ASSUMED_OUTPUT_TOKENS = 500


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call in flight may turn out to cost."""

    tokens: int
    usd: float


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

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._calls = 0
        self._helper_calls = 0
        self._tokens = 0
        self._usd = 0.0
        self._unpriced = 0
        self._unmeasured = 0
        self._reserved_tokens = 0
        self._reserved_usd = 0.0

    def admit(self, request: Request) -> Reservation:
        """Reserve for a call that is about to be sent, or raise `LimitHit`."""
        tokens = sum(estimated_tokens(message.text) for message in request.messages)
        usd = estimated_usd(request.model, tokens, ASSUMED_OUTPUT_TOKENS) or 0.0
        with self._lock:
            self._check(request.role, tokens, usd)
            self._calls += 1
            self._helper_calls += int(request.role != "root")
            self._reserved_tokens += tokens
            self._reserved_usd += usd
        return Reservation(tokens, usd)

    def _check(self, role: CallRole, tokens: int, usd: float) -> None:
        self.check_time()
        share = 1.0 if role == "root" else HELPER_SHARE
        limits = self.limits
        if role != "root" and self._calls >= limits.max_calls:
            raise LimitHit("max_calls", self._calls, limits.max_calls)
        used_tokens = self._tokens + self._reserved_tokens
        if limits.max_tokens is not None and used_tokens + tokens > limits.max_tokens * share:
            raise LimitHit("max_tokens", used_tokens, limits.max_tokens)
        used_usd = self._usd + self._reserved_usd
        if limits.max_usd is not None and used_usd + usd > limits.max_usd * share:
            raise LimitHit("max_usd", used_usd, limits.max_usd)

    def check_time(self) -> None:
        """Raise `LimitHit` once the run's wall clock is used up."""
        elapsed_s = self._clock() - self._started
        if elapsed_s >= self.limits.timeout_s:
            raise LimitHit("timeout_s", elapsed_s, self.limits.timeout_s)

    def settle(
        self, reservation: Reservation, usage: Usage | None, cost_usd: float | None, *, sent: bool = True
    ) -> None:
        """Give the reservation back and count what the call really used."""
        with self._lock:
            self._reserved_tokens -= reservation.tokens
            self._reserved_usd -= reservation.usd
            if usage:
                self._tokens += (usage.input_tokens or 0) + (usage.output_tokens or 0)
            self._usd += cost_usd or 0.0
            self._unpriced += int(sent and cost_usd is None)
            self._unmeasured += int(sent and (usage is None or usage.input_tokens is None))

    def spent(self) -> Spent:
        with self._lock:
            return Spent(
                self._calls,
                self._helper_calls,
                self._tokens,
                self._usd,
                self._unpriced,
                self._unmeasured,
                self._clock() - self._started,
            )

    @property
    def remaining_s(self) -> float:
        """Seconds left of the run's wall clock, never below 1: a request needs some timeout."""
        return max(1.0, self.limits.timeout_s - (self._clock() - self._started))
