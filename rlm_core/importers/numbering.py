"""Events of runs that another tool has recorded: numbered in the order of its log, at times that never run backwards.

What a log does not record stays unknown. Where it gives no time, an event stands at that of the one before it. Knows the shape
of events and nothing of any format.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from rlm_core.events import NOT_RECORDED, RUN_SPAN, Body, Event, Noted, RunFinished
from rlm_core.task import Answer, Message

UNREADABLE = "not readable"
"""Topic of the note that says which lines of a log say nothing."""
WHEN = "when anything happened"
MAX_NUMBER = 2**53
"""Counts, seconds and dollars below this are exact everywhere that they go; what is above was never counted."""
YEAR_10000_S = 253_402_300_800
ENDS_BYTES = 4096
MAX_NESTED = 10
"""Lists within lists of messages."""


def id_of(*lines: bytes) -> str:
    """The id of a run, by the lines that it begins with: it stays the same when its log grows."""
    digest = hashlib.sha256()
    for number, line in enumerate(lines):
        digest.update(b"\n" if number else b"")
        digest.update(_without_ends(line))
    return f"log-{digest.hexdigest()[:16]}"


def _without_ends(line: bytes) -> memoryview:
    """A line without the white space around it, and without a copy: a line may be very large."""
    first, last = line[:ENDS_BYTES], line[-ENDS_BYTES:]
    return memoryview(line)[len(first) - len(first.lstrip()) : len(line) - len(last) + len(last.rstrip())]


class Numbered:
    """The events of one run, one after the other."""

    def __init__(self, run: str, at: float) -> None:
        self.run, self.at = run, at if is_time(at) else 0.0
        self._seq = 0

    def event(self, span: str, parent: str | None, body: Body, at: float | None = None) -> Event:
        """The next event, at `at` seconds or at the time of the one before."""
        self.at = max(self.at, at) if at is not None and is_time(at) else self.at
        self._seq += 1
        return Event(self.run, self._seq - 1, self.at, span, parent, body)

    def left_out(self, what: Sequence[str]) -> Event:
        """Says what cannot be known of this run."""
        return self.event(RUN_SPAN, None, Noted(NOT_RECORDED, f"The log does not record {'; '.join(what)}."))

    def end(self, outcome: Any, answer: Answer | None, reason: str = "") -> Event:
        return self.event(RUN_SPAN, None, RunFinished(outcome, answer, reason))


def is_time(at: float) -> bool:
    """Whether a number of seconds is a time of the years 1970 to 9999: others cannot be shown."""
    return 0 <= at < YEAR_10000_S


def seconds_at(stamp: Any) -> float | None:
    """Unix time of an ISO date; one without a zone is taken as UTC. `None` if it is none, or one that cannot be shown."""
    try:
        moment = datetime.fromisoformat(stamp)
    except (TypeError, ValueError):
        return None
    at = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return at if is_time(at) else None


def text_of(value: Any) -> str:
    """A value that ought to be a text, as one; empty where it is nested too deep to be any."""
    try:
        return value if isinstance(value, str) else "" if value is None else str(value)
    except (RecursionError, ValueError):
        return ""


def as_json(value: Any) -> str:
    """A text as it is, any other value as JSON; of one that is nested too deep for that, that it is."""
    try:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return "<nested too deep to be shown>"


def number_of(value: Any) -> float | None:
    """A number that can have been counted or measured; `None` for any other value, as for infinity."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and 0 <= value < MAX_NUMBER else None


def whole_number(value: Any) -> int | None:
    found = number_of(value)
    return int(found) if found is not None else None


def messages_of(prompt: Any, nested: int = 0) -> tuple[Message, ...]:
    """A prompt as a conversation: a text, one message, or a list of them; lists that are nested deeper are none."""
    if isinstance(prompt, list):
        inside = prompt if nested < MAX_NESTED else []
        return tuple(message for each in inside for message in messages_of(each, nested + 1))
    if isinstance(prompt, dict):
        role = prompt.get("role")
        return (Message(role if role in ("system", "assistant") else "user", text_of(prompt.get("content"))),)
    return (Message("user", text_of(prompt)),)


def added_to(earlier: Sequence[Message], reply: str, now: Sequence[Message]) -> tuple[Message, ...] | None:
    """What a conversation has gained since an earlier prompt and the reply to it; `None` if it is not the same one."""
    so_far = [*earlier, Message("assistant", reply)]
    return tuple(now[len(so_far) :]) if list(now[: len(so_far)]) == so_far else None
