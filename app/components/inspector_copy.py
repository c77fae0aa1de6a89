"""Taking what is selected along: its address, its events as JSON, or what it is as Markdown, onto the clipboard.

The texts are made and sent while the choice is open, not with every look at the page. A component that writes text only.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend
from app.components.text import whole
from app.node_texts import as_json, as_markdown, parts_of
from app.places import STATIC
from rlm_core.looks.look import Look
from rlm_core.looks.node_places import raw_of
from rlm_core.looks.node_shapes import Facts
from rlm_core.looks.run_words import Figure
from rlm_core.plain import plain

KEY = "node-copy"
_component = st.components.v2.component(
    "copy_choices",
    html='<div class="copy"></div>',
    css=(STATIC / "copy_choices.css").read_text(encoding="utf-8"),
    js=(STATIC / "copy_choices.js").read_text(encoding="utf-8"),
)


def offer(node: str, title: str, figures: Sequence[Figure], facts: Facts, look: Look) -> None:
    choice = st.popover("Copy", icon=":material/content_copy:", type="tertiary", key=KEY, on_change="rerun")
    if not choice.open:
        return
    with choice:
        run = look.sheet.id
        lines = [f"run {run}, node {node}", *map(_line, figures)]
        choices = [
            {"name": "Link", "says": "to this page with this node selected", "node": node},
            {"name": "JSON", "says": "its events", "text": as_json(run, backend.read(run, raw_of, node) or [], whole)},
            {
                "name": "Markdown",
                "says": "figures and texts",
                "text": plain(as_markdown(title, lines, parts_of(facts), whole)),
            },
        ]
        _component(key="copy-choices", height="content", data={"choices": choices})


def _line(figure: Figure) -> str:
    return f"{figure.label}: {figure.value}{f' ({figure.note})' if figure.note else ''}"
