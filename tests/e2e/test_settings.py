"""Settings in a real browser: a key is kept and never seen again, limits are kept, a model is tried."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator

import pytest
from openai_server import Canned, completion, failure, serving
from playwright.sync_api import Page, expect
from real_app import App, start_app

KEY = "sk-typed-and-never-told-0123456789"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An app of its own: what is set here would change what others begin with."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("OPENAI_API_KEY", raising=False)
        started = start_app(tmp_path_factory.mktemp("settings") / "home")
    yield started
    started.stop()
    assert KEY not in "".join(started.said)


def open_settings(page: Page, app: App, section: str) -> None:
    page.goto(f"{app.url}/settings?section={section}")
    expect(page.get_by_role("heading", name=section.capitalize())).to_be_visible()


def test_a_key_is_kept_and_is_never_in_the_page_again(page: Page, app: App):
    open_settings(page, app, "keys")
    field = page.get_by_label("Key", exact=True)
    expect(field).to_have_attribute("type", "password")
    field.fill(KEY)
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_text("kept in the data folder", exact=True)).to_be_visible()
    expect(page.get_by_text("Saved")).to_be_visible()
    expect(field).to_have_value("")
    file = app.home / "keys.json"
    assert json.loads(file.read_text()) == {"OPENAI_API_KEY": KEY}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    page.reload()
    expect(page.get_by_text("kept in the data folder", exact=True)).to_be_visible()
    assert KEY not in page.content()
    assert frames
    assert KEY not in "".join(frames)
    held = [each for each in app.home.rglob("*") if each.is_file() and KEY.encode() in each.read_bytes()]
    assert held == [file]


def test_limits_are_kept_over_a_reload_and_a_value_that_is_none_is_told(page: Page, app: App):
    open_settings(page, app, "limits")
    money = page.get_by_label("Money, dollars")
    money.fill("2.5")
    money.press("Enter")
    expect(page.get_by_text("Saved")).to_be_visible()
    turns = page.get_by_label("Turns, turns")
    turns.fill("-3")
    turns.press("Enter")
    expect(page.get_by_text("must be greater than 0")).to_be_visible()
    page.reload()
    expect(money).to_have_value("2.5")
    expect(turns).to_have_value("25")
    page.get_by_role("button", name="Back to the shipped limits").click()
    expect(money).to_have_value("5")


def test_a_model_is_tried_against_its_server_with_the_kept_key(page: Page, app: App):
    def answer(body: object, number: int) -> Canned:
        return completion("yes") if number == 0 else failure(401, f"Incorrect API key provided: {KEY}")

    with serving(answer) as served:
        open_settings(page, app, "models")
        base = page.get_by_role("textbox", name="API base")
        base.fill(served.url)
        base.press("Enter")
        expect(page.get_by_text("Both models are asked there.")).to_be_visible()
        box = page.get_by_role("combobox", name=re.compile("Root model"))
        box.click()
        box.fill("our-own")
        box.press("Enter")
        button = page.get_by_role("button", name="Try it, price unknown")
        button.click()
        expect(page.get_by_text(re.compile(r"It works: a reply in <?[\d.]+ s, 10 tokens in, 5 out"))).to_be_visible(
            timeout=60_000
        )
        assert served.requests[0]["headers"]["authorization"] in (f"Bearer {KEY}", "Bearer no-key")
        button.click()
        expect(page.get_by_text("is missing or was rejected")).to_be_visible(timeout=60_000)
    assert KEY not in page.content()


def test_the_sections_are_reached_by_click_and_by_keyboard(page: Page, app: App):
    open_settings(page, app, "models")
    page.get_by_text("Sandbox", exact=True).click()
    expect(page.get_by_role("heading", name="Sandbox")).to_be_visible()
    page.wait_for_url(re.compile("section=sandbox"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", name="Data")).to_be_visible()
    page.wait_for_url(re.compile("section=data"))
