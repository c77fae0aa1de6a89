"""From an empty data folder to an answer, in a real browser with the real worker."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect
from real_app import App, start_app

RUN_ADDRESS = re.compile(r"/run\?run=\S+")
SPINNING = "I look.\n\n```repl\nwhile True:\n    pass\n```"


def question(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Question")


def start_button(page: Page) -> Locator:
    return page.get_by_test_id("stBaseButton-primary")


def open_sample(page: Page, app: App) -> None:
    page.goto(f"{app.url}/?archive=sample")
    expect(question(page)).to_have_value(re.compile("^In which rooms"))
    expect(start_button(page)).to_be_visible()


def ask_sample(page: Page, app: App) -> None:
    open_sample(page, app)
    start_button(page).click()
    page.wait_for_url(RUN_ADDRESS)


def type_model(page: Page, label: str, name: str) -> None:
    """Choose a model by its name, at the speed of a person: leaving a field above makes the page anew, and what is typed into
    a list in that moment may be lost."""
    box = page.get_by_role("combobox", name=re.compile(label))
    for _ in range(3):
        box.click()
        page.wait_for_timeout(300)
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        box.fill(name)
        box.press("Enter")
        page.wait_for_timeout(300)
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        if box.input_value() == name:
            return
    raise AssertionError(f"{label} is {box.input_value()!r}, and {name!r} was typed")


def test_the_sample_is_answered_by_the_demo_and_a_reload_keeps_it(page: Page, app: App):
    ask_sample(page, app)
    badge = page.locator(".badge")
    expect(badge).to_have_text("answered", timeout=60_000)
    expect(page.locator("div.answer")).to_contain_text("A12")
    expect(page.get_by_role("treeitem").first).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    address = page.url
    page.reload()
    expect(badge).to_have_text("answered")
    assert page.url == address


def test_a_long_answer_unfolds_to_its_last_line_and_folds_again(page: Page, app: App):
    ask_sample(page, app)
    expect(page.locator(".badge")).to_have_text("answered", timeout=60_000)
    expect(page.locator(".notice")).to_have_text("demo: rule-based, not a language model")
    page.get_by_role("button", name=re.compile("more lines$")).click()
    answer = page.locator("div.answer")
    expect(answer).to_contain_text("it is rule-based, not a language model")
    assert answer.evaluate("it => it.scrollHeight <= it.clientHeight")
    below = page.locator(".st-key-panes").bounding_box()
    box = answer.bounding_box()
    assert box
    assert below
    assert box["y"] + box["height"] <= below["y"]
    page.get_by_role("button", name="fewer lines").click()
    expect(answer).not_to_contain_text("it is rule-based")


def test_a_finished_run_stops_polling(page: Page, app: App):
    ask_sample(page, app)
    expect(page.locator(".badge")).to_have_text("answered", timeout=60_000)
    frames: list[object] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    page.reload()
    expect(page.locator(".badge")).to_have_text("answered")
    expect(page.locator(".figures > div", has_text="Coverage")).to_contain_text(re.compile("of the archive shown$"))
    page.wait_for_timeout(3_000)
    assert frames
    frames.clear()
    page.wait_for_timeout(3_000)
    assert frames == []


def test_a_run_that_spins_is_cancelled_on_request(page: Page, app: App, tmp_path: Path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"root": [SPINNING]}), encoding="utf-8")
    open_sample(page, app)
    type_model(page, "Root model", f"scripted:{script}")
    start_button(page).click()
    page.wait_for_url(RUN_ADDRESS)
    expect(page.locator(".badge")).to_have_text("running, turn 1")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".badge")).to_have_text("cancelled", timeout=15_000)


def test_a_typed_model_that_is_not_known_is_named_with_similar_ones(page: Page, app: App):
    open_sample(page, app)
    type_model(page, "Root model", "openai/gpt-4oo")
    expect(page.get_by_text("'openai/gpt-4oo' is not known").first).to_be_visible()


def test_a_question_is_typed_and_started_from_the_keyboard(page: Page, app: App):
    open_sample(page, app)
    question(page).fill("Which rooms had a leak that came back?")
    question(page).press("Control+Enter")
    page.wait_for_url(RUN_ADDRESS)
    expect(page.locator(".question")).to_have_text("Which rooms had a leak that came back?")


def test_a_click_in_the_list_opens_the_run(page: Page, app: App):
    ask_sample(page, app)
    expect(page.locator(".badge")).to_have_text("answered", timeout=60_000)
    page.get_by_role("link", name="Runs").first.click()
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    tables = page.get_by_test_id("stDataFrame")
    expect(tables).to_have_count(1)
    expect(tables.locator("canvas").first).to_be_visible()
    box = tables.bounding_box()
    assert box
    page.mouse.click(box["x"] + 300, box["y"] + 55)
    page.wait_for_url(RUN_ADDRESS)


def test_an_upload_is_asked(page: Page, app: App, tmp_path: Path):
    file = tmp_path / "three_rooms.txt"
    file.write_text(
        "Room A12\n12 May 2021 Leak, sealed.\n3 June 2021 Dripped again after heavy rain.\n", encoding="utf-8"
    )
    page.goto(f"{app.url}/?archive=upload")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("three_rooms.txt").first).to_be_visible()
    question(page).fill("In which rooms did the leak come back?")
    start_button(page).click()
    page.wait_for_url(RUN_ADDRESS)
    expect(page.locator(".badge")).to_have_text("answered", timeout=60_000)


def test_two_windows_see_the_same_run(page: Page, app: App):
    ask_sample(page, app)
    other = page.context.new_page()
    other.goto(page.url)
    for window in (page, other):
        expect(window.locator(".badge")).to_have_text("answered", timeout=60_000)


def test_the_look_and_the_server_hold_outside_the_clone(browser: Browser, tmp_path: Path):
    app = start_app(tmp_path / "home", cwd=tmp_path)
    try:
        page = browser.new_page()
        page.goto(f"{app.url}/?archive=sample")
        expect(question(page)).to_be_visible(timeout=30_000)
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "14px"
        background = page.get_by_test_id("stBaseButton-primary").evaluate("it => getComputedStyle(it).backgroundColor")
        assert background == "rgb(0, 114, 178)"
        assert page.request.get(f"{app.url}/assets/kinds/root.svg").headers["content-type"] == "image/svg+xml"
        page.close()
    finally:
        app.stop()
    assert app.said == [f"RLM Studio is at {app.url}\n"]
