"""A run of ten thousand nodes in a real browser: it goes on while somebody reads, and takes nothing out of their hands."""

from __future__ import annotations

import re
from typing import Any

import pytest
from large_runs import begun_run
from playwright.sync_api import Locator, Page, expect
from real_app import App

from rlm_core import events as ev
from rlm_core.store.recorder import Recorder
from rlm_core.task import Message, Usage

RUN = "large-live"
UPDATES = 20
PATIENT_MS = 120_000
"""Ten thousand nodes on a machine that does other things as well."""
SCROLLS = """(row) => {
  let it = row
  const above = (each) => each.parentElement ?? each.getRootNode().host
  while (it && !(it.scrollHeight > it.clientHeight + 400 && /auto|scroll/.test(getComputedStyle(it).overflowY))) it = above(it)
  return it
}"""
"""What scrolls the rows of the tree."""
HELD = (
    f"""() => {{
  const scrolls = {SCROLLS}"""
    + """
  const inside = (root) => [...root.querySelectorAll("*")].flatMap((each) =>
    each.shadowRoot ? [each, ...inside(each.shadowRoot)] : [each])
  const all = inside(document)
  const field = all.find((each) => each.matches(".run-search input"))
  const seen = all.find((each) => each.matches(".graph")).seen()
  return {
    node: new URLSearchParams(location.search).get("node"),
    shown: document.querySelector(".st-key-node-head").innerText,
    row: all.find((each) => each.matches(".folded-tree .row.selected"))?.dataset.id,
    scrolled: scrolls(all.find((each) => each.matches(".folded-tree .row"))).scrollTop,
    graph: Object.fromEntries(Object.entries(seen).map(([name, value]) => [name, Math.round(value * 100)])),
    typed: [field.value, field.selectionStart, field.getRootNode().activeElement === field],
  }
}"""
)


def goes_on(life: Recorder, number: int) -> None:
    """One more turn, whose cell asks three helpers."""
    turn = f"f1.t{1000 + number}"
    call, cell = f"{turn}.k1", f"{turn}.c1"
    facts: list[tuple[str, str | None, ev.Body]] = [
        (turn, "f1", ev.TurnStarted(1000 + number)),
        (call, turn, ev.CallStarted("root", "demo", (Message("user", "And now?"),))),
        (call, turn, ev.CallFinished("ok", "I ask three more.\n\n```repl\nask()\n```", Usage(900, 20), 0.001, "list")),
        (cell, turn, ev.CellStarted("ask()")),
    ]
    for place in range(1, 4):
        helper = f"{cell}.k{place}"
        facts.append((helper, cell, ev.CallStarted("sub", "demo", (Message("user", f"Is room {place} dry?"),))))
        facts.append((helper, cell, ev.CallFinished("ok", "It is.", Usage(90, 3), 0.0001, "list")))
    life.emit_all([*facts, (cell, turn, ev.CellFinished("ok", "3\n", 2)), (turn, "f1", ev.TurnFinished())])


def count_of(page: Page) -> Locator:
    return page.locator(".graph .count")


def held(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(HELD)
    return found


@pytest.mark.timeout(600)
def test_twenty_live_updates_change_nothing_that_somebody_holds(page: Page, app: App):
    page.set_default_timeout(PATIENT_MS)
    with begun_run(app.home, RUN, 10_000, "mixed") as life:
        page.goto(f"{app.url}/run?run={RUN}")
        expect(count_of(page)).to_have_text(re.compile(r"of [\d,]+ nodes"), timeout=PATIENT_MS)
        chosen = page.locator(".folded-tree .row[data-id='f1.t2.c1']")
        chosen.locator(".name").click()
        page.wait_for_url(re.compile(r"node=f1\.t2\.c1"))
        expect(page.locator(".st-key-node-head")).to_contain_text("Cell", timeout=PATIENT_MS)
        page.locator(".graph").get_by_role("button", name="Zoom in").click()
        field = page.locator(".run-search input")
        field.click()
        field.press_sequentially("damp")
        expect(page.locator(".run-search .count")).to_have_text(re.compile("nodes"), timeout=PATIENT_MS)
        expect(page.locator("[data-stale='true']")).to_have_count(0, timeout=PATIENT_MS)
        chosen.evaluate(f"it => {{ ({SCROLLS})(it).scrollTop = 300 }}")
        before = held(page)
        assert before["node"] == before["row"] == "f1.t2.c1"
        assert before["typed"] == ["damp", 4, True]
        assert before["scrolled"] > 0
        for number in range(UPDATES):
            said = count_of(page).inner_text()
            goes_on(life, number)
            expect(count_of(page)).not_to_have_text(said, timeout=PATIENT_MS)
            assert held(page) == before
