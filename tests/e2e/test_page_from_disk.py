"""The HTML file of runs, opened from the disk by a browser without a network: it asks for nothing, complains of nothing, runs
nothing that its texts say, and is led by the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import written_runs
from acting import ACTS
from playwright.sync_api import Browser, Page, expect

from rlm_core.jobs.paging import page as page_of
from rlm_core.store.store import Store


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("paged")
    runs = [written_runs.hostile(home), written_runs.answered(home)]
    written = home / "runs.html"
    written.write_text(page_of(Store.open(home), runs), encoding="utf-8", errors="replace")
    return written


@pytest.fixture(params=["light", "dark"])
def opened(browser: Browser, file: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True, color_scheme=request.param)
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto(file.as_uri())
    yield page
    assert [url for url in asked if url.partition("#")[0] != file.as_uri()] == []
    assert said == []
    context.close()


def test_nothing_that_texts_say_is_done(opened: Page):
    expect(opened.locator("#A h1")).to_contain_text("<script>alert(1)</script>")
    for opener in opened.locator(".block .link").all():
        opener.click()
    expect(opened.locator("#A .call .text").first).to_contain_text("<script>alert(1)</script>")
    opened.evaluate("document.getElementById('data').remove()")  # it holds the texts, and is no script that runs
    assert opened.evaluate(ACTS) == []


def test_arrow_keys_lead_through_the_story_and_escape_leaves_the_full_window(opened: Page):
    step = opened.locator("#stage .sentence")
    count = opened.locator("#stage .track button").count()
    seen = [step.inner_text()]
    for _ in range(count - 1):
        opened.keyboard.press("ArrowRight")
        seen.append(step.inner_text())
    assert len(set(seen)) == count > 5
    opened.keyboard.press("ArrowRight")
    expect(step).to_have_text(seen[-1])
    opened.keyboard.press("Home")
    expect(step).to_have_text(seen[0])
    opened.get_by_role("button", name="Full window").click()
    box = opened.locator("#stage").bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (1440, 900)
    opened.keyboard.press("Escape")
    expect(opened.locator("#stage.full")).to_have_count(0)


def test_a_link_to_a_single_call_opens_the_group_that_it_is_in(opened: Page):
    opened.evaluate("location.hash = '#B-f1.t2.c1.k2'")
    expect(opened.locator("[id='B-f1.t2.c1.k2']")).to_be_in_viewport()


def test_the_graph_leads_to_the_steps(opened: Page):
    opened.locator("#B-graph a.box").first.click()
    expect(opened.locator("[id='B-f1.t1']")).to_be_in_viewport()


def test_the_links_above_lead_to_the_beginning_of_each_part(opened: Page):
    for link in opened.locator(".bar nav a").all():
        link.click()
        top = f"document.querySelector('{link.get_attribute('href')}').getBoundingClientRect().top"
        at_end = "innerHeight + scrollY > document.documentElement.scrollHeight - 2"
        opened.wait_for_function(f"Math.abs({top} - 50) < 60 || ({at_end} && {top} > 0)")
