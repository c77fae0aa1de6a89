"""Runs in our own form, one event a line (`exporters/jsonl.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rlm_core.errors import StoreError, TaskError
from rlm_core.events import Event, from_dict


def read_lines(lines: Iterable[str]) -> Iterator[Event]:
    """The events of a run. Raises `StoreError` that names the line which is no event."""
    for number, line in enumerate(lines, 1):
        try:
            if line.strip():
                yield _placed(from_dict(json.loads(line)))
        except (ValueError, KeyError, TypeError, RecursionError, TaskError) as error:
            raise StoreError(f"Line {number} is no event of a run: {error}. The file may be cut off.") from error


def _placed(event: Event) -> Event:
    """The event, if what says where and when it stands is of the right kind: everything is looked up by it."""
    texts = (event.run, event.span, event.parent or "")
    if not all(isinstance(each, str) for each in texts) or type(event.seq) is not int:
        raise ValueError("run, span and parent must be texts, and seq a whole number")
    if not isinstance(event.at, int | float):
        raise ValueError("at must be a number of seconds")
    return event
