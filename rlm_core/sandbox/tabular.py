"""Tables and arrays of numpy and pandas: what they are in one line, how large, whether they changed, and as plain values.

Runs in the child. Looks only at exact types of packages that a cell has imported, never at subclasses, whose code could be
the cell's own. Imports neither package, and looks at no more of a value than it shows, but for `plain`.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

_SHOWN_ITEMS = 20
_SAMPLED_ITEMS = 32
_MOMENTS = ("Timestamp", "NaTType")
_SINGLE = ("scalar", *_MOMENTS)
_OF_PANDAS = ("DataFrame", "Series", "Index", *_MOMENTS)
_ATOMS = (int, float, str, bytes, bool, type(None))


def kind(value: Any) -> str | None:
    """`DataFrame`, `Series`, `Index`, `ndarray`, `scalar`, `Timestamp` or `NaTType`; `None` for everything else."""
    own: Any = type(value)
    package = own.__module__.partition(".")[0] if isinstance(own.__module__, str) else ""
    loaded: Any = sys.modules.get(package) if package in ("numpy", "pandas") else None
    if loaded is None:
        return None
    name: str = own.__name__
    if package == "pandas":
        return name if name in _OF_PANDAS and own is getattr(loaded, name, type(loaded.NaT)) else None
    if name == "ndarray" and own is loaded.ndarray:
        return name
    return "scalar" if isinstance(value, loaded.generic) and own is getattr(loaded, name, None) else None


def size(value: Any) -> int | None:
    """Rows of a table, items of the others."""
    own = kind(value)
    if own in (None, *_SINGLE):
        return None
    return int(value.size) if own == "ndarray" else len(value)


def describe(value: Any) -> str:
    """What it is, in one line."""
    own = kind(value)
    if own == "DataFrame":
        rows, columns = value.shape
        named = [f"{name} {kind}" for name, kind in zip(value.columns[:_SHOWN_ITEMS], value.dtypes, strict=False)]
        return f"{rows:,} rows x {columns:,} columns: {', '.join(named)}{', ...' if columns > _SHOWN_ITEMS else ''}"
    if own in _SINGLE:
        return repr(value)
    shape = " x ".join(f"{each:,}" for each in value.shape) or "one item"
    if value.dtype.hasobject if own == "ndarray" else value.dtype == object:
        return f"{own} of {shape}, {value.dtype}"
    first = [str(each) for each in (value.flat if own == "ndarray" else value)[:_SHOWN_ITEMS]]
    return f"{own} of {shape}, {value.dtype}: {', '.join(first)}{', ...' if value.size > _SHOWN_ITEMS else ''}"


def sample(value: Any, *, closely: bool) -> Hashable:
    """Something that is different after a change of shape and, looked at `closely`, most likely after one in place."""
    own = kind(value)
    if own in _SINGLE:
        return repr(value)
    if not closely:
        return id(value), value.shape
    if own == "DataFrame":
        ends = (*value.head(2).to_numpy().flat[:_SAMPLED_ITEMS], *value.tail(2).to_numpy().flat[:_SAMPLED_ITEMS])
        return id(value), value.shape, tuple(value.columns[:_SAMPLED_ITEMS].map(str)), _atoms(ends)
    items = value.flat if own == "ndarray" else value.to_numpy().flat
    half = _SAMPLED_ITEMS // 2
    return id(value), value.shape, str(value.dtype), _atoms((*items[:half], *items[-half:]))


def _atoms(items: tuple[Any, ...]) -> tuple[Hashable, ...]:
    return tuple(repr(each) if isinstance(each, _ATOMS) or kind(each) in _SINGLE else id(each) for each in items)


def plain(value: Any) -> Any:
    """The same as numbers, texts, lists; a table as `{"columns": [...], "rows": [[...], ...]}`."""
    own = kind(value)
    if own == "DataFrame":
        return {
            "columns": value.columns.tolist(),
            "rows": [list(row) for row in value.itertuples(index=False, name=None)],
        }
    if own in _MOMENTS:
        return value.to_pydatetime() if own == "Timestamp" else None
    return value.item() if own == "scalar" else value.tolist()


def text(value: Any) -> str:
    """The whole, to be read."""
    own = kind(value)
    if own in ("DataFrame", "Series"):
        shown: str = value.to_string()
        return shown
    return str(plain(value)) if own in ("ndarray", "Index") else str(value)
