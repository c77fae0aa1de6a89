"""A text of a run as it is passed around on its way to the screen: its head, its length, and where the whole of it is.

Events keep a long text once, by its hash; so a run of ten thousand calls is laid out without loading what nobody opens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Passage:
    """`head` is the whole text where `sha` is `None`, else its first characters."""

    head: str
    chars: int
    sha: str | None = None


NOTHING = Passage("", 0)


def passage(value: Any) -> Passage:
    """What an event of `Store.events(resolve=False)` holds in the place of a text: the text itself, or a reference."""
    if value is None:
        return NOTHING
    if isinstance(value, dict):
        return Passage(value["head"], value["chars"], value["$text"])
    return Passage(value, len(value))


def short(text: Passage) -> str:
    """The whole of a short text; the head of a long one, saying how much is missing."""
    return text.head if text.sha is None else f"{text.head} … ({text.chars - len(text.head):,} more characters)"


def spoken(reply: str, cells: list[str]) -> str:
    """What a model said around its code: the reply without the fenced blocks that became cells, which are shown apart."""
    for code in cells:
        start = reply.find(code.strip()) if code.strip() else -1
        if start < 0:
            continue
        end = start + len(code.strip())
        opening = reply.rfind("```", 0, start)
        closing = reply.find("```", end)
        if (
            opening < 0
            or "\n" in reply[opening:start].rstrip(" \n").strip()
            or closing < 0
            or reply[end:closing].strip()
        ):
            continue
        reply = f"{reply[:opening].rstrip()}\n\n{reply[closing + 3 :].lstrip()}"
    return reply.strip()
