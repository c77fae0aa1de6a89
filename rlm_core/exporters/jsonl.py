"""A run as JSON lines, one event a line: the form in which runs are kept, sent and read back (`importers/jsonl.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rlm_core.event_json import to_dict
from rlm_core.events import Event


def to_lines(events: Iterable[Event]) -> Iterator[str]:
    """One line of JSON for each event, without line ends."""
    for event in events:
        yield json.dumps(to_dict(event), ensure_ascii=False)
