"""The recursion graph of a run: pyvis holds nodes, edges and options, our own component draws them with vis-network.

`data_of` is pure: the same `Look` gives the same graph. Places are computed here, not by vis: no physics, nothing jumps.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import streamlit as st

from app import keys
from app.components import graph_table
from app.components.selection import callbacks
from app.places import ASSETS, STATIC
from rlm_core.folding import Tree
from rlm_core.layout import Box, Layout, Spot, tidy
from rlm_core.looks.boxes import WIDTHS, Face, faces
from rlm_core.looks.look import Look
from rlm_core.wording import exact

if TYPE_CHECKING:
    from pyvis.network import Network

AS_TABLE, MADE = "graph-as-table", "graph-made"
PARTS = STATIC / "call_graph"
VERSION = sha256(b"".join(part.read_bytes() for part in sorted(PARTS.glob("*.js")))).hexdigest()[:12]
"""Part of the address of our scripts, so that a browser never mixes those of two versions."""
OPTIONS: dict[str, Any] = {
    "autoResize": False,
    "physics": {"enabled": False},
    "layout": {"hierarchical": {"enabled": False}, "improvedLayout": False},
    "nodes": {"shape": "custom", "shadow": False, "chosen": False},
    "edges": {"shadow": False, "chosen": False},
    "interaction": {"dragNodes": False, "dragView": True, "zoomView": False, "selectable": False, "hover": False},
}
SENT = tuple(each.name for each in fields(Face) if each.name not in ("id", "title", "follows"))
"""Of a box; the rest vis-network is told under another name, or not at all."""
THIN, THICKEST = 1.2, 10.0
OF_NOTE = 0.05
"""Ways to less than this part of the run's cost are all equally thin."""

_component = st.components.v2.component(
    "call_graph",
    html='<div class="graph"></div>',
    css=(STATIC / "call_graph.css").read_text(encoding="utf-8"),
    js=(STATIC / "call_graph.js").read_text(encoding="utf-8"),
)


def show(look: Look) -> None:
    if st.session_state.get(AS_TABLE):
        graph_table.show(look, back=_turn_to_graph)
    else:
        key = f"graph-{look.sheet.id}"  # another run is another graph, with a view of its own
        _component(
            key=key,
            height="content",
            data={**_made(look), **_now(look)},
            on_table_change=_turn_to_table,
            **callbacks(key),
        )


def data_of(look: Look) -> dict[str, Any]:
    """What the component is sent."""
    return {**_drawn(look), **_now(look)}


def _made(look: Look) -> dict[str, Any]:
    """What is drawn; kept until something else is to be drawn, for most of the time only the selection moves. `made` is another
    word for each that was made: the browser, too, leaves what it has drawn."""
    key, kept = (look.tree.marks, look.names, look.place.opened), st.session_state.get(MADE)
    if kept is None or kept[0] is not look.reading or kept[1] != key:
        kept = st.session_state[MADE] = (look.reading, key, {**_drawn(look), "made": token_hex(8)})
    drawn: dict[str, Any] = kept[2]
    return drawn


def _now(look: Look) -> dict[str, Any]:
    return {"selected": look.selected.id if look.selected else "", "live": look.sheet.active}


def _drawn(look: Look) -> dict[str, Any]:
    boxes = faces(look)
    layout = place(boxes)
    nodes, edges, *_, options = network_of(boxes, layout).get_network_data()
    return {
        "run": look.sheet.id,
        "nodes": nodes,
        "edges": edges,
        "options": json.loads(options),
        "columns": [asdict(column) for column in layout.columns],
        "share": "cost" if look.sheet.totals.cost_usd else "calls",
        "says": _count(look.tree),
        "keys": keys.bindings(keys.GRAPH),
        "assets": ASSETS,
        "version": VERSION,
    }


def _count(tree: Tree) -> str:
    folded = tree.nodes - tree.drawn
    return (
        f"{tree.drawn:,} of {exact(tree.nodes, 'node')}, {folded:,} in groups" if folded else exact(tree.nodes, "node")
    )


def place(boxes: Sequence[Face]) -> Layout:
    groups = {face.id for face in boxes if face.form == "group"}
    return tidy([Box(face.id, face.parent, face.width, face.height, face.parent in groups) for face in boxes], WIDTHS)


def network_of(boxes: Sequence[Face], layout: Layout) -> Network:
    """The run as a pyvis network, each node at its place."""
    # Late: importing pyvis takes up to a second, and most pages show no graph.
    from pyvis.network import Network

    network = Network(directed=True)
    network.options = OPTIONS
    for face in boxes:
        spot = layout.spots[face.id]
        network.add_node(face.id, label=face.title, **_node(face, spot))
    network.edges += _edges(boxes)  # `add_edge` goes through all nodes for each edge
    return network


def _node(face: Face, spot: Spot) -> dict[str, Any]:
    """vis-network takes the middle of a node. What is empty is not sent."""
    said = {name: value for name in SENT if (value := getattr(face, name))}
    x, y = round(spot.x + face.width / 2), round(spot.y + face.height / 2)
    return {"shape": "custom", "x": x, "y": y, "face": {**said, "column": spot.column}}


def _edges(boxes: Sequence[Face]) -> list[dict[str, Any]]:
    """The ways from what started something to what it started, and between turns one after the other."""
    by_id = {face.id: face for face in boxes}
    before: dict[str | None, Face] = {}
    found = []
    for face in boxes:
        parent = by_id.get(face.parent or "")
        earlier = before.get(face.parent) if face.follows else None
        before[face.parent] = face
        if earlier is not None:
            found.append(_edge(earlier, face, "next"))
        elif parent is not None:
            found.append(_edge(parent, face, "member" if parent.form == "group" else "started"))
    return found


def _edge(start: Face, end: Face, way: str) -> dict[str, Any]:
    wide = way == "started" and end.flow >= OF_NOTE and not end.tone
    return {
        "id": f"{start.id}>{end.id}",
        "from": start.id,
        "to": end.id,
        "width": round(max(THIN, THICKEST * end.flow), 1) if wide else THIN,
        "dashes": end.tone == "failed",
        "way": way,
    }


def _turn_to_table() -> None:
    st.session_state[AS_TABLE] = True


def _turn_to_graph() -> None:
    st.session_state[AS_TABLE] = False
