"""Waiting for a person's word before a large batch of calls is sent.

One question at a time: child frames wait for their turn to ask. It knows no store; who brings the answer is the business of
whoever calls `give`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from rlm_core.errors import RunCancelled
from rlm_core.task import Limits


@dataclass(slots=True)
class Unasked:
    """What a cell has asked for since a person was last asked: many small batches are a large one. Its owner locks."""

    calls: int = 0
    usd: float = 0.0
    """As far as known."""
    all_known: bool = True
    granted: bool = True
    """What the person said last."""

    def add(self, calls: int, usd: float | None, limits: Limits) -> bool:
        """Whether a person has to be asked now. `usd` is `None` where nobody knows what the calls may cost."""
        self.calls, self.usd = self.calls + calls, self.usd + (usd or 0.0)
        self.all_known = self.all_known and usd is not None
        above_calls = limits.ask_above_calls is not None and self.calls > limits.ask_above_calls
        return calls > 0 and (above_calls or (limits.ask_above_usd is not None and self.usd > limits.ask_above_usd))

    def take(self) -> tuple[int, float | None]:
        """All of it, for the question that is asked now."""
        taken = self.calls, self.usd if self.all_known else None
        self.calls, self.usd, self.all_known = 0, 0.0, True
        return taken


class Approvals:
    """The open question of a run, if there is one. From any thread."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._changed = threading.Condition()
        self._open = False
        self._granted: bool | None = None
        self._cancelled = False

    def __enter__(self) -> Approvals:
        self._asking.acquire()
        with self._changed:
            self._open, self._granted = True, None
        return self

    def __exit__(self, *_: object) -> None:
        self._open = False
        self._asking.release()

    def wait(self) -> bool:
        """The answer to the question that was opened (`with approvals:`). Raises `RunCancelled`."""
        with self._changed:
            self._changed.wait_for(lambda: self._granted is not None or self._cancelled)
            if self._granted is None:
                raise RunCancelled("The run was cancelled.")
            return self._granted

    def give(self, granted: bool) -> bool:
        """Answer the open question. False if there is none: an answer that came too late is not kept for the next one."""
        with self._changed:
            if not self._open or self._granted is not None:
                return False
            self._granted = granted
            self._changed.notify_all()
            return True

    def cancel(self) -> None:
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()
