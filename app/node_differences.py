"""Two nodes beside each other: their figures, and what differs in their texts, word by word.

Pure, and bounded: what both texts begin and end with is left out before they are compared. It refuses to know screens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.node_texts import Part
from rlm_core.evidence.differences import MAX_CHARS, Difference, difference
from rlm_core.passages import Passage
from rlm_core.template import template_of
from rlm_core.wording import exact

CONTEXT_CHARS = 80
"""So much is shown of what both share, before and after a difference."""
MOST_TEXTS = 12
"""So many texts of two nodes are compared."""


@dataclass(frozen=True, slots=True)
class Texts:
    """One text of both nodes. `differs` is `None` where they are the same; a side without such a text is empty."""

    title: str
    differs: Difference | None
    shared_chars: int
    cut: bool = False
    """What differs is longer than what is compared."""
    chars: int = 0


def texts_beside(pinned: Sequence[Part], here: Sequence[Part], load: Callable[[Passage], str]) -> list[Texts]:
    """Text by text, by their headings, those of the pinned node first."""
    ours, theirs = dict(pinned), dict(here)
    found = []
    for title in list(dict.fromkeys([*ours, *theirs]))[:MOST_TEXTS]:
        one, other = (load(side[title]) if title in side else "" for side in (ours, theirs))
        found.append(_compared(title, one, other))
    return found


def _compared(title: str, one: str, other: str) -> Texts:
    if one == other:
        return Texts(title, None, len(one), chars=len(one))
    fixed = template_of([one, other]).fixed or ("", "")
    head, tail = fixed[0], fixed[-1]
    before, after = _whole_words(head[::-1])[::-1], _whole_words(tail)
    sides = [f"{before}{text[len(head) : len(text) - len(tail)]}{after}" for text in (one, other)]
    differs = difference(*sides)
    parts = tuple(replace(each, quote=_brief(each.quote), source=_brief(each.source)) for each in differs.parts)
    shared = len(head) + len(tail) - len(before) - len(after)
    return Texts(
        title, replace(differs, parts=parts), shared, max(map(len, sides)) > MAX_CHARS, max(len(one), len(other))
    )


def _whole_words(text: str) -> str:
    """How a text begins, up to the end of a word where there is one."""
    words = text[:CONTEXT_CHARS]
    return words if len(text) <= CONTEXT_CHARS else words.rsplit(maxsplit=1)[0] if words.strip() else words


def _brief(text: str) -> str:
    """Of a long part that goes on in the same way its beginning and its end."""
    missing = len(text) - 4 * CONTEXT_CHARS
    if missing <= 0:
        return text
    return f"{text[: 2 * CONTEXT_CHARS]} … {exact(missing, 'character')} … {text[-2 * CONTEXT_CHARS :]}"
