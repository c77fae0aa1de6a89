"""What a page must not tell: documents, or prompts. Everything is checked that goes into it, wherever it came from.

Texts that are documents (quotes, outputs, what helpers were sent and replied) are replaced as a whole by who makes the page. In
what is left, a stretch that also stands in what is redacted is replaced too: a model may have copied it into its answer, its code
or a name. White space does not count. Not covered: shorter stretches, and what is said in other words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

SHARED_CHARS = 15
"""A stretch of so many characters without white space, or more, that stands in what is redacted is replaced."""
GRAM_CHARS = 8
_STRIDE = SHARED_CHARS - GRAM_CHARS + 1
"""Each such stretch holds a gram that begins at a multiple of this."""
_MARKED = re.compile(rb"\x01+")


@dataclass(frozen=True, slots=True)
class Redaction:
    documents: bool = False
    prompts: bool = False

    def __bool__(self) -> bool:
        return self.documents or self.prompts

    def sentences(self) -> list[str]:
        """What was taken out, for a reader."""
        documents = (
            "Documents are redacted: quotes, outputs, prompts, and replies of helpers are not in this file. Code is, without "
            "what it copies of documents."
        )
        return ([documents] if self.documents else []) + (["Prompts are redacted."] if self.prompts else [])


TELL_ALL = Redaction()


def redacted(chars: int) -> str:
    return f"redacted, {chars:,} characters"


def scrubbed(data: Any, sources: Iterable[str]) -> Any:
    """The same lists and dicts, in whose texts nothing is left that stands in one of the sources."""
    texts = [each for each in dict.fromkeys(_texts(data)) if len(each) >= SHARED_CHARS]
    kept = _Kept(texts)
    for source in sources:
        kept.look_for(_packed(source))
    changed = dict(kept.redacted())
    return _replaced(data, lambda text: changed.get(text, text)) if changed else data


def shared(texts: Iterable[str], sources: Iterable[str]) -> Iterator[str]:
    """The stretches of these texts that stand in one of the sources as well, without white space."""
    kept = _Kept(list(dict.fromkeys(texts)))
    for source in sources:
        kept.look_for(_packed(source))
    for number, found in kept.found.items():
        for stretch in _MARKED.finditer(found):
            yield kept.packed[number][stretch.start() : stretch.end()]


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for each in data.values():
            yield from _texts(each)
    elif isinstance(data, list | tuple):
        for each in data:
            yield from _texts(each)


def _replaced(data: Any, change: Callable[[str], str]) -> Any:
    if isinstance(data, str):
        return change(data)
    if isinstance(data, dict):
        return {name: _replaced(each, change) for name, each in data.items()}
    return [_replaced(each, change) for each in data] if isinstance(data, list | tuple) else data


def _packed(text: str) -> str:
    return "".join(text.split())


class _Kept:
    """Texts that stay, by their grams, and what in them stands in a source as well."""

    def __init__(self, texts: list[str]) -> None:
        self.texts, self.packed = texts, [_packed(each) for each in texts]
        self.found: dict[int, bytearray] = {}
        """By number of a text, 1 for each character, without white space, that is to be replaced."""
        self.grams: dict[str, list[tuple[int, int]]] = {}
        for number, text in enumerate(self.packed):
            for at in range(0, len(text) - GRAM_CHARS + 1, _STRIDE):
                self.grams.setdefault(text[at : at + GRAM_CHARS], []).append((number, at))

    def look_for(self, source: str) -> None:
        grams = self.grams
        for at in range(len(source) - GRAM_CHARS + 1):
            for number, place in grams.get(source[at : at + GRAM_CHARS], ()):
                if not self._is_inside(number, place):
                    self._mark(number, place, source, at)

    def _is_inside(self, number: int, place: int) -> bool:
        """Whether a gram, and what is on both sides of it, is marked already."""
        found = self.found.get(number)
        return found is not None and all(found[max(0, place - 1) : place + GRAM_CHARS + 1])

    def _mark(self, number: int, place: int, source: str, at: int) -> None:
        """Mark all that is the same round a gram, if it is long enough."""
        text = self.packed[number]
        start = 0
        while start < min(place, at) and text[place - start - 1] == source[at - start - 1]:
            start += 1
        end = GRAM_CHARS
        while place + end < len(text) and at + end < len(source) and text[place + end] == source[at + end]:
            end += 1
        if start + end >= SHARED_CHARS:
            found = self.found.setdefault(number, bytearray(len(text)))
            found[place - start : place + end] = b"\1" * (start + end)

    def redacted(self) -> Iterator[tuple[str, str]]:
        """Each text in which something was found, and what is left of it."""
        for number, found in self.found.items():
            yield self.texts[number], "".join(_left(self.texts[number], found))


def _left(text: str, found: bytearray) -> Iterator[str]:
    at, taken = 0, 0
    for letter in text:
        if not letter.isspace():
            if found[at]:
                taken += 1
                at += 1
                continue
            at += 1
        elif taken and at < len(found) and found[at]:
            continue  # white space within what is taken out
        if taken:
            yield f"[{redacted(taken)}]"
            taken = 0
        yield letter
    if taken:
        yield f"[{redacted(taken)}]"
