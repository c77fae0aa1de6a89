"""Events of runs that another tool has recorded: numbered in the order of its log, at times that never run backwards.

What a log does not record stays unknown. Where it gives no time, an event stands at that of the one before it. Knows the shape
of events and nothing of any format.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from rlm_core.events import RUN_SPAN, Body, Event, Noted, RunFinished
from rlm_core.task import Answer, Json, Message

NOT_RECORDED = "not recorded"
"""Topic of the note that says what the log of a run leaves out."""


class Numbered:
    """The events of one run, one after the other."""

    def __init__(self, run: str, at: float) -> None:
        self.run, self.at = run, at
        self._seq = 0

    def event(self, span: str, parent: str | None, body: Body, at: float | None = None) -> Event:
        """The next event, at `at` seconds or at the time of the one before."""
        self.at = max(self.at, at if at is not None else self.at)
        self._seq += 1
        return Event(self.run, self._seq - 1, self.at, span, parent, body)

    def left_out(self, what: Sequence[str]) -> Event:
        """Says what cannot be known of this run."""
        return self.event(RUN_SPAN, None, Noted(NOT_RECORDED, f"The log does not record {'; '.join(what)}."))

    def end(self, outcome: Any, answer: Answer | None, reason: str = "") -> Event:
        return self.event(RUN_SPAN, None, RunFinished(outcome, answer, reason))


def json_line(line: bytes) -> Json | None:
    """The object on a line of a log, an empty one for an empty line; `None` for what is no object."""
    try:
        found = json.loads(line.decode("utf-8", "replace")) if line.strip() else {}
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def seconds_at(stamp: Any) -> float | None:
    """Unix time of an ISO date; one without a zone is taken as UTC. `None` if it is none."""
    try:
        moment = datetime.fromisoformat(stamp)
    except (TypeError, ValueError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def text_of(value: Any) -> str:
    """A value that ought to be a text, as one."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def number_of(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None


def whole_number(value: Any) -> int | None:
    found = number_of(value)
    return int(found) if found is not None else None


def messages_of(prompt: Any) -> tuple[Message, ...]:
    """A prompt as a conversation: a text, one message, or a list of them."""
    if isinstance(prompt, list):
        return tuple(message for each in prompt for message in messages_of(each))
    if isinstance(prompt, dict):
        role = prompt.get("role")
        return (Message(role if role in ("system", "assistant") else "user", text_of(prompt.get("content"))),)
    return (Message("user", text_of(prompt)),)


def added_to(earlier: Sequence[Message], reply: str, now: Sequence[Message]) -> tuple[Message, ...] | None:
    """What a conversation has gained since an earlier prompt and the reply to it; `None` if it is not the same one."""
    so_far = [*earlier, Message("assistant", reply)]
    return tuple(now[len(so_far) :]) if list(now[: len(so_far)]) == so_far else None
