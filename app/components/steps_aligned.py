"""Rows of steps that were laid side by side: a component that writes text only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import backend, links
from app.components.compare_head import letter, name
from app.places import STATIC
from rlm_core import wording
from rlm_core.compare import LETTERS, Comparison
from rlm_core.plain import plain_line
from rlm_core.steps_aligned import Row

KEY = "steps-aligned"
TITLE_CHARS, SAYS_CHARS = 60, 90
Sides = tuple[int, int]
Names = Mapping[tuple[str, ...], backend.StepName]

_component = st.components.v2.component(
    "steps_aligned",
    html='<div class="steps"></div>',
    css=(STATIC / "steps_aligned.css").read_text(encoding="utf-8"),
    js=(STATIC / "steps_aligned.js").read_text(encoding="utf-8"),
)


def show(
    comparison: Comparison,
    sides: Sides,
    rows: Sequence[Row],
    opened: Sequence[str],
    first: Row | None,
    selected: Row | None,
) -> None:
    """Draw a page of rows; `opened` are groups. A row that is clicked is selected, a group unfolded or folded; a name leads to
    its node."""
    runs = [comparison.runs[number].id for number in sides]
    names = [backend.step_names(runs[0], [row.one for row in rows if row.one])]
    names += [backend.step_names(runs[1], [row.other for row in rows if row.other])]
    clicked = _component(
        key=KEY,
        height="content",
        data={
            "sides": [{**letter(number), "name": name(comparison.runs[number])} for number in sides],
            "rows": [_drawn(row, sides, runs, names, opened, first) for row in rows],
            "selected": selected.id if selected else "",
        },
        on_picked_change=_picked,
        on_opened_change=lambda: None,
    )
    if clicked.opened:
        links.leave_comparison(links.RUN, links.run_query(clicked.opened["run"], runs, clicked.opened["node"]))


def _picked() -> None:
    row = st.session_state[KEY].picked or {}
    if not row.get("group"):
        links.compare(step=row.get("id"))
        return
    _, opened = links.compared_step()
    kept = [each for each in opened if each != row["id"]]
    if row.get("open"):
        links.compare(unfolded=",".join(kept), step=None)  # what was selected may lie in it
    else:
        links.compare(unfolded=",".join([*kept, row["id"]]))


def _drawn(
    row: Row, sides: Sides, runs: Sequence[str], names: Sequence[Names], opened: Sequence[str], first: Row | None
) -> dict[str, Any]:
    return {
        "id": row.id,
        "depth": row.depth,
        "kind": row.kind,
        "state": row.state.replace(" ", "-"),
        "says": says(row, sides),
        "more": inside(row),
        "first": first is not None and row.id == first.id,
        "group": row.members is not None,
        "open": row.id in opened,
        "sides": [
            _side(spans, run, known, runs) for spans, run, known in zip((row.one, row.other), runs, names, strict=True)
        ],
    }


def _side(spans: tuple[str, ...], run: str, names: Names, runs: Sequence[str]) -> dict[str, Any] | None:
    if not spans:
        return None
    called = names.get(spans) or backend.StepName(spans[0])
    drawn = {
        "title": plain_line(called.title, TITLE_CHARS),
        "says": plain_line(called.says, SAYS_CHARS),
        "came": plain_line(called.came, SAYS_CHARS),
    }
    if len(spans) > 1:
        return drawn
    query = links.run_query(run, runs, spans[0])
    return {**drawn, "href": f"run?{urlencode(query)}", "go": {"run": run, "node": spans[0]}}


def says(row: Row, sides: Sides) -> str:
    """`same, replayed`, `code and output differ`, `only in A`; of a group how many of each."""
    one, other = (LETTERS[number] for number in sides)
    if row.state in ("only one", "only other"):
        return f"only in {one if row.state == 'only one' else other}"
    if row.members and row.state == "changed":
        _, changed, alone, beyond = row.members
        said = ((changed, "changed"), (alone, f"only in {one}"), (beyond, f"only in {other}"))
        return ", ".join(f"{number:,} {what}" for number, what in said if number)
    if row.state == "changed":
        *some, last = row.differs
        return f"{', '.join(some)} and {last} differ" if some else f"{last} differs"
    return "same, replayed" if row.replayed else "same"


def inside(row: Row) -> str:
    """What of it has no row, and that steps in it part."""
    if row.members:
        return f"{row.members[0]:,} the same" if row.members[0] and row.state != "same" else ""
    if row.below:
        return f"{wording.exact(row.below, 'difference')} in it"
    return f"with {wording.exact(row.hidden, 'step')} in it" if row.hidden else ""
