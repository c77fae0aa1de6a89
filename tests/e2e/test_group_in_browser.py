"""A group read as a whole, and a node that is copied, pinned, compared and noted, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from real_app import App
from written_runs import Writer

from rlm_core import events as ev
from rlm_core.task import Message, Usage

RUN, CELL = "group-run", "f1.t1.c1"
MEMBERS = 130
HEADER_PX, ROW_PX = 32, 30


def write(home: Path) -> None:
    """Calls of which each costs less than the one before."""
    with Writer(home, RUN) as life:
        cell = life.turn()
        for number in range(1, MEMBERS + 1):
            asked = Message("user", f"Report {number} of May: was the room wet again? Say yes or no.")
            life.emit(f"{cell}.k{number}", cell, ev.CallStarted("sub", "demo", (asked,)))
            reply = f"Room {number}: {'no' if number % 2 else 'yes'}."
            done = ev.CallFinished("ok", reply, Usage(100 + number, 10), 1 / number, "list")
            life.emit(f"{cell}.k{number}", cell, done)
        life.finish()


@pytest.fixture(scope="module", autouse=True)
def _run(app: App) -> None:
    write(app.home)


def open_run(page: Page, app: App, **query: str) -> None:
    page.goto(f"{app.url}/run?run={RUN}" + "".join(f"&{name}={value}" for name, value in query.items()))
    expect(page.locator(".question")).to_be_visible()


def selected(page: Page, span: str) -> None:
    page.wait_for_url(re.compile(rf"node={re.escape(span)}(&|$)"))


def table(page: Page, key: str) -> Locator:
    """Each order of the members, and each page of it, is a table of its own."""
    found = page.locator(f"[class*='st-key-group'][class*='{key}']").get_by_test_id("stDataFrame")
    expect(found.locator("canvas").first).to_be_visible()
    found.scroll_into_view_if_needed()
    return found


def click_in(page: Page, table: Locator, x: float, row: int) -> None:
    """A place in a row of a table; the header is row 0."""
    box = table.bounding_box()
    assert box
    page.mouse.click(box["x"] + x, box["y"] + (HEADER_PX / 2 if not row else HEADER_PX + ROW_PX * (row - 0.5)))


def click_above_bar(page: Page, panel: int, bar: int) -> None:
    """Anywhere over a bar of a chart selects what it stands for, however low it is: here at the upper edge of the panel."""
    chart = page.locator(".st-key-pane-centre").get_by_test_id("stPlotlyChart")
    drawn = chart.locator(f".subplot.x{panel}y{panel} .trace.bars").last.locator(".point path")
    expect(drawn.nth(bar)).to_be_attached(timeout=60_000)  # the script that draws charts is large, and comes now
    area = chart.locator(f".draglayer .x{panel}y{panel} .nsewdrag")
    over, around = drawn.nth(bar).bounding_box(), area.bounding_box()
    assert over
    assert around
    area.click(position={"x": over["x"] + over["width"] / 2 - around["x"], "y": 5})


def test_bars_rows_pages_and_those_who_stand_out_select_a_member_and_the_order_holds(page: Page, app: App):
    open_run(page, app, view="Group")
    centre = page.locator(".st-key-pane-centre")
    expect(centre.get_by_text("No group is selected")).to_be_visible()
    click_in(page, table(page, "groups"), 60, 1)
    selected(page, f"{CELL}.g1")
    expect(centre.locator(".template mark")).to_have_text("1")
    click_above_bar(page, panel=2, bar=-1)
    selected(page, f"{CELL}.k1")  # the dearest, alone at the right of the costs
    expect(centre.get_by_role("button", name="65 × like “Room 1: no.”")).to_be_visible()
    inspector = page.locator(".st-key-pane-inspector")
    expect(inspector).to_contain_text(f"call 1 of {MEMBERS} in cell 1")
    centre.get_by_test_id("stPagination").get_by_role("button", name="2").click()
    expect(centre.get_by_text(f"101 to {MEMBERS} of {MEMBERS}")).to_be_visible()
    click_in(page, table(page, "as-they-were-made-2"), 60, 3)
    selected(page, f"{CELL}.k103")
    expect(inspector).to_contain_text(f"call 103 of {MEMBERS} in cell 1")
    centre.get_by_role("button", name=re.compile("^dearest: call 1,")).click()
    selected(page, f"{CELL}.k1")
    expect(centre.get_by_text(f"1 to 100 of {MEMBERS}")).to_be_visible()
    centre.get_by_role("combobox").click()
    page.get_by_role("option", name="longest reply first").click()
    click_in(page, table(page, "longest-reply-first-1"), 60, 1)
    selected(page, f"{CELL}.k100")
    expect(centre.locator(".template mark")).to_have_text("100")
    expect(inspector).to_contain_text(f"call 100 of {MEMBERS} in cell 1")


def test_a_node_is_copied_pinned_compared_and_noted_and_a_reload_keeps_it(page: Page, app: App):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=app.url)
    open_run(page, app, node=f"{CELL}.k3")
    inspector = page.locator(".st-key-pane-inspector")
    inspector.get_by_role("button", name=re.compile("Copy$")).click()
    for name, begins in (("JSON", "{"), ("Markdown", "### 3 of May"), ("Link", app.url)):
        page.locator(".copy").get_by_role("button", name=re.compile(f"^{name}")).click()
        expect(page.locator(".copy .says")).to_contain_text(f"{name} copied")
        text = page.evaluate("navigator.clipboard.readText()")
        assert text.startswith(begins)
        assert name != "JSON" or [each["kind"] for each in json.loads(text)["events"]] == [
            "CallStarted",
            "CallFinished",
        ]
    page.goto(text)
    expect(inspector).to_contain_text(f"call 3 of {MEMBERS}")
    inspector.get_by_role("button", name=re.compile("Pin$")).click()
    page.wait_for_url(re.compile(rf"pin={re.escape(CELL)}\.k3"))
    inspector.get_by_role("button", name=re.compile("Next$")).click()
    selected(page, f"{CELL}.k4")
    inspector.get_by_role("button", name="Compare with this").click()
    expect(inspector.locator("ins").first).to_have_text("4")
    expect(inspector.locator("del").first).to_have_text("3")
    page.reload()
    expect(inspector.locator("ins").first).to_have_text("4")
    inspector.get_by_role("button", name="Unpin").click()
    expect(inspector.get_by_text("pinned:")).to_be_hidden()
    inspector.get_by_role("button", name=re.compile("Note$")).click()
    page.get_by_label("Label").fill("Too early")
    page.get_by_role("radio", name="wrong").click()
    page.get_by_role("button", name="Save").click()
    expect(inspector.locator(".st-key-node-note")).to_contain_text("Too early")
    page.reload()
    expect(inspector.locator(".st-key-node-note")).to_contain_text("✕ wrong")
    expect(page.locator(".folded-tree")).to_contain_text("✎ wrong")
