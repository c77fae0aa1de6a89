"""A cell under way, and its clock, which stands still while the cell waits for models or a search.

Knows seconds; refuses to know what is done when they are used up. Not safe for threads: its owner locks.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from rlm_core.sandbox.capture import HeadAndTail
from rlm_core.sandbox.contract import CellLimits, CellResult

_LOOK_AGAIN_S = 0.1


@dataclass(slots=True)
class RunningCell:
    """`used_s` counts up to `counting_since`, the last moment when the clock was set going."""

    number: int
    output: HeadAndTail
    replaced: int = 0
    result: CellResult | None = None
    awaited: int = 0
    """Requests under way whose time is not the cell's: to models, and searches."""
    used_s: float = 0.0
    counting_since: float = field(default_factory=time.monotonic)
    run_is_over: bool = False
    """The run's own time is used up: from then on waiting for models counts, for a cell can always have some request under
    way."""
    interrupted_at: float | None = None

    def time_left(self, limits: CellLimits, now: float, run_left_s: float) -> float:
        """Seconds until something must be done about it, or be looked at again: the run's, while it waits for models."""
        if self.interrupted_at is not None:
            return self.interrupted_at + limits.grace_s - now
        if self.awaited and not self.run_is_over:
            if run_left_s > 0:
                return max(run_left_s, _LOOK_AGAIN_S)
            self.run_is_over, self.counting_since = True, now
        return limits.timeout_s - self.used_s - (now - self.counting_since)

    def begin_waiting(self) -> None:
        self.awaited += 1
        if self.awaited == 1 and not self.run_is_over:
            self.used_s += time.monotonic() - self.counting_since

    def end_waiting(self) -> None:
        self.awaited -= 1
        if not self.awaited and not self.run_is_over:
            self.counting_since = time.monotonic()
