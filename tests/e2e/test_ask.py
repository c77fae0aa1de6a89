"""The first visit and the page that asks, in a real browser. The app of these tests has no key, and nothing has been asked
in it until the last of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from real_app import App, start_app

HEADLINE = re.compile("^Ask a question of an archive that is too big to read")
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with pytest.MonkeyPatch.context() as environment:
        for name in KEYS:
            environment.delenv(name, raising=False)
        started = start_app(tmp_path_factory.mktemp("ask") / "home")
    yield started
    started.stop()


def question(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Question")


def start_button(page: Page) -> Locator:
    return page.get_by_test_id("stBaseButton-primary")


def tick(page: Page, strategy: str) -> None:
    page.get_by_test_id("stCheckbox").filter(has_text=strategy).locator("label").click()


def fits_sideways(page: Page) -> bool:
    main = page.get_by_test_id("stMain")
    return bool(main.evaluate("it => it.scrollWidth <= it.clientWidth"))


def test_the_name_of_the_first_page_leads_to_it_and_so_does_the_same_with_a_form_filled_in(page: Page, app: App):
    page.goto(f"{app.url}/ask")
    expect(page.get_by_role("heading", name=HEADLINE)).to_be_visible()
    page.goto(f"{app.url}/ask?archive=sample")
    expect(page.get_by_text("maintenance.zip")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_first_visit_explains_itself_and_opens_the_recorded_run(page: Page, app: App):
    page.goto(app.url)
    expect(page.get_by_role("heading", name=HEADLINE)).to_be_visible()
    for said in ("Your archive", "A model writes code", "and asks helpers", "You check", "root model"):
        expect(page.get_by_text(said, exact=True)).to_be_visible()
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    expect(start_button(page)).to_have_count(1)
    page.get_by_role("button", name="Open the recorded run").click()
    page.wait_for_url(re.compile(r"/run\?run=sample"))
    expect(page.locator(".badge")).to_have_text("answered")
    page.get_by_role("link", name="Ask").first.click()
    expect(page.get_by_role("heading", name=HEADLINE)).to_be_visible()


def test_a_first_visit_leads_to_the_form_by_keyboard_and_back_to_the_picture(page: Page, app: App):
    page.goto(app.url)
    sample = page.get_by_role("button", name="Ask the sample")
    expect(sample).to_be_visible()
    for _ in range(40):
        page.keyboard.press("Tab")
        if sample.evaluate("it => it === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(question(page)).to_have_value(re.compile("^In which rooms"))
    page.wait_for_url(re.compile("archive=sample"))
    page.get_by_role("link", name="What is this?").click()
    expect(page.get_by_role("heading", name=HEADLINE)).to_be_visible()
    page.get_by_role("button", name="Upload an archive").click()
    expect(page.locator("input[type=file]")).to_be_attached()


@pytest.mark.parametrize("address", ["", "/?archive=sample&preset=openai&strategies=rlm-1,base"])
def test_nothing_is_cut_off_in_a_narrow_window(page: Page, app: App, address: str):
    page.set_viewport_size({"width": 900, "height": 700})
    page.goto(app.url + address)
    expect(start_button(page)).to_be_visible()
    assert fits_sideways(page)
    inside = "it => [...it.querySelectorAll('button, input, textarea, h1')].every(e => e.getBoundingClientRect().right <= 900)"
    assert page.get_by_test_id("stMain").evaluate(inside)


def test_a_missing_key_stops_beside_the_models_and_nothing_is_started(page: Page, app: App):
    page.goto(f"{app.url}/?archive=sample")
    expect(question(page)).to_have_value(re.compile("^In which rooms"))
    page.get_by_role("radio", name=re.compile("^OpenAI")).click()
    expect(page.get_by_text("There is no key for OpenAI.").first).to_be_visible()
    expect(page.get_by_text("Set OPENAI_API_KEY in the environment").first).to_be_visible()
    expect(page.get_by_text(re.compile("^~")).first).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    question(page).press("Control+Enter")
    expect(page.get_by_text("Nothing was started. Add what is missing")).to_be_visible()
    assert "/run" not in page.url
    page.get_by_role("link", name="Keep a key in Settings").click()
    page.wait_for_url(re.compile("/settings"))


def test_choices_survive_a_reload_by_their_address(page: Page, app: App):
    page.goto(f"{app.url}/?archive=sample")
    expect(question(page)).to_have_value(re.compile("^In which rooms"))
    tick(page, "base")
    page.wait_for_url(re.compile("base"))
    page.get_by_role("radio", name=re.compile("^Google")).click()
    page.wait_for_url(re.compile("preset=google"))
    page.reload()
    expect(page.get_by_role("button", name="Start 2 runs")).to_be_visible()
    expect(page.get_by_text("There is no key for").first).to_be_visible()


def test_several_strategies_are_started_at_once_and_stand_side_by_side(page: Page, app: App):
    page.goto(f"{app.url}/?archive=sample")
    expect(question(page)).to_have_value(re.compile("^In which rooms"))
    tick(page, "rlm depth 0")
    tick(page, "base")
    page.get_by_role("button", name="Start 3 runs").click()
    page.wait_for_url(re.compile(r"/compare\?runs="))
    rows = page.locator(".runs tr")
    expect(rows).to_have_count(4)
    for number in (1, 2, 3):  # filled in by itself
        expect(rows.nth(number)).to_contain_text("answered", timeout=90_000)
    rows.nth(1).get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/run\?run=\S+with="))
    expect(page.get_by_text("3 runs were started together")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Matrix").click()
    page.wait_for_url(re.compile(r"/matrix\?archive="))
    page.goto(app.url)
    expect(question(page)).to_be_visible()
