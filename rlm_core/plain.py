"""Text of models and documents made safe for a terminal: what would act on it is shown instead.

It knows characters only. Nothing is dropped in silence: each control character, escape, and override of the writing
direction becomes something visible, so that a reader sees that it was there. Line feeds and tabs stay.
"""

from __future__ import annotations

import re

_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, among them escape and its one-byte forms
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks and overrides of the writing direction
    "\u2028\u2029\ud800-\udfff]"  # separators that only some programs break lines at; halves of surrogate pairs
)


def plain(text: str) -> str:
    """The text with every character that would act on the terminal replaced by a visible one."""
    return _ACTING.sub(_shown, text.replace("\r\n", "\n"))


def plain_line(text: str, max_chars: int | None = None) -> str:
    """The text as one line; a longer one is cut, and ends in an ellipsis."""
    line = plain(" ".join(text.split()))
    return line if max_chars is None or len(line) <= max_chars else line[: max_chars - 1].rstrip(" .,;:") + "…"


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else f"<U+{code:04X}>"
