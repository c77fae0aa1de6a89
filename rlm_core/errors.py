"""The tree of failures.

    StudioError                 everything below; its text is written for a person
    +-- TaskError               the question cannot be run as asked (empty, unknown strategy, model, option)
    +-- CorpusError             the upload holds nothing that can be read, or a corpus is missing
    +-- StoreError              the data directory cannot be used (full, locked, newer schema)
    +-- SandboxError            the sandbox itself broke; ends its frame (a failing cell is no error, it is output)
    +-- CallError               one model request failed, after retries; a value for the cell that asked
    +-- LimitHit                a limit of the run was reached
    +-- RunCancelled            somebody asked the run to stop

A message says what happened with the value, what is allowed, and what to do next. Errors are raised low and turned into
user text once, at the doors (`cli.py`, `app/backend.py`). What a *model* is told of a failure is not here: it is advice,
written where the model's feedback is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CallErrorKind = Literal[
    "auth",  # the key is missing, wrong or not allowed to use this model
    "unknown_model",  # the provider does not know the model
    "overflow",  # the prompt is larger than the model's window
    "rate_limit",  # still refused after waiting as told
    "unreachable",  # no connection: nothing was sent, nothing was paid
    "timeout",  # no reply in time: may have been paid
    "server",  # the provider failed (5xx)
    "bad_reply",  # the reply could not be read, or was cut off
    "refused",  # the provider rejected the request (4xx that is none of the above)
    "limit",  # a limit of this run forbade the call: never sent
    "cancelled",  # the run was cancelled while the call was in flight
]


class StudioError(Exception):
    """Base of every failure that RLM Studio raises on purpose. `str(error)` is fit to be shown to a person."""


class TaskError(StudioError):
    """The task cannot be run as asked."""


class CorpusError(StudioError):
    """There is no text to work on, or a corpus is not there."""


class StoreError(StudioError):
    """The data directory or its database cannot be used."""


class SandboxError(StudioError):
    """The sandbox process broke or could not be started."""


@dataclass(frozen=True, slots=True)
class Retry:
    """An attempt of a model request that failed and was made again: why, and how long was waited before the next one."""

    kind: CallErrorKind
    reason: str
    wait_s: float


class CallError(StudioError):
    """One model request failed. `maybe_paid` is true when the provider may have charged for it all the same."""

    def __init__(
        self,
        message: str,
        kind: CallErrorKind,
        *,
        retry_after_s: float | None = None,
        maybe_paid: bool = False,
        attempts: int = 1,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after_s = retry_after_s
        self.maybe_paid = maybe_paid
        self.attempts = attempts
        self.retries: tuple[Retry, ...] = ()
        """The attempts before the one that this is about, where they are known."""


class LimitHit(StudioError):
    """A limit of the run was reached: `limit` names the field of `Limits`, `used` and `allowed` are in its unit."""

    def __init__(self, limit: str, used: float, allowed: float) -> None:
        super().__init__(f"The limit {limit} = {allowed:g} was reached ({used:g} used).")
        self.limit = limit
        self.used = used
        self.allowed = allowed


class RunCancelled(StudioError):
    """Somebody asked the run to stop."""


class ReplayDiverged(StudioError):
    """A cell of an earlier life did something else when it was run again, so what follows can not be taken over."""

    def __init__(self, cell: str, expected: str, got: str) -> None:
        super().__init__(
            f"The cell {cell} did not do what it did before, so the run stops here: nothing was paid for it. It printed "
            f"{got[:80]!r} where there had been {expected[:80]!r}. Go on all the same by accepting the difference, or fork "
            "from the turn before."
        )
        self.cell = cell
        self.expected = expected
        self.got = got
