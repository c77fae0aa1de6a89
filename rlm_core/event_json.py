"""Events as JSON-ready values, and back.

Knows the fields of every body and what is nested in them. Refuses to know what events mean, and where they are kept.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

from rlm_core.errors import Retry, StoreError
from rlm_core.events import BODIES, Body, Event, Replayed
from rlm_core.task import Answer, Finding, Json, Message, Origin, Task, Usage


def to_dict(event: Event) -> Json:
    """The event as JSON-ready values, one flat dict: the head's fields, `kind`, and `body`."""
    return {
        "run": event.run,
        "seq": event.seq,
        "at": event.at,
        "span": event.span,
        "parent": event.parent,
        "kind": event.kind,
        "body": body_to_dict(event.body),
    }


def from_dict(data: Json) -> Event:
    """The inverse of `to_dict`. Raises `StoreError` for a kind that this version does not know."""
    body = body_from_dict(data["kind"], data["body"])
    return Event(data["run"], data["seq"], data["at"], data["span"], data["parent"], body)


def body_to_dict(body: Body) -> Json:
    """Plain fields at their default are left out, for a log of ten thousand calls is mostly defaults; the schema never is."""
    return {
        name: _plain(value)
        for name, default in _fields_of(type(body)).items()
        if (value := getattr(body, name)) != default or name == "schema"
    }


def body_from_dict(kind: str, data: Json) -> Body:
    """The inverse of `body_to_dict`. Fields that this version does not know are left out: others may have written more."""
    if kind not in BODIES:
        raise StoreError(
            f"Unknown kind of event {kind!r}: the run was written by a newer version of RLM Studio. "
            "Update it to read the run."
        )
    try:
        body: Body = _made(BODIES[kind], _typed(data))
    except (TypeError, AttributeError) as error:
        raise StoreError(
            f"An event of kind {kind} cannot be read: {error}. The run may be of another version."
        ) from error
    return body


def _made(kind: type[Any], data: Json) -> Any:
    known = _fields_of(kind)
    if not data.keys() <= known.keys():
        data = {name: value for name, value in data.items() if name in known}
    return kind(**data)


_NESTED: dict[str, Any] = {
    "task": Task.from_dict,
    "usage": partial(_made, Usage),
    "answer": partial(_made, Answer),
    "origin": Origin.from_dict,
    "replayed": lambda data: _made(Replayed, _typed(data)),
    "finding": partial(_made, Finding),
}
_TUPLES: dict[str, Any] = {
    "messages": partial(_made, Message),
    "variables": dict,
    "hits": dict,
    "retries": partial(_made, Retry),
}
_SHAPED = _NESTED.keys() | _TUPLES.keys()


_fields: dict[type[Any], dict[str, Any]] = {}
"""Kept by `_fields_of`: for a long run it is asked fifty thousand times."""


def _fields_of(kind: type[Any]) -> dict[str, Any]:
    """Names of the fields of a dataclass and their plain defaults."""
    if kind not in _fields:
        _fields[kind] = {each.name: each.default for each in fields(kind)}
    return _fields[kind]


_PLAIN = (str, int, float, type(None))


def _plain(value: Any) -> Any:
    if isinstance(value, _PLAIN):
        return value
    if is_dataclass(value):
        return {name: _plain(getattr(value, name)) for name in _fields_of(type(value))}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


def _typed(data: Json) -> Json:
    """The values of a body as they were: most are plain, and there may be a hundred thousand of them."""
    typed = {**data}
    for name in data.keys() & _SHAPED:
        value = data[name]
        if value is not None:
            typed[name] = _NESTED[name](value) if name in _NESTED else tuple(_TUPLES[name](each) for each in value)
    return typed
