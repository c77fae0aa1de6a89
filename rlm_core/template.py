"""What many prompts have in common: how all of them begin and end, and what stands in all of them between. The rest is what
each varies in.

Pure. Linear in the characters that it is given, but for the words of two of them, which are bounded. It knows texts, and not
where they are from.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

WORTH_CHARS = 12
"""Less than this in common is chance."""
COMPARED_CHARS, COMPARED_WORDS = 20_000, 1_000
"""So much of what lies between beginning and end is searched for more that all share."""
_WORD = re.compile(r"\S*")
_WORDS = re.compile(r"\s+|\S+")


@dataclass(frozen=True, slots=True)
class Template:
    fixed: tuple[str, ...] = ()
    """Texts that follow each other in each prompt: the first begins it and the last ends it, and both may be empty. None at all
    where the prompts share too little."""

    @property
    def chars(self) -> int:
        return sum(map(len, self.fixed))

    def varying(self, text: str) -> list[str]:
        """What stands between them in one of the texts: one part less than there are fixed ones."""
        if not self.fixed:
            return [text]
        head, *inner, tail = self.fixed
        at, end, parts = len(head), len(text) - len(tail), list[str]()
        for each in inner:
            start = text.index(each, at, end)
            parts.append(text[at:start])
            at = start + len(each)
        return [*parts, text[at:end]]


def template_of(texts: Sequence[str]) -> Template:
    """All parts are whole words. Of texts that are all the same, all of it is fixed."""
    if len(texts) < 2:
        return Template()
    head = os.path.commonprefix(list(texts))  # noqa: RUF071  # of characters, as meant
    if all(len(text) == len(head) for text in texts):
        return Template((head, ""))
    if any(len(text) > len(head) and not text[len(head)].isspace() for text in texts):
        head = _without_word(head[::-1])[::-1]
    rests = [text[len(head) :][::-1] for text in texts]
    tail = os.path.commonprefix(rests)[::-1]  # noqa: RUF071
    if any(len(rest) > len(tail) and not rest[len(tail)].isspace() for rest in rests):
        tail = _without_word(tail)
    between = [text[len(head) : len(text) - len(tail)] for text in texts]
    found = Template((head, *_inner(between), tail))
    return found if found.chars >= WORTH_CHARS else Template()


def _without_word(text: str) -> str:
    """Without the word that it begins with."""
    return _WORD.sub("", text, count=1)


def _inner(texts: Sequence[str]) -> list[str]:
    """What the first two share word for word, as far as it stands in all others in the same order."""
    shared = list(_shared(texts[0], texts[1]))
    for text in texts:
        at, kept = 0, list[str]()
        for each in shared:
            start = text.find(each, at)
            if start >= 0:
                kept.append(each)
                at = start + len(each)
        shared = kept
    return shared


def _shared(one: str, other: str) -> Iterator[str]:
    ours, theirs = _words(one), _words(other)
    for step in LCSseq.opcodes(ours, theirs):
        same = "".join(ours[step.src_start : step.src_end]) if step.tag == "equal" else ""
        if len(same) >= WORTH_CHARS and not same.isspace():
            yield same


def _words(text: str) -> list[str]:
    """The first words of a text and what parts them, all of them whole."""
    words = _WORDS.findall(text[: COMPARED_CHARS + 1])
    return (words[:-1] if len(text) > COMPARED_CHARS else words)[:COMPARED_WORDS]
