"""The whole way: upload, ask with base and rlm, watch the graph grow, follow one call to its sentence, compare."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from real_app import App
from test_call_graph_in_browser import boxes, click, drag, drawn, open_graph, seen, selected, wait_for_boxes
from test_first_run import question, start_button, type_model
from written_runs import Writer

from rlm_core import events as ev
from rlm_core.task import Message

UPDATES = 20
QUOTE = "Dripped again after heavy rain, same beam."
TEXT = f"Room A12\n12 May 2021 Leak at the beam, sealed.\n3 June 2021 {QUOTE}\n\nRoom B07\nStain is old and dry.\n"
ASKS = f"""I ask a helper about each room, one after the other.

```repl
for number in range(12):
    said = llm_query(f"Was room number {{number}} wet again?")
record("A12", "yes", quote="{QUOTE}", source="rooms.txt")
print("all asked")
```"""
ANSWERS = 'All are asked.\n\n```repl\nanswer["content"] = "1 room: A12."\nanswer["ready"] = True\n```'
SCRIPT = {
    "root": {
        "rules": [
            {"contains": "\nall asked", "reply": ANSWERS},
            {"contains": "### rooms.txt\nRoom A12", "reply": "2 rooms: A12, B07."},
            {"contains": "\nfirst look done", "reply": ASKS},
        ],
        "default": 'I look.\n\n```repl\nprint("first look done", len(context))\n```',
    },
    "sub": {"default": f'A12: yes, "{QUOTE}"'},
    "latency_s": 1.0,
}


@pytest.fixture
def slow_model(tmp_path: Path) -> str:
    """A model that replies from a script, one second after it was asked."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT), encoding="utf-8")
    return f"scripted:{script}"


def start(page: Page, app: App, tmp_path: Path, model: str) -> None:
    """Upload one file and ask about it with base and rlm."""
    file = tmp_path / "rooms.txt"
    file.write_text(TEXT, encoding="utf-8")
    page.goto(f"{app.url}/?archive=upload&strategies=rlm-1,base")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("rooms.txt").first).to_be_visible()
    question(page).fill("In which rooms did the leak come back?")
    for label in ("Root model", "Helper model"):
        type_model(page, label, model)
    expect(start_button(page)).to_contain_text("Start 2 runs")
    start_button(page).click()
    page.wait_for_url(re.compile(r"/compare\?runs="))
    page.locator(".runs tr").nth(1).get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/run\?run=\S+"))


def test_from_an_upload_to_the_sentence_and_to_the_comparison(page: Page, app: App, tmp_path: Path, slow_model: str):
    start(page, app, tmp_path, slow_model)
    graph = drawn(page)
    for growing in (2, 5, 8):
        wait_for_boxes(page, graph, growing)
    expect(page.locator(".badge").first).to_have_text("answered", timeout=90_000)
    called = "f1.t2.c1.k3"
    page.goto(f"{page.url}&node={called}")
    click(page, drawn(page), called)
    selected(page, called)
    inspector = page.locator(".st-key-pane-inspector")
    for _ in range(2):
        expect(inspector).to_contain_text("Was room number 2 wet again?")
        expect(inspector).to_contain_text(f'A12: yes, "{QUOTE}"')
        expect(inspector).to_contain_text("$0.00")
        selected(page, called)
        page.reload()
    run = page.url
    page.locator(".answer").get_by_role("button", name="1").first.click()
    page.get_by_role("link", name="Show in document").first.click()
    expect(page.locator("mark").first).to_have_text(QUOTE)
    page.goto(run)
    page.get_by_test_id("stMain").get_by_role("link", name="Compare").click()
    page.wait_for_url(re.compile(r"/compare\?runs=[^&,]+(,|%2C)"))
    for said in ("1 room: A12.", "2 rooms: A12, B07."):
        expect(page.get_by_role("cell", name=said).first).to_be_visible()


class Live:
    """A run that goes on as the test says: one helper after the other."""

    def __init__(self, app: App, run: str) -> None:
        self.writer = Writer(app.home, run)
        self.writer.turn("I look at the rooms.", calls=3)
        self.cell = self.writer.turn("I ask.", calls=12, failed_calls=1, open_cell=True)
        self.asked = 100

    def ask(self) -> None:
        self.asked += 1
        span = f"{self.cell}.k{self.asked}"
        self.writer.emit(span, self.cell, ev.CallStarted("sub", "demo", (Message("user", f"And room {self.asked}?"),)))
        self.writer.emit(span, self.cell, ev.CallFinished("failed", error="No reply.", error_kind="timeout"))


@pytest.fixture
def live(app: App, request: pytest.FixtureRequest) -> Iterator[Live]:
    started = Live(app, f"live-{request.node.name[:40]}")
    yield started
    started.writer.finish("cancelled", None, "The test is over.")
    started.writer.recorder.close()


def updates(page: Page, live: Live, shown: Callable[[], str]) -> None:
    """So many changes of the run, each of which has arrived on the page."""
    for _ in range(UPDATES):
        before = shown()
        live.ask()
        for _ in range(100):
            if shown() != before:
                break
            page.wait_for_timeout(100)
        else:
            raise AssertionError(f"The page still says {before}")


def held(page: Page, graph: Locator) -> dict[str, object]:
    """What belongs to the person at the screen."""
    return {
        "zoom and pan": seen(graph),
        "address": page.url,
        "scroll": page.evaluate(
            """() => ['stMain', 'tree', 'inspector'].map(name => (document.querySelector(`[data-testid=${name}]`)
            ?? document.querySelector(`.st-key-pane-${name}`)).scrollTop)"""
        ),
        "focus": page.evaluate(
            """() => { let at = document.activeElement
            while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
            return at?.dataset.id ?? at?.getAttribute('aria-label') ?? at?.textContent }"""
        ),
        "selected text": page.evaluate("() => String(getSelection())"),
    }


def test_twenty_live_updates_leave_scroll_zoom_selection_and_focus_as_they_were(page: Page, app: App, live: Live):
    graph = open_graph(page, app, live.writer.recorder.run)
    calls = page.locator("dl.figures")
    expect(calls).to_contain_text("18")
    click(page, graph, live.cell)
    selected(page, live.cell)
    graph.get_by_role("button", name="Zoom in").click()
    drag(page, graph, (-40, -60))
    page.locator(".st-key-pane-inspector").evaluate("it => it.scrollTo(0, 40)")
    page.get_by_role("treeitem", selected=True).focus()
    page.get_by_test_id("stMain").evaluate("it => it.scrollTo(0, 30)")
    page.wait_for_timeout(1_500)
    before, drawn_before = held(page, graph), len(boxes(graph))
    updates(page, live, lambda: str(calls.inner_text()))
    assert held(page, graph) == before
    assert before["focus"]
    assert len(boxes(graph)) > drawn_before or "f1.t2.c1.g1x" in boxes(graph)


def test_twenty_live_updates_leave_half_typed_text_and_its_cursor(page: Page, app: App, live: Live):
    frames: list[object] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    page.goto(f"{app.url}/runs")
    box = page.get_by_placeholder(re.compile("^Search"))
    expect(page.get_by_text(re.compile(r"running \d")).first).to_be_visible()
    box.press_sequentially("In which ro")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(2_000)
    frames.clear()
    while len(frames) < UPDATES:
        live.ask()
        page.wait_for_timeout(1_000)
    expect(box).to_have_value("In which ro")
    expect(box).to_be_focused()
    page.keyboard.type("x")
    expect(box).to_have_value("In which rxo")
