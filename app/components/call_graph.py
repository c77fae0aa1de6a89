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
from rlm_core.layout import Layout, Spot
from rlm_core.looks.boxes import Face, Way, counted, faces, place, ways
from rlm_core.looks.look import Look

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
        "says": counted(look.tree),
        "keys": keys.bindings(keys.GRAPH),
        "assets": ASSETS,
        "version": VERSION,
    }


def network_of(boxes: Sequence[Face], layout: Layout) -> Network:
    """The run as a pyvis network, each node at its place."""
    # Late: importing pyvis takes up to a second, and most pages show no graph.
    from pyvis.network import Network

    network = Network(directed=True)
    network.options = OPTIONS
    for face in boxes:
        spot = layout.spots[face.id]
        network.add_node(face.id, label=face.title, **_node(face, spot))
    network.edges += map(_edge, ways(boxes))  # `add_edge` goes through all nodes for each edge
    return network


def _node(face: Face, spot: Spot) -> dict[str, Any]:
    """vis-network takes the middle of a node. What is empty is not sent."""
    said = {name: value for name in SENT if (value := getattr(face, name))}
    x, y = round(spot.x + face.width / 2), round(spot.y + face.height / 2)
    return {"shape": "custom", "x": x, "y": y, "face": {**said, "column": spot.column}}


def _edge(way: Way) -> dict[str, Any]:
    start, end = way.start.id, way.end.id
    return {
        "id": f"{start}>{end}",
        "from": start,
        "to": end,
        "width": way.width,
        "dashes": way.end.tone == "failed",
        "way": way.kind,
    }


def _turn_to_table() -> None:
    st.session_state[AS_TABLE] = True


def _turn_to_graph() -> None:
    st.session_state[AS_TABLE] = False
