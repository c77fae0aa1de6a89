"""Pages over which the parser of HTML is known to take the square of their size. Knows their shape; parses nothing itself."""

from __future__ import annotations

import re

_FORMATTING = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
_CLOSED_BY_THE_NEXT = frozenset(
    (
        *("p", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "option", "optgroup", "colgroup"),
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track"),
    )
)
_MAX_DEPTH = 5000
_MAX_NODES = 20_000_000
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")


def is_trap(source: str) -> bool:
    """Whether parsing is known to take the square of the page's size: in time for very deep nesting, in memory for unclosed
    formatting, which is opened again in every block that follows. Saves the wait for the converter to be stopped."""
    depth = formatting = deepest = most_formatting = tags = 0
    for match in _TAG.finditer(source):
        tags += 1
        step = -1 if match[1] else 1
        name = match[2].lower()
        if name in _FORMATTING:
            formatting = max(0, formatting + step)
            most_formatting = max(most_formatting, formatting)
        if name not in _CLOSED_BY_THE_NEXT:
            depth = max(0, depth + step)
            deepest = max(deepest, depth)
    return deepest > _MAX_DEPTH or most_formatting * tags > _MAX_NODES
