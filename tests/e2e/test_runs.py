"""The list of runs in a real browser: search, ticks, compare, rename, tags, delete, live rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import written_runs
from playwright.sync_api import Locator, Page, expect
from real_app import App, start_app

from rlm_core.store.store import Store
from rlm_core.task import Task

HEADER, ROW, FIRST_COLUMN = 32, 38, 18


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An app of its own, for `page` too: what other tests ask must not show in these lists."""
    home = tmp_path_factory.mktemp("runs") / "home"
    home.mkdir()
    (home / "sample-run").touch()
    started = start_app(home)
    yield started
    started.stop()


@pytest.fixture
def runs(app: App) -> Iterator[App]:
    """Three runs, and nothing else."""
    for run, question in (("r1", "Which pumps leak?"), ("r2", "Which rooms leak?"), ("r3", "Which rooms leak?")):
        written_runs.answered(app.home, run, Task(question, "no-corpus"))
    yield app
    store = Store.open(app.home)
    store.delete_runs([run.id for run in store.runs()])
    store.close()


def open_list(page: Page, app: App, query: str = "", rows: int = 3) -> None:
    page.goto(f"{app.url}/runs{query}")
    expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
    expect_rows(page, rows)


def expect_rows(page: Page, rows: int) -> None:
    """The table keeps an equal one of plain HTML for screen readers; its head counts as a row."""
    expect(page.get_by_test_id("stDataFrame").locator("table")).to_have_attribute("aria-rowcount", str(rows + 1))


def click(page: Page, row: int, x: int = FIRST_COLUMN) -> None:
    expect(page.get_by_test_id("stDataFrame")).to_have_count(
        1
    )  # another list is another table; the old one goes a bit later
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    page.mouse.click(box["x"] + x, box["y"] + HEADER + ROW * row + ROW / 2)


def bar(page: Page) -> Locator:
    return page.get_by_test_id("stBottom")


def tick(page: Page, *rows: int) -> None:
    for number, row in enumerate(rows, 1):
        click(page, row)
        expect(page.get_by_text(f"{number} run{'s' if number > 1 else ''} ticked")).to_be_visible()


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_search_narrows_the_list_while_it_is_typed_and_a_reload_keeps_it(page: Page, runs: App):
    open_list(page, runs)
    search = page.get_by_role("searchbox", name="Search")
    search.fill("rooms")
    expect(page.get_by_text("2 of 3", exact=True)).to_be_visible()
    expect_rows(page, 2)
    assert page.url.endswith("/runs?find=rooms")
    page.reload()
    expect(search).to_have_value("rooms")
    expect(page.get_by_text("2 of 3", exact=True)).to_be_visible()
    page.get_by_role("radio", name=re.compile("answered 2")).click()
    expect(page).to_have_url(re.compile(r"find=rooms&state=answered$"))


def test_two_ticked_runs_are_compared(page: Page, runs: App):
    open_list(page, runs)
    tick(page, 0, 1)
    expect(page.get_by_text("same question, same archive")).to_be_visible()
    button(page, "Compare")
    page.wait_for_url(re.compile(r"/compare\?runs=r3(,|%2C)r2$"))


def test_a_click_on_a_heading_sorts_and_opens_nothing(page: Page, runs: App):
    open_list(page, runs)
    click(page, -1, 1050)
    tick(page, 0)
    assert page.url == f"{runs.url}/runs"
    button(page, "Open")
    page.wait_for_url(re.compile(r"/run\?run=r\d$"))


def test_a_run_gets_a_title_and_a_tag_and_is_found_by_them(page: Page, runs: App):
    open_list(page, runs)
    tick(page, 2)
    button(page, "Rename")
    title = page.get_by_role("textbox", name="Title")
    expect(title).to_be_focused()
    title.fill("Pumps of the north")
    title.press("Enter")
    expect(bar(page)).to_contain_text("Pumps of the north")
    button(page, "Tags")
    tags = page.get_by_role("combobox", name="Tags")
    expect(tags).to_be_focused()
    tags.fill("board meeting")
    tags.press("Enter")
    tags.press("Escape")
    button(page, "Save tags")
    expect(page.get_by_text("board meeting 1")).to_be_visible()
    search = page.get_by_role("searchbox", name="Search")
    for words in ("of the north", "board meet"):
        search.fill(words)
        expect_rows(page, 1)


def test_ticked_runs_are_deleted_after_a_second_look_and_the_others_stay(page: Page, runs: App):
    open_list(page, runs)
    tick(page, 0, 2)
    button(page, "Delete")
    expect(page.get_by_text("go for good")).to_contain_text("This frees ~")
    button(page, "Keep")
    expect(page.get_by_text("2 runs ticked")).to_be_visible()
    button(page, "Delete")
    page.get_by_role("button", name="Delete 2 runs for good").click()
    expect(page.get_by_text("2 runs deleted")).to_be_visible()
    expect_rows(page, 1)
    expect(page.get_by_text("1 of 1", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_text("1 of 1", exact=True)).to_be_visible()


def test_a_tick_stays_with_its_run_while_others_come_and_the_list_ends_polling(page: Page, runs: App):
    with written_runs.running(runs.home) as life:
        open_list(page, runs, rows=4)
        tick(page, 2)
        expect(bar(page)).to_contain_text("Which rooms leak?")
        written_runs.answered(runs.home, "newest", Task("Who?", "no-corpus"))
        expect_rows(page, 5)
        expect(page.get_by_text("1 run ticked")).to_be_visible()
        click(page, 4)
        expect(page.get_by_text("2 runs ticked")).to_be_visible()
        expect(page.get_by_text("different questions, same archive")).to_be_visible()
        life.finish()
    expect(page.get_by_text("running 1")).to_have_count(0)
    frames: list[object] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    page.reload()
    expect_rows(page, 5)
    page.wait_for_timeout(1_000)
    frames.clear()
    page.wait_for_timeout(3_000)
    assert frames == []


def test_runs_beyond_the_newest_are_found(page: Page, app: App):
    store = Store.open(app.home)
    written_runs.answered(app.home, "oldest", Task("A needle?", "no-corpus"))
    connection = store._db.conn
    columns = ", ".join(
        row[1] for row in connection.execute("PRAGMA table_info(runs)") if row[1] not in ("id", "question")
    )
    connection.execute(
        f"""WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO runs (id, question, {columns}) SELECT 'z' || i, 'Hay ' || i, {columns} FROM runs, n WHERE id = 'oldest'"""
    )
    try:
        open_list(page, app, rows=500)
        expect(page.get_by_text("The newest 500 of 601 are listed; the search looks in all.")).to_be_visible()
        page.get_by_role("searchbox", name="Search").fill("needle")
        expect_rows(page, 1)
        click(page, 0, 300)
        page.wait_for_url(re.compile(r"/run\?run=oldest$"))
    finally:
        store.delete_runs([run.id for run in store.runs(1_000)])
        store.close()
