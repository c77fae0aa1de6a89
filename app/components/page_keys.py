"""Keys of the run's page: those that move the selection or open its evidence, and the table of all keys behind “?”."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import backend, links
from app.look import Look
from app.node_places import next_to
from app.places import STATIC

KEY = "page-keys"
BEFORE, AFTER, EVIDENCE = "[", "]", "e"
STEPS = {BEFORE: -1, AFTER: 1}
GROUPS: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "Run",
        [
            (f"{BEFORE} {AFTER}", "previous, next of what is selected: call, cell, turn, finding"),
            (EVIDENCE, "open the evidence of what is selected"),
            ("?", "this table"),
        ],
    ),
    ("Tree, while it has the focus", [("↑ ↓", "up and down"), ("← →", "fold, unfold"), ("Enter", "select")]),
    (
        "Graph, while it has the focus",
        [
            ("↑ ↓ ← →", "to the nearest mark"),
            ("+ −", "larger, smaller"),
            ("0", "all of it"),
            ("Enter", "unfold a group"),
        ],
    ),
    ("Reader", [("j k", "next, previous step"), ("J K", "next, previous failure")]),
    ("Ask", [("Ctrl+Enter", "start")]),
]
_component = st.components.v2.component(
    "page_keys",
    html='<div class="keys"></div>',
    css=(STATIC / "page_keys.css").read_text(encoding="utf-8"),
    js="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("typing.js", "page_keys.js")),
)


def show(look: Look) -> None:
    if st.session_state.pop("evidence-asked", False):
        query = links.evidence_query(look.sheet.id, evidence_of(look))
        query.pop(
            "view", None
        )  # it is bound to a widget of this page, and Streamlit refuses to take it along from here
        st.switch_page(links.EVIDENCE, query_params=query)

    def pressed() -> None:
        key = st.session_state[KEY].pressed
        if key == EVIDENCE:
            st.session_state["evidence-asked"] = True
        elif key in STEPS and look.place.node:
            to = backend.read(look.sheet.id, next_to, look.place.node, STEPS[key])
            if to:
                links.select(to)

    _component(key=KEY, width="content", height="content", data=data(look), on_pressed_change=pressed)


def data(look: Look) -> dict[str, Any]:
    """Which keys do something now, and what all keys mean."""
    moves = [BEFORE, AFTER] if look.place.node else []
    moves += [EVIDENCE] if look.reading.findings else []
    groups = [
        {"where": where, "keys": [{"keys": keys.split(), "means": means} for keys, means in rows]}
        for where, rows in GROUPS
    ]
    return {"moves": moves, "groups": groups}


def evidence_of(look: Look) -> str | None:
    """The finding whose evidence is asked for: the selected one, or the first that the selected call or cell decided."""
    node = look.place.node
    for each in look.reading.findings:
        if node in (each.span, each.call) or (each.cell and node == each.cell.span):
            return each.span
    return None
