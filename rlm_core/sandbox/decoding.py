"""Tagged JSON back to Python values: the host's half of `values.py`.

Refuses to build anything but the plain types named here, because what comes out of a sandbox is hostile.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

_READERS: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "bytes": bytes.fromhex,
    "int": lambda text: int(text, 16),
    "float": float,
    "Decimal": Decimal,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


def decode(value: Any) -> Any:
    """The inverse of `values.encode`. A tag that is unknown or cannot be read stays as it is."""
    if isinstance(value, list):
        return [decode(each) for each in value]
    if not isinstance(value, dict):
        return value
    reader = _READERS.get(str(value.get("$type")))
    if reader is None:
        return {key: decode(each) for key, each in value.items()}
    try:
        return reader(decode(value.get("value")))
    except (ValueError, TypeError, ArithmeticError):
        return value
