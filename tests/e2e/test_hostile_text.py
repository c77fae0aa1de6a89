"""Text that tries to act is looked at in a real browser: it stays text, and nothing is fetched for it."""

from __future__ import annotations

import written_runs
from playwright.sync_api import Page, expect
from real_app import App

DANGER = "<script>alert(1)</script> ![x](http://evil.example/x.png) **bold** $x$ :red[a] :material/home:"


def test_hostile_text_stays_text_and_fetches_nothing(page: Page, app: App):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    written_runs.hostile(app.home)
    page.goto(f"{app.url}/run?run=hostile-1")
    expect(page.locator(".question")).to_contain_text(DANGER)
    expect(page.locator(".answer")).to_contain_text(DANGER)
    page.get_by_text("Prompt and reply as sent").click()
    page.get_by_text("×2 calls").click()
    expect(page.get_by_text("Tick a call to read its prompt and reply.")).to_be_visible()
    for test_id in ("stText", "stCode"):
        expect(page.get_by_test_id(test_id).filter(has_text=DANGER).first).to_be_visible()
    pictures = page.locator("img").evaluate_all("images => images.map(each => each.getAttribute('src'))")
    assert pictures
    outside = [each for each in pictures if not each.startswith(("/assets/", "/media/", app.url, "data:"))]
    assert outside == []
    assert page.locator("strong", has_text="bold").count() == 0
    assert page.locator("a[href*='//b'], a[href*='evil']").count() == 0
    assert dialogs == []


def test_a_message_that_names_a_model_shows_the_name_as_it_is(page: Page, app: App):
    page.goto(app.url)
    page.get_by_role("radio", name="Sample").click()
    box = page.get_by_role("combobox", name="Root model")
    box.click()
    box.fill("openai/**gpt** :material/home: $x$")
    box.press("Enter")
    page.get_by_role("textbox", name="API base").fill("http://127.0.0.1:9/v1")
    page.get_by_role("textbox", name="API base").press("Enter")
    said = page.get_by_test_id("stCaptionContainer").filter(has_text="The window of")
    expect(said).to_contain_text("openai/**gpt** :material/home: $x$ is not known here")
