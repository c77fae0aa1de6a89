"""The run's page in windows of several sizes: nothing is pushed out of sight, and a narrow one keeps room for the views."""

from __future__ import annotations

import re

import pytest
import written_runs
from playwright.sync_api import Page, expect
from real_app import App

CALL = "f1.t3.c1.k11"
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 900, "height": 700}


def open_run(page: Page, app: App, size: dict[str, int], query: str) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto(f"{app.url}/run?{query}")
    expect(page.locator(".question")).to_be_visible()
    expect(page.locator(".folded-tree .row").first).to_be_visible()
    expect(page.locator(".st-key-node-head")).to_be_visible()


def height(page: Page, part: str) -> float:
    box = page.locator(part).bounding_box()
    assert box
    return box["height"]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("view", ["Graph", "Reader", "Findings"])
def test_the_page_itself_does_not_scroll_and_its_panes_end_with_the_window(page: Page, app: App, size, view: str):
    open_run(page, app, size, f"run=sample&view={view}&node={CALL}")
    expect(page.locator(".st-key-node-figures dd").first).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("it => it.scrollHeight - it.clientHeight") <= 0
    end = page.locator(".st-key-panes").bounding_box()
    assert end
    assert end["y"] + end["height"] <= size["height"]


def test_a_narrow_window_keeps_room_for_the_view_above_a_drawer_that_opens(page: Page, app: App):
    open_run(page, app, NARROW, f"run=sample&view=Reader&node={CALL}")
    inspector = page.locator(".st-key-pane-inspector")
    expect(inspector.get_by_text("call 11 of 212 in cell 3")).to_be_visible()
    expect(inspector.get_by_text("Retries")).to_be_visible()
    expect(inspector.get_by_role("tab", name="Raw")).to_be_hidden()
    assert height(page, ".st-key-pane-centre") > 250
    inspector.get_by_role("button", name="More").click()
    expect(inspector.get_by_role("tab", name="Raw")).to_be_visible()
    assert height(page, ".st-key-pane-inspector") > 300
    inspector.get_by_role("button", name="Less").click()
    expect(inspector.get_by_role("tab", name="Raw")).to_be_hidden()


def test_in_a_wide_window_the_inspector_is_no_drawer(page: Page, app: App):
    open_run(page, app, WIDE, f"run=sample&node={CALL}")
    expect(page.get_by_role("tab", name="Raw")).to_be_visible()
    expect(page.get_by_role("button", name="More", exact=True)).to_be_hidden()
    expect(page.locator(".st-key-node-figures dd").first).to_be_visible()
    page.wait_for_function(
        """() => { const figures = document.querySelector('.st-key-node-figures'), tabs = document.querySelector('[role=tablist]')
        return figures.scrollHeight <= figures.clientHeight
            && figures.getBoundingClientRect().bottom <= tabs.getBoundingClientRect().top }"""
    )


def test_a_question_of_several_lines_is_cut_in_a_narrow_window_and_unfolds(page: Page, app: App):
    open_run(page, app, NARROW, f"run={written_runs.hostile(app.home, 'hostile-window')}")
    before = height(page, ".question")
    page.get_by_role("button", name="all of it").click()
    expect(page.locator(".question")).to_have_class(re.compile("whole"))
    assert height(page, ".question") > before
    page.get_by_role("button", name="less", exact=True).click()
    expect(page.get_by_role("button", name="all of it")).to_be_visible()
    assert height(page, ".question") == before


def test_an_item_of_the_answer_and_its_mark_stand_in_one_row(page: Page, app: App):
    for size in (WIDE, NARROW):
        open_run(page, app, size, "run=sample")
        rows = page.locator(".cited").evaluate_all("all => all.map(it => it.getClientRects().length)")
        assert rows
        assert set(rows) == {1}
