"""What other tools record of a cell: how it ended, and the variables that it left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rlm_core.importers.numbering import as_json
from rlm_core.task import Json

PREVIEW_CHARS = 80
_ENDED_BADLY = re.compile(r"^\s*(?:\w+\.)*\w*(?:Error|Exception|Interrupt|Exit|StopIteration|Warning)\b(?::|$)")


def ended_badly(error: str) -> bool:
    """Whether what a cell wrote to standard error ends with an exception, and is more than a warning."""
    last = error.strip().rpartition("\n")[2]
    return bool(_ENDED_BADLY.match(last)) and "Warning" not in last.partition(":")[0]


def changed(before: Mapping[str, str], now: Mapping[str, Any]) -> tuple[dict[str, str], tuple[Json, ...]]:
    """The variables as texts, and those that are new or another than before."""
    texts = {name: as_json(value) for name, value in now.items()}
    found = tuple(
        {
            "name": name,
            "type": _type_of(now[name]),
            "size": len(now[name]) if isinstance(now[name], str | list | dict) else None,
            "preview": text[:PREVIEW_CHARS],
            "change": "changed" if name in before else "new",
        }
        for name, text in texts.items()
        if before.get(name) != text
    )
    return texts, found


def _type_of(value: Any) -> str:
    """The type that JSON gave it: the log knows no other. What was no JSON is a text such as `<module 'os'>`."""
    return (
        "object" if isinstance(value, str) and value.startswith("<") and value.endswith(">") else type(value).__name__
    )
