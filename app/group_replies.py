"""What the members of a group replied, counted: equal replies together, those that are empty or refuse apart.

Pure, and bounded: the heads of the replies are compared. First whole replies, then whole but for their numbers, then how they
begin; the first of these that leaves no more than a few kinds says most, and where none does there is nothing to be counted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.group_facts import measured, opening
from rlm_core.looks.node_shapes import Member
from rlm_core.plain import plain_line

MOST_KINDS = 8
READ_CHARS = 300
"""In so much of its beginning a reply says that it refuses."""
SAID_CHARS = 40
_REFUSES = re.compile(
    r"\b(?:as an ai\b|i(?:'|’)?m sorry\b|i am sorry\b|i can(?:'|’|no)t (?:help|assist|comply|answer|do)|"
    r"i am (?:not able|unable) to\b|i(?:'|’)m (?:not able|unable) to\b|i must decline\b|i (?:won(?:'|’)t|will not) \w+)"
)


@dataclass(frozen=True, slots=True)
class Replies:
    """Members that replied alike, and the first of them. `says`: `“no”`, `empty`, `refuses`, `begins “yes”`."""

    says: str
    member: Member
    count: int


def replies_of(members: Sequence[Member]) -> list[Replies]:
    """The commonest first; then those that refuse and those that are empty. Nothing where nearly every reply is another one."""
    ended = [each for each in members if measured(each, "reply") is not None]
    empty = [each for each in ended if not each.reply.head.strip()]
    refusing = [each for each in ended if _REFUSES.search(each.reply.head[:READ_CHARS].casefold())]
    apart = {each.span for each in (*empty, *refusing)}
    said = _kinds([each for each in ended if each.span not in apart])
    odd = [Replies(says, found[0], len(found)) for says, found in (("refuses", refusing), ("empty", empty)) if found]
    return [*said, *odd]


def _kinds(members: Sequence[Member]) -> list[Replies]:
    for fewest, key, says in LEVELS:
        kinds = defaultdict[str, list[Member]](list)
        for each in members:
            kinds[key(each)].append(each)
        if fewest <= len(kinds) <= MOST_KINDS and len(kinds) < len(members):
            ordered = sorted(kinds.values(), key=len, reverse=True)
            return [Replies(says(found[0]), found[0], len(found)) for found in ordered]
    return []


def _normal(text: str) -> str:
    """Without what makes no difference."""
    return " ".join(text.casefold().split()).rstrip(" .!")


def _whole(member: Member) -> str:
    return f"{_normal(member.reply.head)} {member.reply.sha or ''}"


def _but_for_numbers(member: Member) -> str:
    return re.sub(r"\d+", "#", _whole(member))


def _quoted(member: Member) -> str:
    return f"“{plain_line(member.reply.head, SAID_CHARS)}”"


def _begins(member: Member) -> str:
    return f"begins “{plain_line(member.reply.head.split()[0], SAID_CHARS)}”"


LEVELS: tuple[tuple[int, Callable[[Member], str], Callable[[Member], str]], ...] = (
    (1, _whole, _quoted),
    (1, _but_for_numbers, lambda each: f"like {_quoted(each)}"),
    (2, lambda each: opening(each.reply.head), _begins),
)
"""By what replies are alike, how few kinds of that tell anything, and how it is said of the first of each."""
