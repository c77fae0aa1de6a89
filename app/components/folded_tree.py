"""The folded tree of a run, in a component: one row for each mark, its cost, and how much of the run's it is.

`rows` and `data` are pure. Folding a branch is up to the browser; which members of a group are drawn stands in the address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import streamlit as st

from app import keys
from app.components import selection
from app.places import STATIC
from rlm_core import wording
from rlm_core.folding import Mark
from rlm_core.looks import marks, windows
from rlm_core.looks.look import Look
from rlm_core.narrowing import matching
from rlm_core.plain import plain_line
from rlm_core.view import Totals

KEY = "folded-tree"
HINT_CHARS = 200
HINTS = {
    "cost": (
        "Of the cost of the run: dark, what the node itself cost; light, with all that is in it",
        "Cost of the node with all that is in it",
    ),
    "time": (
        "Of the time in calls of the run: dark, what the node itself took; light, with all that is in it",
        "Time of all calls in the node, in sum; calls that ran at once are each counted",
    ),
}
"""What the bars and the figures say, by what is compared."""
TOOK = "From the start of the node to its end; of a group, to the end of the last"
_component = st.components.v2.component(
    "folded_tree",
    html='<div class="folded-tree"></div>',
    css="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("marks.css", "folded_tree.css")),
    js="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("marks.js", "folded_tree.js")),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row as the browser draws it. All texts are plain."""

    id: str
    parent: str | None
    level: int
    title: str
    says: str = ""
    why: tuple[str, ...] = ()
    """`failed`, `cited`, `dearest`: what is worth knowing first, in one word each."""
    found: str = ""
    """Where in it the words stand that are looked for; of a group, in how many of its members."""
    shape: str = ""
    kind: str = ""
    """`more` and `fewer` draw more of a group, or fold it again; all others are selected."""
    strong: bool = False
    failed: bool = False
    """The first of these words says so."""
    running: bool = False
    opens: str = ""
    """`here`: its children have been sent; `server`: they are drawn when `unfold` is sent; nothing: it has none."""
    unfold: str | None = None
    bar: tuple[float, float] | None = None
    """Own, and all that is in it, in percent of the run."""
    took: str = ""
    figure: str = ""
    unknown: bool = False
    hint: str = ""
    """Of what is not drawn in full words; else the title and what it says are."""


FIELDS = tuple(each.name for each in fields(Row))
"""What is empty is not sent."""


def show(look: Look) -> None:
    if look.listed.marks:
        _component(key=KEY, height="content", data=data(look), **selection.callbacks(KEY))


def data(look: Look) -> dict[str, Any]:
    """What the browser is sent."""
    selected = look.listed.mark_of(look.place.node)
    return {
        "run": look.place.run,
        "node": look.place.node,
        "selected": selected.id if selected else None,
        "opened": windows.written(look.place.opened),
        "count": count(look),
        "searched": bool(look.place.find),
        "hints": (TOOK, *HINTS["cost" if _by_cost(look) else "time"]),
        "columns": ("time", "own | subtree", "cost" if _by_cost(look) else "in calls"),
        "keys": keys.bindings(keys.TREE),
        "rows": [{name: value for name in FIELDS if (value := getattr(row, name))} for row in rows(look)],
    }


def count(look: Look) -> str:
    """How many nodes are drawn; of a narrowed tree how many match, and are drawn."""
    drawn, nodes = look.listed.drawn, look.listed.nodes
    only = matching(look.reading.facets, look.place.only)
    if only is None:
        return wording.exact(nodes, "node") if drawn >= nodes else f"{wording.m_of_n(drawn, nodes)} nodes"
    shown = sum(mark.id in only for mark in look.listed.marks)
    return f"{wording.m_of_n(len(only), nodes)} match" + (f", {shown:,} drawn" if shown < len(only) else "")


def rows(look: Look) -> list[Row]:
    """All rows, each after its parent. A group that is unfolded ends in a row that folds it again."""
    return list(_below(look, look.listed.marks[0], 1, _measure(look))) if look.listed.marks else []


Measure = Callable[[Totals, float], float]


