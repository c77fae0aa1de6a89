"""What an event's body looks like in the database: JSON in which each long text is a reference.

A text of more than `INLINE_CHARS` characters is replaced by `{"$text": sha256, "chars": n, "head": first characters}` and
kept once, by its hash. A dict of the caller's own that has a key `$text` is stored as `$$text`, so a reference is never
mistaken. Refuses to know where texts are kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rlm_core.event_json import body_from_dict, body_to_dict
from rlm_core.events import Body

INLINE_CHARS = 2_000
HEAD_CHARS = 200
REFERENCE = "$text"

_SURROGATE = re.compile("[\ud800-\udfff]")
_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Packed:
    body: Body
    """The body as it will be read back: lone surrogates, which UTF-8 cannot hold, have become U+FFFD."""
    raw: str
    texts: dict[str, str]
    """Long texts by their hash."""


def pack(body: Body) -> Packed:
    plain = body_to_dict(body)
    try:
        return Packed(body, *_pack(plain))
    except UnicodeEncodeError:
        plain = without_surrogates(plain)
        return Packed(body_from_dict(type(body).__name__, plain), *_pack(plain))


def unpack(kind: str, raw: str, text: Callable[[str], str] | None) -> Body:
    """The body again. `text` finds a text by its hash; without it, references (and `$$text`) stay as they are stored."""
    plain = json.loads(raw)
    if text is not None and REFERENCE in raw:
        plain = _resolve(plain, text)
    return body_from_dict(kind, plain)


def _pack(plain: Any) -> tuple[str, dict[str, str]]:
    texts: dict[str, str] = {}
    raw = _to_json(plain)
    if len(raw) > INLINE_CHARS or REFERENCE in raw:  # else it can hold nothing that needs a reference
        raw = _to_json(_refer(plain, texts))
    raw.encode("utf-8")  # raises for lone surrogates before anything is written
    return raw, texts


def _refer(value: Any, texts: dict[str, str]) -> Any:
    if isinstance(value, str):
        if len(value) <= INLINE_CHARS:
            return value
        sha = hashlib.sha256(value.encode("utf-8")).hexdigest()
        texts[sha] = value
        return {REFERENCE: sha, "chars": len(value), "head": value[:HEAD_CHARS]}
    if isinstance(value, dict):
        return {f"${key}" if _is_like_reference(key) else key: _refer(each, texts) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_refer(each, texts) for each in value]
    return value


def _resolve(value: Any, text: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        if REFERENCE in value:
            return text(value[REFERENCE])
        return {key[1:] if _is_like_reference(key) else key: _resolve(each, text) for key, each in value.items()}
    if isinstance(value, list):
        return [_resolve(each, text) for each in value]
    return value


def _is_like_reference(key: Any) -> bool:
    """`$text`, `$$text`, ...: each gains one `$` when stored and loses it when read."""
    return isinstance(key, str) and key.endswith(REFERENCE) and key.lstrip("$") == "text"


def without_surrogates(value: Any) -> Any:
    """The same with U+FFFD for each lone surrogate, in keys too."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [without_surrogates(each) for each in value]
    return value
