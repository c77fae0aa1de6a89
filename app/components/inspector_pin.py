"""A node that is pinned, to compare others with it: the bar that says so, and both beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components import texts_beside as texts_beside_view
from app.components.inspector_figures import figures_of
from app.components.inspector_titles import in_full
from app.components.tables import height
from app.components.text import escaped, whole
from app.node_differences import texts_beside
from app.node_texts import parts_of
from rlm_core import wording
from rlm_core.looks.look import Look
from rlm_core.looks.node_facts import facts_of
from rlm_core.looks.node_shapes import Facts, RunFacts
from rlm_core.looks.run_words import Figure
from rlm_core.plain import plain_line

ROW_HEIGHT = 30


def pin_button(node: str, facts: Facts, look: Look) -> None:
    """Pins what is selected, unless it is the run or pinned already."""
    if isinstance(facts, RunFacts) or look.place.pin == node:
        return
    st.button(
        "Pin",
        icon=":material/keep:",
        type="tertiary",
        key="node-pin",
        on_click=links.pin,
        args=(node,),
        help="Keep this node, select another one, and compare both.",
    )


def pinned(look: Look) -> Facts | None:
    """The facts of the pinned node; `None` without one, or where it is not in this run."""
    return backend.read(look.sheet.id, facts_of, look.place.pin, look.reading.deciding) if look.place.pin else None


def bar(node: str, other: Facts | None, look: Look, *, comparable: bool) -> None:
    """What is pinned, and what can be done with it."""
    pin = look.place.pin
    if pin is None:
        return
    name = in_full(other, look) if other else f"{plain_line(pin, 60)}, which is not in this run"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="node-pinned"):
        st.markdown(f":material/keep: **pinned:** {escaped(name)}", width="content")
        if other and pin != node:
            if look.place.beside and comparable:
                _button("Show this alone", "pin-alone", links.compare_with_pin, False)
            elif comparable:
                _button("Compare with this", "pin-compare", links.compare_with_pin, True)
            _button("Go to it", "pin-go", links.select, pin)
        _button("Unpin", "pin-off", links.pin, None)


def _button(label: str, key: str, clicked: object, arg: object) -> None:
    st.button(label, type="tertiary", key=key, on_click=clicked, args=(arg,))  # type: ignore[arg-type]


def compare(other: Facts, facts: Facts, look: Look) -> None:
    """Figures side by side, and what differs in the texts."""
    free = look.sheet.free
    rows = figures_beside(figures_of(other, free=free), figures_of(facts, free=free))
    if rows:
        st.dataframe(
            rows,
            hide_index=True,
            row_height=ROW_HEIGHT,
            height=height(len(rows), ROW_HEIGHT, len(rows)),
            key="pin-figures",
            alt="Figures of the pinned and of the selected node",
        )
    texts = texts_beside(parts_of(other), parts_of(facts), whole)
    if not rows and not texts:
        st.caption("There is nothing to compare in these two.")
    texts_beside_view.show(texts, ("pinned", "this"), "pin-diff")


def figures_beside(pinned: Sequence[Figure], here: Sequence[Figure]) -> list[dict[str, str]]:
    """One row a figure that either has."""
    ours, theirs = ({each.label: each.value for each in side} for side in (pinned, here))
    return [
        {
            "": label,
            "pinned": plain_line(ours.get(label, wording.DOES_NOT_APPLY), 80),
            "this": plain_line(theirs.get(label, wording.DOES_NOT_APPLY), 80),
        }
        for label in dict.fromkeys([*ours, *theirs])
    ]
