"""The page of a run as a stopwatch sees it: how long until something is drawn, how much is drawn, what was sent for it.

Times are the browser's own: from the press of the pointer or of the last key, or from the opening of the page, to the first
moment at which a condition holds, looked at every 20 ms. What counts as drawn is said in `DRAWN`. On a machine that does other
things too, these say little; the work that was done for it says more: seconds of the processor, in the app and in the browser.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Locator, Page, Route

GIVE_UP_S = 120.0
WATCH = """
(() => {
  const inside = (root) => [...root.querySelectorAll("*")].flatMap((each) =>
    each.shadowRoot ? [each, ...inside(each.shadowRoot)] : [each])
  const part = (name) => document.querySelector(`.st-key-pane-${name}`)
  const all = (name, selector) => (part(name) ? inside(part(name)).filter((each) => each.matches(selector)) : [])
  const stale = (name) => part(name)?.querySelector("[data-stale='true']")
  const head = () => document.querySelector(".st-key-node-head")?.textContent ?? ""
  const painted = (canvas) => {
    if (!canvas?.width || !canvas.height) return false
    const small = new OffscreenCanvas(40, 40).getContext("2d")
    small.drawImage(canvas, 0, 0, 40, 40)
    return small.getImageData(0, 0, 40, 40).data.some((value, place) => place % 4 === 3 && value > 0)
  }
  const graph = () => painted(all("centre", ".vis-network canvas")[0] ?? document.querySelector(".vis-network canvas"))
  const node = () => new URLSearchParams(location.search).get("node")
  Object.assign(window, { seen: { all, stale, head, graph, node, inside } })
  for (const each of ["pointerdown", "keydown"]) addEventListener(each, () => { window.pressed = performance.now() }, true)
  window.until = (condition, from) => {
    window.took = null
    const look = () => {
      if (document.body && condition()) {
        const begun = from ?? window.pressed
        // Drawn is what the next frame shows.
        requestAnimationFrame(() => { window.took = performance.now() - begun })
      } else setTimeout(look, 20)
    }
    look()
  }
})()
"""
DRAWN = {
    "page": "seen.all('tree', '.row').length && seen.graph() && seen.head() && !seen.stale('inspector')",
    "Graph": "seen.graph()",
    "Reader": "seen.all('centre', '.run-reader section').length",
    "Icicle": "seen.all('centre', '.bars .point').length",
    "Findings": "seen.all('centre', '.finding-list .row, .finding-list [role=option], .finding-list li').length",
}
"""When what was asked for is there, as an expression in the page."""


SELECTABLE = """it => it.ready.then(graph => [...graph.boxes.values()]
    .filter(box => box.id !== graph.selected && !(box.face.form === "chip" && box.face.unfold)).map(box => box.id))"""
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def worked_s(pid: int) -> float:
    """Seconds of the processor that a process has used; what `/proc` counts, a tick at a time."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


