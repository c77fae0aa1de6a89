"""How quick the page of a large run is, and what it takes, beside the same tree as pyvis and Plotly draw it. Not a test.

    python tests/e2e/measure_explorer.py [--nodes 10000] [--shape mixed] [--repeat 5] [--alone] [--into FOLDER]

Writes `explorer-SHAPE-NODES.json` and `.md`, with the load of the machine. The app is warm: it has shown a small run. Each
repetition opens a run that the server has never seen, from the list of runs, and at the end the same run by its address in a
browser that has never seen the app, which has to load that first; figures are medians of all repetitions. `--alone` leaves out
the others.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Locator, sync_playwright

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "app"), str(Path(__file__).parents[2])]

from conftest import CHROMIUM, FLAGS  # noqa: E402  # found by the line above
from explorer_page import DRAWN, SHOWS_ANOTHER, Explorer, found, shows, spread, worked_s  # noqa: E402
from explorer_rivals import rivals  # noqa: E402
from large_runs import SHAPES, write_large_run  # noqa: E402
from real_app import App, start_app  # noqa: E402
from written_runs import answered  # noqa: E402

from rlm_core.store.store import Store  # noqa: E402
from rlm_core.view import RunView, fold  # noqa: E402

SELECTED = 3
"""Selections of each kind in a repetition."""
SOUGHT = ("damp", "room")
VIEWS = ("Reader", "Icicle", "Graph")
FROM_LIST, NEW_BROWSER = "open from the list of runs", "open in a new browser"
LISTED = "document.querySelectorAll('[data-testid=stDataFrame] canvas').length"
ROW_PX = 38
"""Of the list of runs."""
LIMITS: dict[str, float] = {
    FROM_LIST: 2000,
    "select in the tree": 300,
    "select in the graph": 300,
    "select in the icicle": 1000,
    "expand a group": 300,
    "search": 500,
    "heap of the browser": 300,
    **{f"marks of the {each}": 400 for each in ("tree", "graph", "icicle", "reader")},
}
"""In the unit of the figure: ms, MB, or a count."""
UNFOLDED = "location.search.includes('open=') && seen.all('tree', '.row.fewer').length"
UNITS = {"app_ms": "ms", "browser_ms": "ms", "sent_kb": "kB"}


@dataclass(frozen=True)
class Work:
    """What was done for something, until nothing more came: milliseconds of the processor, and kilobytes over the socket."""

    app_ms: float
    browser_ms: float
    sent_kb: float


@dataclass
class Samples:
    """What was measured, by name: a unit, and a value of each repetition. `None`: it was given up."""

    units: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[float | None]] = field(default_factory=dict)
    work: dict[str, list[Work]] = field(default_factory=dict)

    def add(self, name: str, unit: str, value: float | None, work: Work | None = None) -> None:
        self.units[name] = unit
        self.values.setdefault(name, []).append(value)
        if work:
            self.work.setdefault(name, []).append(work)

    def rows(self) -> Iterator[dict[str, Any]]:
        for name, values in self.values.items():
            known = [each for each in values if each is not None]
            middle = median(known) if len(known) == len(values) else None
            limit = LIMITS.get(name)
            within = None if limit is None else middle is not None and middle <= limit
            yield {
                "what": name,
                "unit": self.units[name],
                "median": middle,
                "limit": limit,
                "within": within,
                "of": values,
                **self._work(name),
            }

    def _work(self, name: str) -> dict[str, float]:
        done = self.work.get(name, [])
        return {each.name: median(getattr(work, each.name) for work in done) for each in fields(Work) if done}


def main() -> None:
    given = _given()
    began = os.getloadavg()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder) / "home"
        names = [f"measured-{number}" for number in range(given.repeat)]
        for name in names:
            write_large_run(home, name, given.nodes, given.shape)
        app = start_app(home)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            _warm(browser, app)
            samples = Samples()
            for name in names:
                _measure(browser, app, name, samples)
            others = [] if given.alone else rivals(browser, Path(folder), view_of(home, names[0]))
            version = browser.version
        finally:
            browser.close()
            app.stop()
    found = {
        "nodes": given.nodes,
        "shape": given.shape,
        "repetitions": given.repeat,
        "load_before": began,
        "load_after": os.getloadavg(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "chromium": version,
        "figures": list(samples.rows()),
        "others": others,
    }
    _write(found, given.into / f"explorer-{given.shape}-{given.nodes}")


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--shape", choices=SHAPES, default="mixed")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--alone", action="store_true", help="leave out pyvis and Plotly")
    parser.add_argument("--into", type=Path, default=Path())
    return parser.parse_args()


def view_of(home: Path, run: str) -> RunView:
    store = Store.open(home)
    view = fold(store.events(run, resolve=False))
    store.close()
    return view


def _warm(browser: Browser, app: App) -> None:
    """The server has imported everything, as on any but its first page."""
    address = f"{app.url}/run?run={answered(app.home, 'warm')}"
    explorer = Explorer.new(browser, app.url)
    explorer.open(address)
    for view in VIEWS:
        explorer.click(_button(explorer, view), DRAWN[view])
    explorer.close()


def _measure(browser: Browser, app: App, run: str, samples: Samples) -> None:
    address = f"{app.url}/run?run={run}"
    explorer = Explorer.new(browser, app.url)
    watch = _Watch(app, explorer, samples)
    explorer.open(f"{app.url}/runs?find={run}", LISTED)
    watch.click(FROM_LIST, _first_row(explorer), DRAWN["page"])
    samples.add("marks of the tree", "", explorer.count("tree", ".row"))
    samples.add("marks of the graph", "", len(explorer.boxes()))
    _select_in_tree(watch)
    for number in range(SELECTED):  # what is selected moves the graph: it is shown as a whole before each
        explorer.page.locator(".graph").evaluate("it => it.ready.then(graph => graph.whole())")
        _, x, y = spread(explorer.boxes_in_sight(), SELECTED)[number]
        watch.click("select in the graph", (x, y), SHOWS_ANOTHER)
    more = explorer.page.locator(".folded-tree .row.more").first
    if more.count():
        watch.click("expand a group", more, UNFOLDED)
    field = explorer.page.locator(".run-search input")
    for words in SOUGHT:
        watch.timed("search", partial(explorer.write, field, words, found(words)))
        field.clear()
    for view in VIEWS:
        watch.click(f"switch to {view}", _button(explorer, view), DRAWN[view])
        if view == "Reader":
            samples.add("marks of the reader", "", explorer.count("centre", ".run-reader section"))
        if view == "Icicle":
            _in_icicle(watch)
    samples.add("heap of the browser", "MB", explorer.heap_mb())
    explorer.close()
    newcomer = Explorer.new(browser, app.url)
    _Watch(app, newcomer, samples).timed(NEW_BROWSER, lambda: newcomer.open(address))
    samples.add("memory of the app", "MB", _resident_mb(app))
    newcomer.close()


def _first_row(explorer: Explorer) -> tuple[float, float]:
    """Where the first run of the list stands, beside its box."""
    explorer.at_rest()
    table = explorer.page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    assert table
    return table["x"] + 200, table["y"] + 1.5 * ROW_PX


@dataclass(frozen=True)
class _Watch:
    """Adds a sample of something that is done, with the work for it, once everything before it is over."""

    app: App
    explorer: Explorer
    samples: Samples

    def timed(self, name: str, act: Callable[[], float | None]) -> None:
        self.explorer.at_rest()
        before = self._so_far()
        took = act()
        self.explorer.at_rest()
        spent = [after - earlier for after, earlier in zip(self._so_far(), before, strict=True)]
        self.samples.add(name, "ms", took, Work(*spent))

    def click(self, name: str, target: Any, drawn: str) -> None:
        self.timed(name, lambda: self.explorer.click(target, drawn))

    def _so_far(self) -> tuple[float, float, float]:
        app_ms = 1000 * worked_s(self.app.process.pid)
        return app_ms, 1000 * self.explorer.worked_s(), self.explorer.received / 1000


def _select_in_tree(watch: _Watch) -> None:
    rows = watch.explorer.page.locator(".folded-tree .row:not(.more):not(.fewer):not(.earlier)")
    ids = rows.evaluate_all("rows => rows.filter(row => row.offsetHeight).map(row => row.dataset.id)")
    for span in spread(ids[1:], SELECTED):
        name = watch.explorer.page.locator(f".folded-tree .row[data-id='{span}'] .name")
        watch.click("select in the tree", name, shows(span))


def _in_icicle(watch: _Watch) -> None:
    bars = watch.explorer.page.locator(".js-plotly-plot .bars .point path")
    watch.samples.add("marks of the icicle", "", bars.count())
    # The widest of each row: one after the other, these are not of the same kind.
    places = bars.evaluate_all(
        """bars => Object.values(Object.groupBy(bars.map(bar => bar.getBoundingClientRect()), at => Math.round(at.y)))
        .map(row => row.reduce((widest, at) => at.width > widest.width ? at : widest)).filter(at => at.bottom < innerHeight)
        .map(at => [at.x + at.width / 2, at.y + at.height / 2])"""
    )
    for x, y in places[1 : SELECTED + 1]:
        watch.click("select in the icicle", (x, y), SHOWS_ANOTHER)


def _button(explorer: Explorer, view: str) -> Locator:
    return explorer.page.locator(".st-key-view button", has_text=view).first


def _resident_mb(app: App) -> float:
    status = Path(f"/proc/{app.process.pid}/status").read_text(encoding="utf-8")
    line = next(each for each in status.splitlines() if each.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


def _write(found: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    words = "\n".join(_markdown(found))
    path.with_suffix(".md").write_text(words, encoding="utf-8")
    print(words)


def _markdown(found: dict[str, Any]) -> Iterator[str]:
    load = " to ".join(f"{found[each][0]:.1f}" for each in ("load_before", "load_after"))
    yield f"# {found['nodes']:,} nodes, shape “{found['shape']}”"
    yield ""
    yield (
        f"Medians of {found['repetitions']} repetitions, Chromium {found['chromium']}, {found['cores']} cores, "
        f"load {load}. Works: milliseconds of the processor until the page is at rest again."
    )
    yield ""
    yield "| what | median | limit | | app works | browser works | sent |\n|---|---:|---:|---|---:|---:|---:|"
    for row in found["figures"]:
        limit = "" if row["limit"] is None else _figure(row["limit"], row["unit"])
        within = {True: "within", False: "**over**", None: ""}[row["within"]]
        work = [_figure(row[each], UNITS[each]) if each in row else "" for each in ("app_ms", "browser_ms", "sent_kb")]
        yield f"| {row['what']} | {_figure(row['median'], row['unit'])} | {limit} | {within} | {' | '.join(work)} |"
    if found["others"]:
        yield from _beside(found)


def _beside(found: dict[str, Any]) -> Iterator[str]:
    ours = {row["what"]: row for row in found["figures"]}
    first = ours[FROM_LIST]
    opened, sent, heap = first["median"], first["sent_kb"], ours["heap of the browser"]["median"]
    yield "\n## The same tree, unfolded, by others\n"
    yield "| what | open | times ours | size | times ours | heap | times ours |\n|---|---:|---:|---:|---:|---:|---:|"
    for row in found["others"]:
        figures = ((row["open_ms"], "ms", opened), (row["bytes"] / 1000, "kB", sent), (row.get("heap_mb"), "MB", heap))
        cells = [f"{_figure(value, unit)} | {_times(value, own)}" for value, unit, own in figures]
        yield f"| {row['what']} | {' | '.join(cells)} |"


def _figure(value: float | None, unit: str) -> str:
    return "given up" if value is None else f"{value:,.0f} {unit}".strip()


def _times(value: float | None, own: float | None) -> str:
    return f"{value / own:.1f}" if value and own else "–"


if __name__ == "__main__":
    main()
