"""What the marks of a run have in common wherever they are drawn: their shape, what they spent, and how they ended. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from app.components.kinds import Kind
from rlm_core import wording
from rlm_core.events import Replayed
from rlm_core.folding import Mark, MarkKind, Tree
from rlm_core.likeness import WENT_WELL
from rlm_core.notes import Note
from rlm_core.plain import plain_line
from rlm_core.view import Totals

KINDS: dict[MarkKind, Kind] = {
    "run": "root",
    "frame": "frame",
    "turn": "root",
    "cell": "code",
    "call": "call",
    "search": "search",
    "answer": "answer",
}
"""The shape and the colour of each mark: a turn is drawn as the root model, which wrote it."""
REPLAYED, BY_HAND, PARTED = "replayed", "by hand", "differs"
SMALL_USD = 1.0
"""Below this, sums within one run have three digits, so that its parts can be told apart."""


def kind_of(mark: Mark, tree: Tree) -> Kind:
    """Of `306 more` that of its group. A call of the root model outside its turns is the root model all the same."""
    return _kind(tree.by_id[mark.parent or ""] if mark.kind == "more" else mark)


def shape_of(mark: Mark) -> Kind:
    """Failed calls and frames have the failure's own shape; a turn or a cell that failed keeps its own, and says so."""
    return "failed" if mark.failed and mark.kind in ("call", "frame", "search") else _kind(mark)


def _kind(mark: Mark) -> Kind:
    return "root" if mark.role == "root" else KINDS[mark.kind]


def ended(mark: Mark) -> str:
    """`failed`, `cancelled`, `timeout`; nothing for what went well or is under way."""
    if mark.kind in ("run", "answer") or mark.status in WENT_WELL:
        return ""
    return mark.status


def from_before(mark: Mark, replayed: Mapping[str, Replayed], parted: Collection[str] = ()) -> str:
    """`replayed`, `by hand`, `12 of 40 replayed`; nothing for what was made in this run. Of a cell, that it parted."""
    if mark.id in parted:
        return PARTED
    known = [replayed[each] for each in mark.members if each in replayed]
    if any(each.edited for each in known):
        return BY_HAND
    if not known or mark.kind == "more":
        return ""
    return (
        REPLAYED if len(known) == len(mark.members) else f"{wording.m_of_n(len(known), len(mark.members))} {REPLAYED}"
    )


def noted(mark: Mark, notes: Mapping[str, Note]) -> list[str]:
    """`✎ wrong`, `✎ too early`; of a group, how many of its members a person has said something of."""
    said = [notes[each] for each in mark.members if each in notes] if notes else []
    if not said or mark.kind == "more":
        return []
    if len(mark.members) > 1:
        return [f"✎ {len(said):,} noted"]
    return [f"✎ {said[0].judged or plain_line(said[0].label, 16) or 'note'}"]


def spent(totals: Totals, *, running: bool = False, whole_run: bool = False) -> str:
    """`$0.018`, `$0.41 + ?`, `unknown`. Of what is under way, what was spent so far; nothing, where that is not known yet."""
    if running and not totals.cost_usd:
        return ""
    unknown = 0 if running else totals.calls_without_cost
    return wording.money(totals.cost_usd, unknown) if whole_run else part_cost(totals.cost_usd, unknown)


def part_cost(usd: float, unknown_calls: int = 0) -> str:
    """What a part of a run cost, in digits that tell it from other parts."""
    return wording.money(usd, unknown_calls, digits=3 if 0.01 <= usd < SMALL_USD else None)
