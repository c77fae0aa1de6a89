"""How fast a run of 500 nodes is drawn: by our graph, and by the page that pyvis itself writes. Not a test; prints a table.

    python tests/e2e/measure_graph.py [nodes]

Both are opened in the same Chromium with the network off but for our own server. `first draw` is the first moment at which
a canvas has a pixel, from the opening of the page; `of it graph` is the part of that from when the graph's element is there.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "app"), str(Path(__file__).parents[2])]

from conftest import CHROMIUM, FLAGS  # noqa: E402  # found by the line above
from pyvis.network import Network  # noqa: E402
from real_app import start_app  # noqa: E402
from written_runs import Writer  # noqa: E402

from app.components.call_graph import data_of  # noqa: E402
from app.links import Place  # noqa: E402
from app.look import look_at, reading_of  # noqa: E402
from app.places import STATIC  # noqa: E402
from rlm_core.store.store import Store  # noqa: E402
from rlm_core.view import RunView, fold  # noqa: E402

TURNS = 10
GIVE_UP_S = 120
WATCH = """
(() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((each) => [each, ...inside(each.shadowRoot)])
  const inside = (root) => (root ? all(root) : [])
  const painted = (canvas) => {
    if (!canvas.width || !canvas.height) return false
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value, place) => place % 4 === 3 && value > 0)
  }
  const look = () => {
    const found = document.body ? all(document.body) : []
    if (found.some((each) => each.matches(".graph, #mynetwork"))) window.graphThere ??= performance.now()
    const drawn = found.some((each) => each.localName === "canvas" && each.closest(".vis-network") && painted(each))
    if (drawn) window.graphDrawn ??= performance.now()
    else setTimeout(look, 20)
  }
  look()
})()
"""


def main() -> None:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder) / "home"
        app = start_app(home)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            rows = [*ours(browser, app.url, home, nodes), *of_pyvis(browser, Path(folder), view_of(home))]
        finally:
            browser.close()
            app.stop()
    columns = ("what", "nodes drawn", "size sent", "first draw", "of it graph", "other hosts asked")
    widths = [max(len(str(row[column])) for row in [*rows, {c: c for c in columns}]) for column in columns]
    for row in [{column: column for column in columns}, *rows]:
        print("  ".join(str(row[column]).ljust(width) for column, width in zip(columns, widths, strict=True)))


def write_run(home: Path, nodes: int) -> None:
    calls = (nodes - 2 * TURNS - 1) // TURNS
    with Writer(home, "measured") as life:
        for number in range(TURNS):
            life.turn(f"Step {number}.", calls=calls, failed_calls=int(number == 3))
        life.finish()


def view_of(home: Path) -> RunView:
    store = Store.open(home)
    view = fold(store.events("measured", resolve=False))
    store.close()
    return view


def ours(browser: Browser, url: str, home: Path, nodes: int) -> list[dict[str, Any]]:
    write_run(home, nodes)
    view = view_of(home)
    scripts = sum(path.stat().st_size for path in [STATIC / "call_graph.js", *(STATIC / "call_graph").glob("*.js")])
    library = (STATIC / "vis" / "vis-network.min.js").stat().st_size
    rows = []
    opened = ",".join(f"f1.t{turn}.c1.g{group}:{nodes}" for turn in range(1, TURNS + 1) for group in (0, 1))
    warm(browser, f"{url}/run?run=measured")
    for what, query in (("ours, folded", ""), ("ours, all groups opened", f"&open={opened}")):
        shown = {group.partition(":")[0]: nodes for group in opened.split(",")} if query else {}
        data = data_of(look_at(view, reading_of(view, lambda text: text.head), Place("measured", None, shown)))
        page, asked = new_page(browser, url)
        page.goto(f"{url}/run?run=measured{query}")
        size = f"{kilobytes(len(json.dumps(data)))} data, {kilobytes(scripts)} ours, {kilobytes(library)} vis"
        rows.append({"what": what, "nodes drawn": len(data["nodes"]), "size sent": size, **times(page, asked)})
    return rows


def of_pyvis(browser: Browser, folder: Path, view: RunView) -> list[dict[str, Any]]:
    rows = []
    for resources in ("local", "in_line"):
        network = Network(directed=True, cdn_resources=resources)
        for node in view.nodes.values():
            network.add_node(node.id, label=node.id, title=node.kind)
        network.edges += [{"from": each.parent, "to": each.id} for each in view.nodes.values() if each.parent]
        file = folder / f"{resources}.html"
        file.write_text(network.generate_html(str(file)), encoding="utf-8")
        page, asked = new_page(browser, file.as_uri())
        page.goto(file.as_uri(), wait_until="commit")
        size = kilobytes(file.stat().st_size)
        rows.append({"what": f"pyvis page, {resources}", "nodes drawn": len(network.nodes), "size sent": size})
        rows[-1].update(times(page, asked))
    return rows


def warm(browser: Browser, address: str) -> None:
    """The server has imported everything, as on any but its first page."""
    page, asked = new_page(browser, address)
    page.goto(address)
    times(page, asked)


def new_page(browser: Browser, own: str) -> tuple[Page, list[str]]:
    """A page of a fresh visitor, and the addresses it asked for at other hosts; those get no answer."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    asked: list[str] = []
    page.add_init_script(WATCH)
    inside = (own.partition("/run")[0], "file:", "data:", "blob:")

    def no_network(route: Any) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route(lambda address: not address.startswith(inside), no_network)
    return page, asked


def times(page: Page, asked: list[str]) -> dict[str, Any]:
    for _ in range(GIVE_UP_S * 5):
        page.wait_for_timeout(200)
        there, drawn = page.evaluate("() => [window.graphThere ?? null, window.graphDrawn ?? null]")
        if drawn is not None:
            break
    else:
        there, drawn = None, None
    page.context.close()
    if drawn is None:
        return {"first draw": f"not in {GIVE_UP_S} s", "of it graph": "-", "other hosts asked": len(asked)}
    took = f"{(drawn - (there or 0)) / 1000:.2f} s"
    return {"first draw": f"{drawn / 1000:.2f} s", "of it graph": took, "other hosts asked": len(asked)}


def kilobytes(size: int) -> str:
    return f"{size / 1000:.0f} kB"


if __name__ == "__main__":
    main()
