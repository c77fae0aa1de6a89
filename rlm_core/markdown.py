"""Texts of models and documents within Markdown, as text and nothing else: nothing in them links, loads, or breaks out.

It knows characters and the Markdown of CommonMark and GitHub. Long texts stand in fences, short ones in cells with every mark
escaped that means something; what would act on a terminal is made visible (`plain.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rlm_core.plain import plain, plain_line

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#!|~:@$&^=])")
_WWW = re.compile(r"(www)\.", re.IGNORECASE)
_LEADING = re.compile(r"^(\d*)([.)](?=\s|$)|[-+])")
_FENCES = re.compile(r"`{3,}|~{3,}")


def escaped(text: str, max_chars: int | None = None) -> str:
    """One line that comes out as it is, wherever a line of words may stand; cut like `plain_line`."""
    line = _WWW.sub(r"\1\\.", _MARKS.sub(r"\\\1", plain_line(text, max_chars)))
    return _LEADING.sub(r"\1\\\2", line)


def fenced(text: str, language: str = "text") -> str:
    """The text in a fence that is longer than any within it."""
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCES.findall(text))])
    return f"{fence}{language}\n{plain(text).rstrip()}\n{fence}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are texts and are escaped here; the head is our own words."""
    lines = [head, ["---"] * len(head), *([escaped(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
