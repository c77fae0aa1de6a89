"""The keys of the app in one table: what each one does, and what it means.

The help on the page shows this table, and the parts of the page are bound by it: a part is sent `bindings` and knows what it
can do by name. Knows no widget.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

START = "Ctrl+Enter"
SHOWN = {"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "Escape": "Esc", " ": "Space", "-": "−"}
"""How keys are written that have other names in a browser."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: what it means, and what each key does by the name that the part has for it."""

    means: str
    does: Mapping[str, str]
    besides: Mapping[str, str] | None = None
    """Keys that do the same and are not shown."""


@dataclass(frozen=True, slots=True)
class Part:
    where: str
    rows: tuple[Row, ...]


PAGE, SEARCH, TREE, GRAPH, READER, ASK = "page", "search", "tree", "graph", "reader", "ask"
TABLE: Mapping[str, Part] = {
    PAGE: Part(
        "Run",
        (
            Row("the views, in their order", {str(number): f"view {number}" for number in range(1, 9)}),
            Row("previous, next of what is selected: call, cell, turn, finding", {"[": "before", "]": "after"}),
            Row("open the evidence of what is selected", {"e": "evidence"}),
            Row("this table", {"?": "help"}),
        ),
    ),
    SEARCH: Part(
        "Search",
        (
            Row("to the field", {"/": "search"}),
            Row("next, previous that was found", {"n": "next", "N": "before"}, {"Enter": "next"}),
            Row("no more of it, while it has the focus", {"Escape": "clear"}),
        ),
    ),
    TREE: Part(
        "Tree, while it has the focus",
        (
            Row("up, down", {"ArrowUp": "up", "ArrowDown": "down"}),
            Row("fold or to what it lies in, unfold", {"ArrowLeft": "fold", "ArrowRight": "unfold"}),
            Row("first, last", {"Home": "first", "End": "last"}),
            Row("select", {"Enter": "choose"}, {" ": "choose"}),
        ),
    ),
    GRAPH: Part(
        "Graph, while it has the focus",
        (
            Row(
                "to the nearest mark",
                {"ArrowUp": "before", "ArrowDown": "after", "ArrowLeft": "out", "ArrowRight": "in"},
            ),
            Row("larger, smaller", {"+": "larger", "-": "smaller"}, {"=": "larger"}),
            Row("all of it", {"0": "whole"}),
            Row("unfold a group", {"Enter": "turn over"}),
            Row("select nothing", {"Escape": "clear"}),
        ),
    ),
    READER: Part(
        "Reader",
        (
            Row("next, previous step", {"j": "next", "k": "before"}),
            Row("next, previous failure", {"J": "next failure", "K": "failure before"}),
        ),
    ),
    ASK: Part("Ask", (Row("start", {START: "start"}),)),
}


def bindings(part: str) -> dict[str, str]:
    """What each key does, by its name in the browser (`KeyboardEvent.key`)."""
    return {key: does for row in TABLE[part].rows for key, does in {**row.does, **(row.besides or {})}.items()}


def working(part: str, able: Collection[str]) -> dict[str, str]:
    """The bindings of those that do something now."""
    return {key: does for key, does in bindings(part).items() if does in able}


def table() -> list[dict[str, Any]]:
    """What the help shows."""
    return [
        {
            "where": part.where,
            "keys": [{"keys": [SHOWN.get(key, key) for key in row.does], "means": row.means} for row in part.rows],
        }
        for part in TABLE.values()
    ]