def _by_cost(look: Look) -> bool:
    """Where nothing is known to have cost anything, the time in calls is compared."""
    return look.listed.marks[0].subtree.cost_usd > 0


def _measure(look: Look) -> Measure:
    """Share of the run in percent, of a mark's sums."""
    whole = look.listed.marks[0]
    if _by_cost(look):
        return lambda totals, _: round(100 * totals.cost_usd / whole.subtree.cost_usd, 1)
    return lambda _, calls_s: round(100 * calls_s / whole.calls_s, 1) if whole.calls_s else 0.0


def _below(look: Look, mark: Mark, level: int, measure: Measure) -> Iterator[Row]:
    yield _row(look, mark, level, measure)
    for child in look.listed.children.get(mark.id, ()):
        yield from _below(look, child, level + 1, measure)
    folding = windows.folding(mark, look)
    if folding and mark.is_group:
        yield Row(f"{mark.id}.fewer", mark.id, level + 1, "show fewer", kind="fewer", unfold=folding)


def _row(look: Look, mark: Mark, level: int, measure: Measure) -> Row:
    name, children = look.names[mark.id], look.listed.children.get(mark.id)
    more = mark.kind == "more"
    unfold = None if children and not more else windows.unfolding(mark, look)
    ended = marks.fate(mark, look.reading.mended)
    shape = marks.kind_of(mark, look.listed, look.reading.mended)
    why = tuple(each for each in mark.why if each not in ("failed", "selected", "found"))
    closed = mark.kind == "turn" and mark.hidden and not children
    remarked = [look.reading.remarked[mark.id]] if mark.id in look.reading.remarked else []
    inside = [f"{mark.subtree.failed_calls:,} failed"] if closed and mark.subtree.failed_calls else []
    before = marks.from_before(mark, look.reading.replayed, look.reading.parted)
    spends = mark.subtree.calls > 0 and mark.kind != "answer"
    figure = _figure(look, mark) if spends else "" if mark.kind == "answer" or more else wording.DOES_NOT_APPLY
    title, says = plain_line(name.title), plain_line(name.says)
    told = "" if more or shape == "mended" or ((why or remarked) and not ended) else says
    return Row(
        mark.id,
        mark.parent,
        level,
        title,
        told,
        (
            *([ended] if ended else []),
            *why,
            *remarked,
            *inside,
            *([before] if before else []),
            *marks.noted(mark, look.notes),
        ),
        found_in(look, mark),
        shape,
        "more" if more else "",
        mark.kind == "call",
        bool(ended) and shape == "failed",
        mark.status == "running" and look.sheet.active,
        "here" if children else "server" if unfold else "",
        unfold,
        (measure(mark.own, mark.own_calls_s), measure(mark.subtree, mark.calls_s)) if spends else None,
        "" if more or mark.kind == "answer" else took(mark, look),
        figure,
        figure == wording.UNKNOWN,
        "" if told else plain_line(f"{title} {says}", HINT_CHARS),
    )


def found_in(look: Look, mark: Mark) -> str:
    """`in prompt, reply`; of what has members that are not drawn, `12 found`."""
    if mark.id in look.hits:
        return f"in {', '.join(look.hits[mark.id].parts)}"
    if not look.hits or not (mark.is_group or mark.kind == "more"):
        return ""
    found = sum(member in look.hits for member in mark.members)
    return f"{found:,} found" if found else ""


def took(mark: Mark, look: Look) -> str:
    """From start to end; of a group from the first start to the last end; of what is under way, nothing yet. Logs of other
    tools have calls of which no one knows how long they took."""
    untimed = look.sheet.by_other_tool and mark.kind == "call" and not mark.elapsed_s
    if mark.elapsed_s is not None and not untimed:
        return wording.seconds(mark.elapsed_s)
    return "" if mark.status == "running" and look.sheet.active else wording.UNKNOWN


def _figure(look: Look, mark: Mark) -> str:
    if not _by_cost(look):
        return wording.seconds(mark.calls_s)
    return marks.spent(mark.subtree, running=mark.status == "running", whole_run=mark.kind == "run")
