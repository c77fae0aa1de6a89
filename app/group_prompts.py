"""What the members of a group were asked, and what each prompt varies in. Pure: a function that loads a long text is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rlm_core import wording
from rlm_core.looks.node_shapes import Member
from rlm_core.passages import Passage
from rlm_core.plain import plain_line
from rlm_core.template import Template

READ_CHARS = 4_000_000
"""So much of long prompts is read to find out what all of them share."""
VARYING_CHARS = 160


def prompts_of(members: Sequence[Member], load: Callable[[Passage], str]) -> dict[str, str]:
    """The prompts by the spans of the members, as far as they can be read without reading too much: short ones are at hand."""
    found, left = dict[str, str](), READ_CHARS
    for each in members:
        if each.asked.sha is None:
            found[each.span] = each.asked.head
        elif each.asked.chars <= left:
            left -= each.asked.chars
            found[each.span] = load(each.asked)
    return found


def varies(member: Member, template: Template, prompts: Mapping[str, str]) -> str:
    """What its prompt does not share with the others, on one line; of one that was not read whole, what is at hand of it."""
    whole = prompts.get(member.span)
    if whole is not None:
        parts = [part[:VARYING_CHARS] for part in template.varying(whole) if part.strip()]
        return plain_line(" · ".join(parts), VARYING_CHARS)
    shared = len(template.fixed[0]) if template.fixed else 0
    return plain_line(member.asked.head[shared:], VARYING_CHARS) or wording.UNKNOWN
