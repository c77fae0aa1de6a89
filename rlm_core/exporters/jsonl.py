"""A run as JSON lines: one event a line, and after them what people say of its nodes, one note a line. The form in which runs are
kept, sent and read back (`importers/jsonl.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict

from rlm_core.event_json import to_dict
from rlm_core.events import Event
from rlm_core.notes import NodeNote, Note
from rlm_core.task import Json

NONE: Mapping[str, Note] = {}


def objects(run: str, events: Iterable[Event], notes: Mapping[str, Note]) -> Iterator[Json]:
    """What stands on each line. `notes` are by span."""
    yield from map(to_dict, events)
    for span, note in notes.items():
        yield {"run": run, "span": span, "kind": NodeNote.__name__, "body": asdict(note)}


def to_lines(run: str, events: Iterable[Event], notes: Mapping[str, Note] = NONE) -> Iterator[str]:
    """The lines, without line ends."""
    for each in objects(run, events, notes):
        yield json.dumps(each, ensure_ascii=False)
