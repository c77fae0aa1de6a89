"""What `search` gives a cell: dicts with `path`, `start`, `end`, `text` and `score`, which read well when they are printed.

Runs in the child. Refuses to know how the passages were found.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from typing import Any

_SHOWN_CHARS = 600


class Hit(dict):  # type: ignore[type-arg]
    """One passage: `hit["text"]`, or `hit.text`. It stands at `context[hit.path][hit.start:hit.end]`, in a single document
    at `context[hit.start:hit.end]`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"a hit has no .{name}; it has {', '.join(map(str, self))}")

    def __repr__(self) -> str:
        place = f"{self.get('path')} [{self.get('start')}:{self.get('end')}]"
        score = self.get("score")
        text = str(self.get("text", ""))
        shown = text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS]
        rest = f" [... {len(text) - len(shown):,} more characters]" if len(shown) < len(text) else ""
        lines = "\n".join(f"    {line}" for line in shown.splitlines() or [""])
        return f"{place}{'' if score is None else f'  score {score:.4g}'}\n{lines}{rest}"

    __str__ = __repr__


class Hits(list):  # type: ignore[type-arg]
    """The passages, the best first."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        found = list.__getitem__(self, key)
        return Hits(found) if isinstance(key, slice) else found

    def __repr__(self) -> str:
        if not self:
            return "no passage found"
        return "\n".join(f"{number}. {hit}" for number, hit in enumerate(self))

    __str__ = __repr__


def hits(found: Any) -> Hits:
    """The host's answer to a search, for a cell."""
    return Hits(Hit(each) if isinstance(each, dict) else each for each in found)
