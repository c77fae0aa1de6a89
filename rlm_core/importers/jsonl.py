"""Runs in our own form, one event a line (`exporters/jsonl.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rlm_core.errors import StoreError
from rlm_core.events import Event, from_dict


def read_lines(lines: Iterable[str]) -> Iterator[Event]:
    """The events of a run. Raises `StoreError` that names the line which is no event."""
    for number, line in enumerate(lines, 1):
        try:
            if line.strip():
                yield from_dict(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"Line {number} is no event of a run: {error}. The file may be cut off.") from error
