"""Everybody can use the pages: names for all controls, and contrast of 4.5:1 in both themes, as axe sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import covered_runs
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
    "first visit": "/?about=1",
    "ask": "/?archive=sample&strategies=rlm-1,base",
    "ask, upload": "/?archive=upload",
    "ask, a key is missing": "/?archive=sample&preset=anthropic&strategies=base",
    "ask, own server": "/?archive=sample&preset=server",
    "runs": "/runs",
    "runs, two ticked": "/runs",
    "runs, none found": "/runs?find=walrus",
    "graph": "/run?run=sample",
    "graph, a call selected": "/run?run=sample&node=f1.t3.c1.k20",
    "graph, the tree searched and narrowed": "/run?run=sample&node=f1.t3.c1.k20&find=leak&hit=1&only=call,depth0",
    "graph, the tree narrowed to nothing": "/run?run=answered-1&only=cited,frame&find=walrus",
    "reader": "/run?run=sample&view=Reader&node=f1.t3.c1",
    "icicle": "/run?run=sample&view=Icicle",
    "timeline": "/run?run=sample&view=Timeline&node=f1.t3.c1",
    "groups": "/run?run=sample&view=Group",
    "a group, with a member selected": "/run?run=sample&view=Group&node=f1.t3.c1.k4",
    "two calls compared": "/run?run=sample&node=f1.t3.c1.k4&pin=f1.t3.c1.k11&beside=yes",
    "findings": "/run?run=sample&view=Findings&node=f1.t3.c1.r5",
    "coverage": "/run?run=covered-2&view=Coverage",
    "coverage, a place selected": "/run?run=covered-2&view=Coverage&document=mail/minutes.txt",
    "coverage, a finding selected": "/run?run=covered-2&view=Coverage&node=f1.t2.c1.r1",
    "diagnosis": "/run?run=failed-1&view=Diagnosis",
    "evidence, what was shown": "/evidence?run=covered-2&shown_to=f1.t2.c1.k1",
    "failed run": "/run?run=failed-1",
    "evidence": "/evidence?run=sample",
    "evidence, a quote that was not found": "/evidence?run=answered-1&finding=f1.t2.c1.r2",
    "evidence, no findings": "/evidence?run=failed-1",
    "compare, nothing chosen": "/compare",
    "compare, one chosen": "/compare?runs=answered-1",
    "compare": "/compare?runs=answered-1,failed-1",
    "compare, different archives": "/compare?runs=sample,answered-1",
    "matrix": "/matrix",
    "matrix, a mode without rows": "/matrix?mode=A+wins",
    "settings, models": "/settings",
    **{f"settings, {each}": f"/settings?section={each}" for each in ("keys", "prices", "limits", "sandbox", "data")},
}


@pytest.fixture(scope="module", autouse=True)
def _runs(app: App) -> None:
    covered_runs.covered(app.home, "covered-2")
    written_runs.answered(app.home)
    written_runs.ended(app.home, "failed", "The key is missing.")


@pytest.fixture(scope="module", params=["light", "dark"])
def visitor(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """One for each theme, who goes from page to page: the browser loads what they share once."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=request.param)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_names_and_contrast(visitor: Page, app: App, name: str):
    visitor.goto(f"{app.url}{PAGES[name]}")
    settle(visitor)
    if name in STEPS:
        STEPS[name](visitor)
        settle(visitor)
    assert complaints(visitor) == []


def _tick_two(page: Page) -> None:
    """The first two rows of the list."""
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    for number in (1, 2):
        page.mouse.click(box["x"] + 18, box["y"] + 32 + 38 * (number - 0.5))
        expect(page.get_by_text(re.compile(f"{number} runs? ticked"))).to_be_visible()


STEPS = {"runs, two ticked": _tick_two}
"""What has to be done on a page before it is looked at."""


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
