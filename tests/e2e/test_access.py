"""Everybody can use the pages: names for all controls, and contrast of 4.5:1 in both themes, as axe sees it."""

from __future__ import annotations

import pytest
import written_runs
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from real_app import App

RULES = [
    "aria-allowed-attr",
    "aria-hidden-focus",
    "aria-required-attr",
    "aria-required-children",
    "aria-required-parent",
    "aria-roles",
    "aria-valid-attr",
    "aria-valid-attr-value",
    "button-name",
    "color-contrast",
    "image-alt",
    "label",
    "link-name",
    "nested-interactive",
    "select-name",
    "svg-img-alt",
]
PAGES = {
    "first visit": "/",
    "ask": "/?step=form",
    "runs": "/runs",
    "graph": "/run?run=sample",
    "graph, a call selected": "/run?run=sample&node=f1.t3.c1.k20",
    "reader": "/run?run=sample&view=Reader&node=f1.t3.c1",
    "icicle": "/run?run=sample&view=Icicle",
    "findings": "/run?run=sample&view=Findings&node=f1.t3.c1.r5",
    "failed run": "/run?run=failed-1",
    "evidence": "/evidence?run=sample",
    "compare": "/compare?runs=sample,answered-1",
    "settings": "/settings",
}


@pytest.fixture(scope="module", autouse=True)
def _runs(app: App) -> None:
    written_runs.answered(app.home)
    written_runs.ended(app.home, "failed", "The key is missing.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_names_and_contrast(browser: Browser, app: App, name: str, scheme: str):
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    try:
        page.goto(f"{app.url}{PAGES[name]}")
        settle(page)
        assert complaints(page) == []
    finally:
        context.close()


def settle(page: Page) -> None:
    """Wait until the page has been drawn: no script runs any more."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.wait_for_timeout(1_500)


def complaints(page: Page) -> list[str]:
    """Each violation with the element that has it."""
    found = Axe().run(page, options={"runOnly": {"type": "rule", "values": RULES}})
    return [
        f"{each['id']}: {node['target']} {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in found.response["violations"]
        for node in each["nodes"]
    ]
