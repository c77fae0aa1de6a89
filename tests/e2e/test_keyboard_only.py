"""A run explored with the keyboard alone: every view is reached, and what is in it is used. No test here moves a pointer."""

from __future__ import annotations

import re

import pytest
import written_runs
from playwright.sync_api import Page, expect
from real_app import App
from written_runs import Writer

RUN = "by-keys-1"
MOST_TABS = 80


@pytest.fixture(scope="module", autouse=True)
def run(app: App) -> str:
    with Writer(app.home, RUN) as life:
        for number in range(1, 5):
            calls = {"calls": 12} if number == 2 else {}
            life.turn(f"Step {number}.", written_runs.CODE, "12 lines\n", **calls)
        life.finish()
    return RUN


def turned_to(page: Page, key: str, view: str) -> None:
    page.keyboard.press(key)
    expect(page.get_by_role("radio", name=view)).to_be_checked()
    at_rest(page)


def at_rest(page: Page) -> None:
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def tab_to(page: Page, selector: str) -> None:
    """With the Tab key alone, as far as it takes."""
    expect(page.locator(selector).first).to_be_attached()
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.locator(f"{selector}:focus").count():
            return
    raise AssertionError(f"{selector} is not reached with {MOST_TABS} tabs")


def expect_node(page: Page, node: str) -> None:
    expect(page).to_have_url(re.compile(rf"[?&]node={node}(&|$)"))


def test_help_shows_all_keys_and_gives_the_page_back(page: Page, app: App):
    page.goto(f"{app.url}/run?run={RUN}")
    expect(page.locator(".folded-tree .row").first).to_be_visible()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("the views, in their order")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_every_view_is_reached_and_used(page: Page, app: App):
    page.goto(f"{app.url}/run?run={RUN}")
    expect(page.locator(".folded-tree .row").first).to_be_visible()

    turned_to(page, "2", "Reader")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect_node(page, "f1.t1.c1")

    turned_to(page, "1", "Graph")
    tab_to(page, ".stage")
    page.keyboard.press("ArrowLeft")
    expect_node(page, "f1.t1")
    page.keyboard.press("ArrowDown")
    expect_node(page, "f1.t2")

    for key, view in (("3", "Icicle"), ("4", "Timeline")):
        turned_to(page, key, view)
        tab_to(page, f".st-key-{view.lower()}-table input")
        page.keyboard.press("Space")
        walked_in_a_table(page, "f1.t")
        tab_to(page, ".folded-tree .row")  # in a table, keys are meant for the table

    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect_node(page, "run")
    turned_to(page, "5", "Group")
    walked_in_a_table(page, r"f1\.t2\.c1\.g1")
    tab_to(page, ".folded-tree .row")

    turned_to(page, "7", "Coverage")
    turned_to(page, "8", "Diagnosis")
    turned_to(page, "6", "Findings")


def walked_in_a_table(page: Page, node: str) -> None:
    """Its second row selects a node."""
    tab_to(page, "[data-testid=stDataFrame] canvas")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile(rf"[?&]node={node}"))
