"""The same tree as others draw it, opened in the same browser: pyvis' own page, and Plotly's own icicle, neither folded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from explorer_page import Explorer
from playwright.sync_api import Browser
from pyvis.network import Network

from rlm_core.view import RunView, own_totals

PYVIS_DRAWN = "seen.graph()"
PLOTLY_DRAWN = "document.querySelectorAll('.iciclelayer .slice').length"


def rivals(browser: Browser, folder: Path, view: RunView) -> list[dict[str, Any]]:
    pages = {
        "pyvis": (_pyvis(folder / "pyvis.html", view), PYVIS_DRAWN),
        "Plotly icicle": (_plotly(folder / "icicle.html", view), PLOTLY_DRAWN),
    }
    return [_opened(browser, name, file, drawn) for name, (file, drawn) in pages.items()]


def _opened(browser: Browser, name: str, file: Path, drawn: str) -> dict[str, Any]:
    explorer = Explorer.new(browser, file.as_uri())
    took = explorer.open(file.as_uri(), drawn)
    row: dict[str, Any] = {"what": name, "open_ms": took, "bytes": file.stat().st_size}
    if took is not None:
        row |= {"heap_mb": explorer.heap_mb(), "elements": explorer.elements()}
    explorer.close()
    return row


def _pyvis(file: Path, view: RunView) -> Path:
    network = Network(directed=True, cdn_resources="in_line")
    for node in view.nodes.values():
        network.add_node(node.id, label=node.id, title=node.kind)
    # `add_edge` goes through all nodes for each edge.
    network.edges += [{"from": each.parent, "to": each.id} for each in view.nodes.values() if each.parent]
    file.write_text(network.generate_html(str(file)), encoding="utf-8")
    return file


def _plotly(file: Path, view: RunView) -> Path:
    nodes = list(view.nodes.values())
    icicle = go.Icicle(
        ids=[node.id for node in nodes],
        labels=[node.id for node in nodes],
        parents=[node.parent or "" for node in nodes],
        values=[own_totals(node).cost_usd or 1e-6 for node in nodes],
        branchvalues="remainder",
    )
    go.Figure(icicle).write_html(file, include_plotlyjs=True)
    return file
