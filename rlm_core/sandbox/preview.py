"""Values as short text, without running any code of theirs: for lists of variables and for the echo of a cell.

Runs in the child. Looks at no more of a value than it shows, so a list of ten million items costs as much as one of ten.
Only `echo` calls a value's own `__repr__`, because there the cell asked for it.
"""

from __future__ import annotations

from itertools import islice

from rlm_core.sandbox import tabular
from rlm_core.sandbox.document import Document

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAX_ECHO_CHARS = 20_000
_MAX_ECHO_STRING = 2_000
_ROUNDING_CHARS = 200
"""How much longer an echo may be, so that the last item and the number of items fit."""
_MAX_DEPTH = 6
_SIZED: tuple[Any, ...] = (str, bytes, bytearray, list, tuple, dict, set, frozenset)
_BRACKETS: dict[Any, str] = {list: "[]", tuple: "()", set: "{}", frozenset: "{}", dict: "{}"}
_ATOMS = frozenset({int, bool, float, complex, type(None), type(...), range})
_MAX_INT_BITS = 1_000
_CONTEXT = "rlm_core.sandbox.context"
_SAFE_MODULES = frozenset({_CONTEXT, "datetime", "decimal", "fractions", "pathlib", "re", "uuid", "ipaddress"})
_SIZED_MODULES = frozenset({_CONTEXT, "collections", "array", "builtins"})


def preview(value: Any, max_chars: int = 80) -> str:
    """One line of at most `max_chars` characters. Calls nothing that the cell defined."""
    return _Renderer(max_chars, max_string=max_chars, call_repr=False).text(value)


def echo(value: Any) -> str:
    """What a REPL shows for `value`, cut where it is long. Raises whatever the value's own `__repr__` raises."""
    if _is_plain_text(value) and str.__len__(value) > _MAX_ECHO_STRING:
        origin = f" {value.path!r}" if type(value) is Document else ""
        head = str.__getitem__(value, slice(_MAX_ECHO_STRING // 2))
        return f"{type(value).__name__}{origin} of {str.__len__(value):,} characters: {head!r}..."
    return _Renderer(MAX_ECHO_CHARS, max_string=_MAX_ECHO_STRING, call_repr=True).text(value)


def size(value: Any) -> int | None:
    """Number of items or characters, `None` for what has no size or would run code to tell it."""
    for kind in _SIZED:
        if isinstance(value, kind):
            length: int = kind.__len__(value)
            return length
    if tabular.kind(value) is not None:
        return tabular.size(value)
    if type(value).__module__ in _SIZED_MODULES:
        try:
            return len(value)
        except TypeError:
            return None
    return None


def _is_plain_text(value: Any) -> bool:
    kind: Any = type(value)
    return isinstance(value, str) and kind.__repr__ is str.__repr__


class _Renderer:
    """Renders one value and stops looking once `max_chars` are used up."""

    def __init__(self, max_chars: int, *, max_string: int, call_repr: bool) -> None:
        self._max_chars = max_chars
        self._left = max_chars
        self._max_string = max_string
        self._call_repr = call_repr
        self._inside: set[int] = set()

    def text(self, value: Any) -> str:
        text = self._render(value, 0)
        if len(text) <= self._max_chars + (_ROUNDING_CHARS if self._call_repr else 0):
            return text
        if not self._call_repr:
            return text[: self._max_chars - 3] + "..."
        return f"{text[: self._max_chars]}... [{len(text) - self._max_chars:,} more characters of this value not shown]"

    def _render(self, value: Any, depth: int) -> str:
        base = next((each for each in _BRACKETS if isinstance(value, each)), None)
        own_repr = self._call_repr and base is not None and type(value).__repr__ is not base.__repr__
        if base is not None and not own_repr:
            return self._container(value, base, depth)
        if _is_plain_text(value):
            text = self._text(value, str)
        elif type(value) in (bytes, bytearray):
            text = self._text(value, type(value))
        elif type(value) is int and value.bit_length() > _MAX_INT_BITS:
            text = f"<int of {value.bit_length():,} bits>"
        else:
            text = repr(value) if type(value) in _ATOMS else self._object(value, depth)
        self._left -= len(text)
        return text

    def _text(self, value: Any, base: Any) -> str:
        shown = min(self._max_string, max(self._left, 10))
        head: str = repr(base.__getitem__(value, slice(shown)))
        if base.__len__(value) <= shown:
            return head
        return f"{head}..." + (f" ({base.__len__(value):,} characters)" if self._call_repr else "")

    def _container(self, value: Any, base: Any, depth: int) -> str:
        plain = type(value) is base and base is not frozenset
        name = "" if plain else type(value).__name__
        if base in (set, frozenset) and not base.__len__(value):
            return f"{name or 'set'}()"
        if depth >= _MAX_DEPTH or id(value) in self._inside:
            inner = "..."
        else:
            self._inside.add(id(value))
            inner = ", ".join(self._items(value, base, depth + 1))
            self._inside.discard(id(value))
        if base is tuple and tuple.__len__(value) == 1:
            inner += ","
        text = f"{_BRACKETS[base][0]}{inner}{_BRACKETS[base][1]}"
        return text if plain else f"{name}({text})"

    def _items(self, value: Any, base: Any, depth: int) -> Iterator[str]:
        items = dict.items(value) if base is dict else base.__iter__(value)
        for item in items:
            if self._left <= 0:
                yield f"... {base.__len__(value):,} items" if self._call_repr else "..."
                return
            self._left -= 2
            if base is dict:
                yield f"{self._render(item[0], depth)}: {self._render(item[1], depth)}"
            else:
                yield self._render(item, depth)

    def _object(self, value: Any, depth: int) -> str:
        kind: Any = type(value)
        if self._call_repr or kind.__module__ in _SAFE_MODULES:
            return repr(value)
        if tabular.kind(value) is not None:
            return " ".join(tabular.describe(value).split())
        if isinstance(value, type):
            return f"<class {value.__name__}>"
        if kind.__name__ == "function" and (code := getattr(value, "__code__", None)) is not None:
            return f"def {code.co_name}({', '.join(code.co_varnames[: code.co_argcount])})"
        fields = getattr(value, "__dict__", None) if kind.__getattribute__ is object.__getattribute__ else None
        if type(fields) is dict and fields and depth < 2:
            shown = [f"{name}={self._render(each, depth + 1)}" for name, each in islice(fields.items(), 4)]
            return f"{kind.__name__}({', '.join(shown)}{', ...' if len(fields) > 4 else ''})"
        return f"<{kind.__name__}>"
