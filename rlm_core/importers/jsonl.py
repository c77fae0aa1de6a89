"""Runs in our own form, one event a line (`exporters/jsonl.py`): whole ones, one after the other, each with what people say of
its nodes, and how they want it to be told, after its end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple

from rlm_core.errors import StoreError, TaskError
from rlm_core.event_json import from_dict
from rlm_core.events import CallFinished, Event, RunFinished, RunStarted
from rlm_core.importers.numbering import is_time, number_of
from rlm_core.notes import NodeNote, Note, tidied
from rlm_core.story_edits import StepEdit, StoryEdit
from rlm_core.story_edits import tidied as tidied_steps
from rlm_core.task import Json

TOOL = "RLM Studio"
MAX_LEVELS = 200
"""Of nodes in nodes: a run of depth 3 has twelve."""


def is_own(first: Json) -> bool:
    """Whether the first line of a file is that of a run which was exported here."""
    return {"run", "seq", "kind", "body"} <= first.keys()


def read_lines(lines: Iterable[str | bytes]) -> Iterator[Event]:
    """The events of runs, without what people say of their nodes."""
    return (each for each in read_all(lines) if isinstance(each, Event))


def read_all(lines: Iterable[str | bytes]) -> Iterator[Event | NodeNote | StoryEdit]:
    """The events of runs, and after each run the notes on its nodes and what was changed in its story. Raises `StoreError` that
    names the line which is no event, or not the next one, and for a run without an end."""
    last: Event | None = None
    levels: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        try:
            line = line.decode("utf-8-sig", "replace") if isinstance(line, bytes) else line
            if not line.strip():
                continue
            said = json.loads(line)
            if said["kind"] == NodeNote.__name__:
                yield _note(said, last)
            elif said["kind"] == StoryEdit.__name__:
                yield _story(said, last)
            else:
                last = _next(last, _placed(from_dict(said)))
                _count_level(last, levels)
                yield last
        except (ValueError, KeyError, TypeError, RecursionError, TaskError) as error:
            advice = " The file may be cut off." if isinstance(error, json.JSONDecodeError) else ""
            raise StoreError(f"Line {number} is no event of a run: {error}.{advice}") from error
    if last is not None and not isinstance(last.body, RunFinished):
        raise StoreError(
            f"The run {last.run} has no end: the file is cut off, or was exported while the run was under way. "
            "Export the run again once it has ended."
        )


def _next(last: Event | None, event: Event) -> Event:
    """The event, if it is the one that comes after `last`: of the same run, or after its end the first of another."""
    begins = last is None or isinstance(last.body, RunFinished)
    if begins and last and event.run == last.run:
        raise ValueError(f"the run {last.run} ended on a line before")
    if not begins and last and event.run != last.run:
        raise ValueError(f"it is of the run {event.run}, and the run {last.run} has no end")
    if begins != isinstance(event.body, RunStarted):
        raise ValueError(f"a run begins with RunStarted, and this is {event.kind}" if begins else "the run has begun")
    expected = 0 if begins or last is None else last.seq + 1
    if event.seq != expected:
        raise ValueError(f"its seq is {event.seq}, and the next one is {expected}")
    return event


def _note(said: Json, last: Event | None) -> NodeNote:
    """A note, if it is one on a node of the run that has just ended."""
    if last is None or not isinstance(last.body, RunFinished) or said["run"] != last.run:
        raise ValueError("a note comes after the end of its run")
    span, body = said["span"], said["body"]
    if not all(isinstance(each, str) for each in (span, body["label"], body["text"])):
        raise ValueError("span, label and text of a note must be texts")
    return NodeNote(last.run, span, tidied(Note(body["label"], body["text"], body["judged"])))


def _story(said: Json, last: Event | None) -> StoryEdit:
    """What was changed in a story, if it is that of the run that has just ended."""
    if last is None or not isinstance(last.body, RunFinished) or said["run"] != last.run:
        raise ValueError("a story comes after the end of its run")
    steps = [StepEdit(**each) for each in said["body"]]
    texts = [text for each in steps for text in (each.step, each.title or "", each.body or "")]
    if not all(isinstance(each, str) for each in texts) or not all(isinstance(each.left_out, bool) for each in steps):
        raise ValueError("step, title and body of a story must be texts, and left_out true or false")
    return StoryEdit(last.run, tidied_steps(steps))


def _count_level(event: Event, levels: dict[str, int]) -> None:
    """How deep the spans of a run lie, so far."""
    if isinstance(event.body, RunStarted):
        levels.clear()
    if event.span not in levels:
        levels[event.span] = levels.get(event.parent or "", 0) + 1
    if levels[event.span] > MAX_LEVELS:
        raise ValueError(f"it lies in {MAX_LEVELS} others, and that is as deep as a run may go")


def _placed(event: Event) -> Event:
    """The event, if what says where and when it stands is of the right kind, for everything is looked up by it, and if what it
    counts are numbers."""
    texts = (event.run, event.span, event.parent or "")
    if not all(isinstance(each, str) for each in texts) or type(event.seq) is not int:
        raise ValueError("run, span and parent must be texts, and seq a whole number")
    if not isinstance(event.at, int | float) or not is_time(event.at):
        raise ValueError("at must be a number of seconds since 1970, before the year 10000")
    if isinstance(event.body, CallFinished):
        counted = (*(astuple(event.body.usage) if event.body.usage else ()), event.body.cost_usd)
        if any(each is not None and number_of(each) is None for each in counted):
            raise ValueError("tokens and costs must be numbers from 0 to 2**53")
    return event
