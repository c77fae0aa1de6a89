"""Python values as JSON, with tags for what JSON lacks; `decoding.py` is the way back.

Runs in the child. A tagged value is an object `{"$type": name, "value": ...}`. Anything that has no form here crosses as
`{"$type": "repr", "type": type name, "value": text}` and stays that on the other side: marked, never mistaken for itself.
Numbers and arrays of numpy cross as numbers and lists; a table of pandas as `{"$type": "DataFrame", "value": {"columns": [...],
"rows": [...]}}`, and stays that, because the other side does without pandas.
"""

from __future__ import annotations

import json

from rlm_core.sandbox import tabular
from rlm_core.sandbox.preview import preview

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from typing import Any

_MAX_DEPTH = 60
_MAX_REPR_CHARS = 2_000
_MAX_PLAIN_INT_BITS = 10_000  # Python refuses to write larger ones as decimal digits
_BY_TEXT = {("decimal", "Decimal"), ("datetime", "date"), ("datetime", "datetime"), ("datetime", "time")}


def encode(value: Any) -> Any:
    """`value` as something that JSON can hold."""
    return _encode(value, ())


def _encode(value: Any, inside: tuple[int, ...]) -> Any:
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if (tabled := tabular.kind(value)) is not None:
        whole = _encode(tabular.plain(value), (*inside, id(value))) if len(inside) <= _MAX_DEPTH else _marked(value)
        return _tag(tabled, whole) if tabled == "DataFrame" else whole
    if isinstance(value, int):
        return int(value) if value.bit_length() <= _MAX_PLAIN_INT_BITS else _tag("int", hex(value))
    if isinstance(value, float):
        return float(value) if value - value == 0 else _tag("float", repr(float(value)))
    if isinstance(value, bytes | bytearray):
        return _tag("bytes", value.hex())
    if id(value) in inside or len(inside) > _MAX_DEPTH:
        return _marked(value)
    inside = (*inside, id(value))
    if isinstance(value, dict):
        if all(type(key) is str for key in dict.keys(value)) and "$type" not in dict.keys(value):
            return {key: _encode(each, inside) for key, each in dict.items(value)}
        return _tag("dict", [[_encode(key, inside), _encode(each, inside)] for key, each in dict.items(value)])
    if isinstance(value, list):
        return [_encode(each, inside) for each in value]
    for kind in (tuple, set, frozenset):
        if isinstance(value, kind):
            return _tag(kind.__name__, [_encode(each, inside) for each in value])
    if (type(value).__module__, type(value).__name__) in _BY_TEXT:
        name = type(value).__name__
        return _tag(name, str(value) if name == "Decimal" else value.isoformat())
    return _marked(value)


def as_text(value: Any) -> str:
    """`value` as an answer to be read: a text as it is, lists and dicts as JSON where that is possible, else as shown."""
    if isinstance(value, str):
        return str.__str__(value)
    if tabular.kind(value) is not None:
        return tabular.text(value)
    if isinstance(value, dict | list):
        try:
            return json.dumps(value, ensure_ascii=False, indent=1)
        except (TypeError, ValueError, RecursionError):
            return repr(value)
    return str(value)


def _tag(name: str, value: Any) -> dict[str, Any]:
    return {"$type": name, "value": value}


def _marked(value: Any) -> dict[str, Any]:
    return {"$type": "repr", "type": type(value).__name__, "value": preview(value, _MAX_REPR_CHARS)}
