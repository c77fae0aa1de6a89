"""Keys of the run's page that belong to no part of it (`app/keys.py`), and the table of all keys behind “?”."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import backend, keys, links
from app.places import STATIC
from rlm_core.looks.look import Look
from rlm_core.looks.node_places import next_to

KEY = "page-keys"
STEPS = {"before": -1, "after": 1}
_component = st.components.v2.component(
    "page_keys",
    html='<div class="keys"></div>',
    css=(STATIC / "page_keys.css").read_text(encoding="utf-8"),
    js="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("typing.js", "page_keys.js")),
)


def show(look: Look, views: Sequence[str]) -> None:
    """`views`: those that the page can turn to, in their order."""
    if st.session_state.pop("evidence-asked", False):
        query = links.evidence_query(look.sheet.id, evidence_of(look))
        query.pop(
            "view", None
        )  # it is bound to a widget of this page, and Streamlit refuses to take it along from here
        st.switch_page(links.EVIDENCE, query_params=query)

    def pressed() -> None:
        does = str(st.session_state[KEY].pressed)
        if does == "evidence":
            st.session_state["evidence-asked"] = True
        elif does.startswith("view "):
            st.session_state["view"] = views[int(does.removeprefix("view ")) - 1]
        elif does in STEPS and (node := links.place(look.sheet.id).node):  # by now it may be another than was drawn
            to = backend.read(look.sheet.id, next_to, node, STEPS[does])
            if to:
                links.select(to)

    _component(key=KEY, width="content", height="content", data=data(look, views), on_pressed_change=pressed)


def data(look: Look, views: Sequence[str]) -> dict[str, Any]:
    """Which keys do something now, and what all keys mean."""
    able = ["help", *(f"view {place}" for place, _ in enumerate(views, 1) if look.tree.marks)]
    able += STEPS if look.place.node else ()
    able += ["evidence"] if look.reading.findings else []
    return {"keys": keys.working(keys.PAGE, able), "table": keys.table()}


def evidence_of(look: Look) -> str | None:
    """The finding whose evidence is asked for: the selected one, or the first that the selected call or cell decided."""
    node = look.place.node
    for each in look.reading.findings:
        if node in (each.span, each.call) or (each.cell and node == each.cell.span):
            return each.span
    return None
