"""What the marks of a run have in common wherever they are drawn: their shape, what they spent, and how they ended. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from rlm_core import wording
from rlm_core.events import Replayed
from rlm_core.folding import Mark, MarkKind, Tree
from rlm_core.likeness import WENT_WELL
from rlm_core.mending import Mending
from rlm_core.notes import Note
from rlm_core.plain import plain_line
from rlm_core.view import Totals

Kind = Literal["root", "code", "call", "frame", "answer", "failed", "mended", "note", "search"]
"""The kinds of things, each with one shape and one colour everywhere."""
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
FAIL = ("frame", "turn", "cell", "call", "search", "more")
"""How the run ended is said above it, and its answer is none that failed."""
REPLAYED, BY_HAND, PARTED = "replayed", "by hand", "differs"
SMALL_USD = 1.0
"""Below this, sums within one run have three digits, so that its parts can be told apart."""


def kind_of(mark: Mark, tree: Tree, mended: Collection[str] = ()) -> Kind:
    """The shape of a mark; of `306 more` that of its group."""
    return shape_of(tree.by_id[mark.parent or ""] if mark.kind == "more" else mark, mended)


def shape_of(mark: Mark, mended: Collection[str] = ()) -> Kind:
    """What failed has the failure's own shape, whatever it is, and a quieter one where it was made good later. A call of the root
    model outside its turns is the root model all the same."""
    if mark.failed and mark.kind in FAIL:
        return "mended" if all(each in mended for each in mark.members) else "failed"
    return "root" if mark.role == "root" else KINDS[mark.kind]


def ended(mark: Mark) -> str:
    """`failed`, `cancelled`, `timeout`; nothing for what went well or is under way."""
    return mark.status if mark.kind in FAIL and mark.status not in WENT_WELL else ""


def fate(mark: Mark, mended: Mapping[str, Mending]) -> str:
    """`failed`, `asked again in turn 6`: for where the name of a mark stands alone. A group that failed has that in its name."""
    return made_good(mark, mended) or ("" if mark.is_group else ended(mark))


def made_good(mark: Mark, mended: Mapping[str, Mending]) -> str:
    """`asked again in turn 6`; of what has members, of how many of them that is so."""
    found = [mended[each] for each in mark.members if each in mended] if mark.failed else []
    if len(mark.members) == 1:
        return found[0].says if found else ""
    return f"{wording.m_of_n(len(found), len(mark.members))} made good later" if found else ""


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
