"""A run as JSON lines: one event a line, and after them what people say of its nodes, one note a line, and how
they want it to be told. The form in which runs are kept, sent and read back (`importers/jsonl.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from rlm_core.event_json import to_dict
from rlm_core.events import Event
from rlm_core.notes import NodeNote, Note
from rlm_core.story_edits import StepEdit, StoryEdit
from rlm_core.task import Json

NONE: Mapping[str, Note] = {}


def objects(
    run: str, events: Iterable[Event], notes: Mapping[str, Note], story: Sequence[StepEdit] = ()
) -> Iterator[Json]:
    """What stands on each line. `notes` are by span, `story` is in its order."""
    yield from map(to_dict, events)
    for span, note in notes.items():
        yield {"run": run, "span": span, "kind": NodeNote.__name__, "body": asdict(note)}
    if story:
        yield {"run": run, "kind": StoryEdit.__name__, "body": [asdict(each) for each in story]}


def to_lines(
    run: str, events: Iterable[Event], notes: Mapping[str, Note] = NONE, story: Sequence[StepEdit] = ()
) -> Iterator[str]:
    """The lines, without line ends."""
    for each in objects(run, events, notes, story):
        yield json.dumps(each, ensure_ascii=False)
