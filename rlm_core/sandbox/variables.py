"""Which variables a cell made or changed, told cheaply.

Runs in the child. A change is seen by a fingerprint of the value: type, size and a sample of what is inside, two levels
deep for what the cell names and one for everything else, so that a cell does not pay for what it has nothing to do with.
Refuses to run code of the values, to walk large ones, and to keep them alive.
"""

from __future__ import annotations

from functools import partial
from itertools import islice

from rlm_core.sandbox import tabular
from rlm_core.sandbox.namespace import user_names
from rlm_core.sandbox.preview import preview, size

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable, Iterable, Mapping
    from typing import Any

_SAMPLES = {2: 32, 1: 4}
"""How many items are looked at: of the variable itself, and of each item in it."""
_HEAD = slice(4_096)
_END = slice(-64, None)
_TEXTS: tuple[Any, ...] = (str, bytes)
_CONTAINERS: tuple[Any, ...] = (list, tuple, dict, set, frozenset)


class Watch:
    """Remembers fingerprints between cells."""

    def __init__(self, reserved: frozenset[str]) -> None:
        self._reserved = reserved
        self._seen: dict[str, tuple[Hashable, Hashable]] = {}
        """Fingerprints one level and two levels deep."""

    def changes(self, variables: Mapping[str, Any], named: Container[str]) -> list[dict[str, Any]]:
        """`{"name", "type", "size", "preview", "change"}` of each variable that is new or changed since the last time.
        `named` are those that the cell has to do with."""
        seen, rows = {}, []
        for name in user_names(variables, self._reserved):
            value, before = variables[name], self._seen.get(name)
            near = _safely(partial(_fingerprint, value, 1), id(value))
            if before is not None and before[0] == near and name not in named:
                seen[name] = before
                continue
            seen[name] = near, _safely(partial(_fingerprint, value, 2), id(value))
            if seen[name] != before:
                rows.append(_row(name, value, "new" if before is None else "changed"))
        self._seen = seen
        return rows


def _row(name: str, value: Any, change: str) -> dict[str, Any]:
    return {
        "name": name,
        "type": type(value).__name__,
        "size": _safely(partial(size, value), None),
        "preview": _safely(partial(preview, value), f"<{type(value).__name__}>"),
        "change": change,
    }


def _safely(look: Callable[[], Any], otherwise: Any) -> Any:
    """A thread of the cell may change a value while it is looked at, and a class of the cell may do anything."""
    try:
        return look()
    except Exception:
        return otherwise


def _fingerprint(value: Any, depth: int) -> Hashable:
    kind: Any = type(value)
    if kind in (int, float, complex, bool, type(None)):
        return kind, value
    for text in _TEXTS:
        if isinstance(value, text):
            return kind, len(value), hash(text.__getitem__(value, _HEAD)), text.__getitem__(value, _END)
    for base in _CONTAINERS:
        if isinstance(value, base):
            return kind, base.__len__(value), *_sample(value, base, depth)
    if tabular.kind(value) is not None:
        return kind, tabular.sample(value, closely=depth > 1)
    fields = getattr(value, "__dict__", None) if kind.__getattribute__ is object.__getattribute__ else None
    return (kind, id(value), *_sample(fields, dict, depth)) if type(fields) is dict else (kind, id(value))


def _sample(value: Any, base: Any, depth: int) -> Iterable[Hashable]:
    """Fingerprints of the first and the last items."""
    if not depth:
        return
    length, wanted = base.__len__(value), _SAMPLES[depth]
    items = dict.items(value) if base is dict else value
    picked = list(islice(base.__iter__(value) if base is not dict else items, wanted))
    if length > wanted and base in (list, tuple, dict):
        picked += islice(reversed(items), wanted // 2)
    for item in picked:
        if base is dict:
            yield _fingerprint(item[0], 0)
            yield _fingerprint(item[1], depth - 1)
        else:
            yield _fingerprint(item, depth - 1)
