"""What makes calls, and child frames, alike, and the groups of them: who was asked, the first words of what was asked, and
whether it failed.

Prompts that one line of code wrote have the same first words but for numbers, and those of two lines have not. Pure.
"""

from __future__ import annotations

from collections.abc import Collection

from rlm_core import events as ev
from rlm_core.outline import Outline
from rlm_core.passages import passage
from rlm_core.view import Node

FOLD_ABOVE = 8
"""More similar siblings than this become a group."""
MOST_TEMPLATES = 12
"""Of what was asked in one place; prompts of a template that is rarer than these are taken together."""
MIXED = {"call": "g0", "frame": "gf", "search": "gs"}
"""Last part of the id of a group whose members were asked different things."""
STOPPED = ("cancelled", "interrupted")
"""Statuses of what was stopped with its run, and did not fail."""
WENT_WELL = ("ok", "running", "answered", "forced")
TEMPLATE_CHARS, TEMPLATE_WORDS = 200, 6

Groups = list[tuple[str | None, list[str]]]
"""Groups with their members, and single nodes as the only member of none."""


class Siblings:
    """What lies side by side in each node of an outline, with the groups of it."""

    def __init__(self, outline: Outline, cited: Collection[str]) -> None:
        self.outline, self.cited = outline, cited
        self._known: dict[str, Groups] = {}

    def of(self, parent: str) -> Groups:
        """The children of a node in order: singles, and groups in the place of their first member."""
        if parent not in self._known:
            self._known[parent] = self._folded(parent)
        return self._known[parent]

    def _folded(self, parent: str) -> Groups:
        alike: dict[tuple[str, str, str, str], list[str]] = {}
        numbers: dict[tuple[str, str, str], int] = {}
        children = self.outline.children.get(parent, [])
        for child in children:
            node = self.outline.nodes[child]
            if node.kind not in MIXED:
                continue
            template = (node.kind, model_of(node), template_of(node))
            numbers.setdefault(template, len(numbers) + 1)
            alike.setdefault((*template, fate_of(node)), []).append(child)
        groups: dict[str, list[str]] = {}
        mixed: dict[str, list[str]] = {}
        often = sorted(alike, key=lambda template: -len(alike[template]))[:MOST_TEMPLATES]
        for (kind, model, words, fate), members in alike.items():
            if len(members) > FOLD_ABOVE and (kind, model, words, fate) in often:
                self._part_cited(groups, f"{parent}.g{numbers[kind, model, words]}{fate}", members)
            else:
                mixed.setdefault(f"{MIXED[kind]}{fate}", []).extend(members)
        order = {child: place for place, child in enumerate(children)}
        for name, members in mixed.items():
            if len(members) > FOLD_ABOVE:
                self._part_cited(groups, f"{parent}.{name}", sorted(members, key=order.__getitem__))
        of = {member: group for group, members in groups.items() for member in members}
        placed: dict[str, tuple[str | None, list[str]]] = {}
        for child in children:
            place = of.get(child)
            placed.setdefault(place or child, (place, groups[place] if place else [child]))
        return list(placed.values())

    def _part_cited(self, groups: dict[str, list[str]], group: str, members: list[str]) -> None:
        """Cited members are drawn singly under their group; of more than eight, they are a group beside it."""
        cited = [member for member in members if member in self.cited]
        if len(cited) <= FOLD_ABOVE or len(cited) == len(members):
            groups[group] = members
            return
        groups[f"{group}q"] = cited
        groups[group] = [member for member in members if member not in self.cited]


def model_of(node: Node) -> str:
    """The model that was asked, or the strategy of a child frame."""
    started = node.started
    return started.model if isinstance(started, ev.CallStarted) else getattr(started, "strategy", "")


def template_of(node: Node) -> str:
    """The first words of a prompt, whatever numbers stand in them."""
    match node.started:
        case ev.CallStarted():
            text = node.started.messages[-1].text if node.started.messages else ""
        case ev.FrameStarted():
            text = node.started.question
        case _:
            text = node.kind
    words = passage(text).head[:TEMPLATE_CHARS].split(None, TEMPLATE_WORDS)[:TEMPLATE_WORDS]
    return " ".join("#" if not word.isalpha() and any(map(str.isdigit, word)) else word for word in words)


def fate_of(node: Node) -> str:
    """Suffix of a group's id: `x` failed, `s` stopped with its run, nothing for what went well or is under way."""
    status = node.status
    if status in WENT_WELL:
        return ""
    return "s" if status in STOPPED else "x"