@dataclass
class Explorer:
    """A page of a visitor, with the network off but for what it is opened from."""

    page: Page
    received: int = 0
    """Bytes that came over the page's socket."""
    asked_elsewhere: list[str] = field(default_factory=list)

    @classmethod
    def new(cls, browser: Browser, inside: str) -> Explorer:
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.set_default_timeout(GIVE_UP_S * 1000)
        made = cls(page)
        page.add_init_script(WATCH)
        own = (inside, inside.replace("http", "ws", 1), "file:", "data:", "blob:")

        def refuse(route: Route) -> None:
            made.asked_elsewhere.append(route.request.url)
            route.abort()

        page.route(lambda address: not address.startswith(own), refuse)
        page.on("websocket", lambda socket: made._listen(socket))
        return made

    def _listen(self, socket: Any) -> None:
        socket.on("framereceived", self._count)

    def _count(self, data: bytes | str) -> None:
        self.received += len(data)

    def open(self, address: str, drawn: str = DRAWN["page"]) -> float | None:
        """Milliseconds from the opening of the page until it is drawn; `None`: it was given up."""
        self.page.goto(address, wait_until="commit")
        self.page.evaluate(f"() => until(() => {drawn}, 0)")
        return self._took()

    def click(self, target: Locator | tuple[float, float], drawn: str) -> float | None:
        """Milliseconds from the press of the pointer on a place until something is drawn."""
        self.page.evaluate("() => { window.before = seen.head() }")
        if isinstance(target, Locator):
            target.scroll_into_view_if_needed()
            box = target.bounding_box()
            assert box
            target = (box["x"] + min(60, box["width"] / 2), box["y"] + box["height"] / 2)
        self.page.mouse.move(*target)
        self.page.evaluate(f"() => until(() => window.pressed > {self.page.evaluate('performance.now()')} && {drawn})")
        self.page.mouse.click(*target)
        return self._took()

    def write(self, field: Locator, words: str, drawn: str) -> float | None:
        """Milliseconds from the last key of words that are written until something is drawn."""
        field.click()
        self.page.evaluate(f"() => until(() => {drawn})")
        field.press_sequentially(words)
        return self._took()

    def _took(self) -> float | None:
        until = time.monotonic() + GIVE_UP_S
        while time.monotonic() < until:
            took: float | None = self.page.evaluate("window.took ?? null")
            if took is not None:
                return took
            self.page.wait_for_timeout(20)
        return None

    def at_rest(self) -> None:
        """The server has said all it had to say."""
        before = -1
        while before != self.received:
            before = self.received
            self.page.wait_for_timeout(300)

    def count(self, part: str, selector: str) -> int:
        return int(self.page.evaluate("([part, it]) => seen.all(part, it).length", [part, selector]))

    def boxes(self) -> list[str]:
        """Ids of the boxes of the graph."""
        found: list[str] = self.page.locator(".graph").evaluate("it => it.ready.then(graph => [...graph.boxes.keys()])")
        return found

    def boxes_in_sight(self) -> list[tuple[str, float, float]]:
        """Boxes of the graph with a place in its pane where a click selects them; one of “more” is unfolded by it."""
        graph = self.page.locator(".graph")
        stage = graph.locator(".stage").bounding_box()
        assert stage
        found = []
        for each in graph.evaluate(SELECTABLE):
            at = graph.evaluate("(it, id) => it.positionOf(id)", each)
            if (
                at
                and 40 < at["x"] - stage["x"] < stage["width"] - 40
                and 30 < at["y"] - stage["y"] < stage["height"] - 60
            ):
                found.append((each, at["x"], at["y"]))
        return found

    def heap_mb(self) -> float:
        """What the page's scripts hold in memory once the browser has tidied up."""
        session: CDPSession = self.page.context.new_cdp_session(self.page)
        session.send("HeapProfiler.collectGarbage")
        used: float = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        session.detach()
        return used

    def worked_s(self) -> float:
        """Seconds of the processor that the browser's processes have used."""
        browser = self.page.context.browser
        assert browser
        session = browser.new_browser_cdp_session()
        found = session.send("SystemInfo.getProcessInfo")["processInfo"]
        session.detach()
        return sum(each["cpuTime"] for each in found)

    def elements(self) -> int:
        return int(self.page.evaluate("seen.inside(document).length"))

    def close(self) -> None:
        self.page.context.close()


def shows(span: str) -> str:
    """The inspector shows what was selected just now: the address has it, and its head is not the one before."""
    return f"seen.node() === {span!r} && seen.head() !== window.before && seen.head() && !seen.stale('inspector')"


def found(words: str) -> str:
    """The search says how often it has found the words that were written last."""
    asked = f"new URLSearchParams(location.search).get('find') === {words!r}"
    return f"{asked} && seen.all('tree', '.run-search .count')[0].textContent"


SHOWS_ANOTHER = "seen.head() !== window.before && seen.head() && !seen.stale('inspector')"


def spread(found: Sequence[Any], count: int) -> list[Any]:
    """So many of them, from all over."""
    step = max(1, len(found) // (count + 1))
    return list(found[step // 2 :: step])[:count]
