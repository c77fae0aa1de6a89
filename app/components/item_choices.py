"""What a person decides of the items of compared runs: shown beside each, kept, and taken along as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import streamlit as st

from app import backend
from app.components.trouble import told_later
from rlm_core import wording
from rlm_core.choices import LABEL_CHARS, NEITHER, Choice
from rlm_core.compare import LETTERS, Comparison, Item
from rlm_core.exporters.reconciled import decided
from rlm_core.listed import name_key
from rlm_core.plain import plain_line

Choices = Mapping[str, Choice]
"""By the key of an item's name."""


def drawn(comparison: Comparison, item: Item, choices: Choices) -> dict[str, Any]:
    """What can be chosen of an item, and what was; `right` is nothing where nothing was."""
    choice = choices.get(name_key(item.name))
    offered = [
        {"run": run.id, "says": LETTERS[number], "title": f"{LETTERS[number]} is right"}
        for number, run in enumerate(comparison.runs)
        if item.said[number].labelled
    ]
    none = "neither" if len(comparison.runs) == 2 else "none"
    return {
        "item": _digest(item),
        "right": choice.right if choice else None,
        "label": plain_line(choice.label, LABEL_CHARS) if choice else "",
        "offered": [*offered, {"run": NEITHER, "says": none, "title": f"{none.capitalize()} is right"}],
    }


def _digest(item: Item) -> str:
    """What the browser calls an item: its name is a model's."""
    return sha256(name_key(item.name).encode("utf-8", "replace")).hexdigest()[:16]


def decide(key: str, comparison: Comparison) -> None:
    """Keep what was just chosen in the component `key`. Called from callbacks."""
    asked = st.session_state[key].chosen or {}
    right, label = asked.get("right"), str(asked.get("label") or "")[:LABEL_CHARS]
    item = next((each for each in comparison.items if _digest(each) == asked.get("item")), None)
    if item:
        runs = [run.id for run in comparison.runs]
        with told_later(key):
            backend.choose(runs, name_key(item.name), None if right is None else Choice(str(right), label))


def counted(comparison: Comparison, choices: Choices) -> str:
    """How many of the items on which the runs part are decided; nothing while none is."""
    parting = [item for item in comparison.items if item.status != "agree"]
    done = sum(name_key(item.name) in choices for item in parting)
    others = len(choices) - done
    if not choices:
        return ""
    said = f"You decided {wording.m_of_n(done, len(parting))} items on which these runs part"
    return f"{said}, and {others:,} on which they agree." if others > 0 else f"{said}."


def decided_column(comparison: Comparison, items: Sequence[Item], choices: Choices) -> list[str]:
    """`yes (A)`: the label of each item that is decided, and who decided it."""
    found = [decided(comparison, item, choices.get(name_key(item.name))) for item in items]
    return [f"{plain_line(label or 'no label', LABEL_CHARS)} ({who})" if who else "" for label, who in found]


def export(comparison: Comparison) -> None:
    """The items with what each run says and what was decided, as a file. It is made when it is asked for."""
    with st.popover("Export", icon=":material/download:", type="tertiary", key="compare-export"):
        st.caption("Each item with every run’s label, quote and source, the label that was chosen, and who decided it.")
        st.download_button(
            "As CSV",
            lambda: backend.reconciled_as("csv", comparison),
            file_name="reconciled.csv",
            mime="text/csv",
            key="compare-csv",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            "As JSON",
            lambda: backend.reconciled_as("json", comparison),
            file_name="reconciled.json",
            mime="application/json",
            key="compare-json",
            on_click="ignore",
            icon=":material/data_object:",
        )
