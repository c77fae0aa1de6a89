"""A log whose texts try to act is imported by the page and looked at in every view: it stays text, and nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import hostile_logs
import pytest
from acting import ACTS
from playwright.sync_api import Browser, Page, expect
from real_app import App

TOOLS = tuple(hostile_logs.LOGS)
NODES = {
    "rlms": ("f1.t1", "f1.t2.c1", "f1.t1.c1.k1", "f1.t1.c1.k2", "f1.t2.c1.f1", "f1.t2.c1.f1.t1.c1.k1", "answer"),
    "fast-rlm": ("f1.t0.c1", "f1.t1.c1.f1", "answer"),
}
VIEWS = ("Graph", "Reader", "Icicle", "Findings", "Coverage", "Diagnosis")
OVERFLOWS = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.fixture(scope="module")
def runs(browser: Browser, app: App, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The run of each tool, imported by the page, by what its link leads to."""
    folder: Path = tmp_path_factory.mktemp("logs")
    page, found = browser.new_page(), dict[str, str]()
    for tool in TOOLS:
        page.goto(f"{app.url}/runs?import=1")
        page.locator("input[type=file]").set_input_files(hostile_logs.written(folder, tool))
        expect(page.get_by_text(f"1 run of {tool} came in.")).to_be_visible()
        page.locator(".st-key-runs-imported a").click()
        page.wait_for_url(re.compile(r"run=log-\w+"))
        found[tool] = page.url.partition("run=")[2].partition("&")[0]
    yield found
    page.close()


def look(page: Page, app: App, *addresses: str) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    for address in addresses:
        page.goto(f"{app.url}{address}")
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        expect(page.get_by_test_id("stMain")).to_contain_text("<script>alert(1)</script>")
        expect(page.get_by_test_id("stException")).to_have_count(0)
        page.wait_for_timeout(500)
        assert page.evaluate(ACTS) == [], address
        assert not page.evaluate(OVERFLOWS), address
    assert dialogs == []


@pytest.mark.parametrize("tool", TOOLS)
def test_every_view_of_a_hostile_log_shows_its_text_as_text(page: Page, app: App, runs: dict[str, str], tool: str):
    look(page, app, *(f"/run?run={runs[tool]}&view={view}" for view in VIEWS))


@pytest.mark.parametrize("tool", TOOLS)
def test_every_kind_of_node_of_a_hostile_log_shows_its_text_as_text(
    page: Page, app: App, runs: dict[str, str], tool: str
):
    look(page, app, *(f"/run?run={runs[tool]}&node={node}" for node in NODES[tool]))


def test_other_pages_show_the_text_of_hostile_logs_as_text(page: Page, app: App, runs: dict[str, str]):
    look(page, app, f"/compare?runs={','.join(runs.values())}")
    page.goto(f"{app.url}/runs")
    expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
    page.goto(f"{app.url}/?from={runs['rlms']}")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    assert page.evaluate(ACTS) == []
