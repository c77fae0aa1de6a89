"""A page becomes its visible text, or its source where no parser can be trusted with it.

Knows encodings and traps. Refuses to know how text is taken out of HTML: `formats/html.py`, run by a `Converter`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rlm_core.corpus.converter import Converter
from rlm_core.corpus.encoding import declared_encoding
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.readers.text import read_text
from rlm_core.corpus.reading import Reading

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


def read_html(data: bytes, converter: Converter) -> Reading:
    """Decoded first (the parser would guess), in the declared encoding unless it is valid UTF-8."""
    source = read_text(data, declared_encoding(data))
    if _is_trap(source.text):
        return _as_source(source, "The page nests its tags as no real page does.")
    try:
        return replace(source, text=converter.read("html", source.text.encode("utf-8")).text)
    except Refused as refused:
        return _as_source(source, f"The text of the page could not be taken out of it. {refused.reason}")


def _as_source(source: Reading, reason: str) -> Reading:
    return replace(source, warning=f"{source.warning} {reason} Its source is shown as it is.".strip())


def _is_trap(source: str) -> bool:
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
