"""Uploading in a real browser: files, folders, dropping, the keyboard; stopping, reloading, and what is left then: nothing."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from real_app import App, start_app

SLOW_BYTES_PER_S = 1_000_000


def open_upload(page: Page, app: App) -> None:
    page.goto(f"{app.url}/?archive=upload")
    expect(page.get_by_role("button", name="Choose files")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def left(app: App) -> list[Path]:
    folder = app.home / "uploads"
    return list(folder.iterdir()) if folder.exists() else []


def expect_soon(condition: Callable[[], bool], within_s: float = 30.0) -> None:
    until = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one below it."""
    made = tmp_path / "leak reports"
    (made / "2021").mkdir(parents=True)
    (made / "a12.txt").write_text("Room A12 is wet.\n")
    (made / "2021" / "b07.txt").write_text("Room B07 is dry.\n")
    return made


@pytest.fixture
def large(tmp_path: Path) -> Path:
    file = tmp_path / "large.log"
    file.write_bytes(b"Room A12 is wet again.\n" * 2_000_000)
    return file


def slow_down(page: Page) -> None:
    """Make the way from the browser to the app a slow one."""
    conditions = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": SLOW_BYTES_PER_S}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", conditions)


def begin(page: Page, file: Path) -> None:
    """Choose a file, and wait until some of it has arrived."""
    slow_down(page)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    expect(page.get_by_role("status")).to_contain_text("of 46 MB")


def test_a_folder_is_chosen_by_keyboard_and_becomes_an_archive_of_its_name(page: Page, app: App, folder: Path):
    open_upload(page, app)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a folder").press("Enter")
    chooser.value.set_files(folder)
    expect(page.get_by_text("leak reports", exact=True)).to_be_visible()
    page.get_by_text("All 2 files").click()
    expect(page.get_by_test_id("stDataFrame").last).to_be_visible()
    assert left(app) == []


def test_files_and_folders_are_dropped(page: Page, app: App, folder: Path, tmp_path: Path):
    (tmp_path / "loose.txt").write_text("Room C01 is wet.\n")
    open_upload(page, app)
    box = page.locator(".zone").bounding_box()
    assert box
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(folder), str(tmp_path / "loose.txt")], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": box["x"] + 9, "y": box["y"] + 9, "data": data})
    expect(page.get_by_text("and 2 more")).to_be_visible()
    expect(page.get_by_text("All 3 files")).to_be_visible()


def test_what_is_larger_than_allowed_is_said_before_anything_is_sent(page: Page, app: App, tmp_path: Path):
    with (tmp_path / "huge.zip").open("wb") as file:
        file.truncate(1_100_000_000)  # takes no room
    open_upload(page, app)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.locator("input[type=file]").set_input_files(tmp_path / "huge.zip")
    expect(page.get_by_role("alert")).to_have_text(
        "These files have 1,100 MB; an upload may have up to 1,073 MB together."
    )
    assert "PUT" not in sent


def test_an_upload_shows_how_far_it_is_and_can_be_stopped_and_begun_again(
    page: Page, app: App, large: Path, folder: Path
):
    open_upload(page, app)
    begin(page, large)
    page.get_by_role("textbox", name="Question").fill("Which rooms are wet?")
    page.get_by_role("textbox", name="Question").press("Tab")
    expect_soon(lambda: len(left(app)) == 1)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Choose files")).to_be_visible()
    expect_soon(lambda: left(app) == [])
    expect(page.get_by_role("textbox", name="Question")).to_have_value("Which rooms are wet?")
    expect(page.get_by_role("button", name="Choose files")).to_be_focused()
    page.locator("input[type=file]").set_input_files(folder / "a12.txt")
    expect(page.get_by_text("a12.txt").first).to_be_visible()


def test_files_chosen_at_the_moment_of_a_stop_are_sent_as_soon_as_the_page_may(page: Page, app: App, large: Path):
    open_upload(page, app)
    begin(page, large)
    page.locator(".upload").evaluate(
        """upload => {
          const chosen = new DataTransfer()
          chosen.items.add(new File(["Room A12 is wet."], "a12.txt"))
          upload.querySelector(".sending button").click()
          const input = upload.querySelector("input[type=file]")
          input.files = chosen.files
          input.dispatchEvent(new Event("change"))
        }"""
    )
    expect(page.get_by_text("a12.txt").first).to_be_visible()


@pytest.mark.parametrize("leave", ["reload", "another page", "close"])
def test_a_page_that_is_left_in_the_middle_leaves_nothing(page: Page, app: App, large: Path, leave: str):
    open_upload(page, app)
    begin(page, large)
    expect_soon(lambda: len(left(app)) == 1)
    if leave == "reload":
        page.reload()
        expect(page.get_by_role("button", name="Choose files")).to_be_visible()
    elif leave == "another page":
        page.get_by_role("link", name="Runs").first.click()
    else:
        page.close()
    expect_soon(lambda: left(app) == [])


def test_what_is_being_read_is_read_to_its_end_without_its_page(page: Page, app: App, tmp_path: Path):
    file = tmp_path / "slow to read.csv"
    file.write_bytes(b"room,state\n" + b"A12,wet\n" * 1_500_000)
    open_upload(page, app)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("status")).to_contain_text("Reading")
    page.goto(f"{app.url}/settings")
    expect_soon(lambda: left(app) == [])
    page.goto(f"{app.url}/?archive=upload")
    page.get_by_role("radio", name="Earlier archive").click()
    expect(page.get_by_role("combobox", name="Earlier archive")).to_have_value(
        re.compile("^slow to read.csv · 1 document")
    )


def test_an_app_that_is_killed_in_the_middle_tidies_up_at_its_next_start(browser: Browser, large: Path, tmp_path: Path):
    killed = start_app(tmp_path / "home")
    visitor = browser.new_page()
    open_upload(visitor, killed)
    begin(visitor, large)
    expect_soon(lambda: len(left(killed)) == 1)
    killed.process.kill()
    killed.process.wait()
    visitor.close()
    assert len(left(killed)) == 1
    start_app(tmp_path / "home").stop()
    assert left(killed) == []
