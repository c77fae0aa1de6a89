"""The matrix of questions by strategies in a real browser: filled in while runs are under way, and led on from a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from real_app import App
from written_runs import Writer

from rlm_core.corpus.ingest import Source
from rlm_core.jobs.asking import load_archive, start
from rlm_core.store.store import Store
from rlm_core.task import Task

QUESTION = "In which rooms did the pipe freeze?"
TEXT = "Room A12\n01 Mar 2021  The pipe froze.\n\nRoom B07\n02 Mar 2021  Dry.\n"
LIVE = Task("How many doors jam?", "doors", "rlm", {"depth": 1}, "demo", "demo")


@pytest.fixture(scope="module")
def archive(app: App) -> str:
    """An archive that was asked by the demo model in two ways."""
    store = Store.open(app.home)
    corpus, _ = load_archive(store, [Source("rooms.txt", TEXT.encode())], name="frozen rooms")
    for strategy in ("base", "rlm"):
        start(store, Task(QUESTION, corpus.id, strategy))
    store.close()
    return corpus.id


@pytest.fixture
def live(app: App) -> Iterator[Writer]:
    with Writer(app.home, "matrix-live", LIVE) as writer:
        yield writer


def cell(page: Page, row: int, column: int) -> None:
    """Click a cell: the question is column 0. The first has 380 pixels, each other one 150."""
    box = page.get_by_test_id("stDataFrame").first.bounding_box()
    assert box
    page.mouse.click(box["x"] + (20 if not column else 380 + 150 * (column - 0.5)), box["y"] + 32 + 30 * (row + 0.5))


def test_from_the_list_of_runs_to_a_cell_to_what_is_right_and_to_the_comparison(page: Page, app: App, archive: str):
    page.goto(f"{app.url}/runs")
    page.get_by_role("link", name="Matrix").click()
    page.wait_for_url(re.compile("/matrix"))
    page.goto(f"{app.url}/matrix?archive={archive}")
    expect(page.get_by_role("heading", name=re.compile("^A and B answer differently on"))).to_be_visible(timeout=60_000)
    cell(page, 0, 1)
    held = page.locator(".st-key-matrix-cell")
    expect(held).to_contain_text("base · 1 run")
    held.get_by_role("button", name="Say what is right").click()
    page.get_by_role("textbox", name="Right answer").fill("1")
    page.get_by_role("button", name="Keep").click()
    expect(held).to_contain_text("Right answer: 1 (number)")
    expect(page.get_by_role("heading", name=re.compile("^A scores higher on "))).to_be_visible()
    held.get_by_role("radio", name="wrong").click()
    expect(held).to_contain_text("○ wrong, by a person")
    with page.expect_download() as file:
        page.get_by_role("button", name="HTML").click()
    assert QUESTION in file.value.path().read_text(encoding="utf-8")
    held.get_by_role("link", name="Compare all runs of this question").click()
    page.wait_for_url(re.compile(r"/compare\?runs="))
    expect(page.get_by_role("link", name="Matrix")).to_be_visible()


def test_the_table_is_filled_in_by_itself_and_then_left_alone(page: Page, app: App, live: Writer):
    page.goto(f"{app.url}/matrix?archive=doors")
    expect(page.get_by_role("heading", name="1 run of 1 is still under way")).to_be_visible()
    live.turn()
    live.finish(answer="3 doors.")
    expect(page.get_by_role("heading", name="1 question, all asked in one way")).to_be_visible()


def test_the_page_as_a_file_asks_for_nothing(browser: Browser, page: Page, app: App, archive: str, tmp_path: Path):
    page.goto(f"{app.url}/matrix?archive={archive}")
    with page.expect_download() as file:
        page.get_by_role("button", name="HTML").click()
    file.value.save_as(tmp_path / "matrix.html")
    context = browser.new_context(offline=True)
    opened, requests = context.new_page(), list[str]()
    opened.on("request", lambda request: requests.append(request.url))
    opened.goto((tmp_path / "matrix.html").as_uri())
    expect(opened.get_by_role("heading", name="Questions by strategies")).to_be_visible()
    assert len(requests) == 1
    assert opened.locator("script").count() == 0
    context.close()
