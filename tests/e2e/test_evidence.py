"""A quote opens its document at the highlighted place, in a real browser: by click, by key, by strip and by search."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect
from real_app import App


def open_evidence(page: Page, app: App, **query: str) -> None:
    more = "".join(f"&{name}={value}" for name, value in query.items())
    page.goto(f"{app.url}/evidence?run=sample{more}")
    expect(page.locator(".reader .line").first).to_be_visible()


def quote(page: Page) -> Locator:
    return page.locator(".reader .line mark.quote").first


def chosen(page: Page) -> Locator:
    return page.locator(".findings .row.chosen .item")


def narrow(page: Page, item: str) -> None:
    page.get_by_role("searchbox", name="Search findings by item").fill("")
    page.get_by_role("searchbox", name="Search findings by item").press_sequentially(item)


def test_a_quote_is_highlighted_in_sight_and_a_reload_keeps_it(page: Page, app: App):
    open_evidence(page, app)
    expect(chosen(page)).to_have_count(1)
    expect(quote(page)).to_be_in_viewport(ratio=0.9)
    said = quote(page).text_content() or ""
    expect(page.get_by_text(f"“{said}”")).to_be_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    page.locator(".findings .row").nth(4).click()
    expect(quote(page)).not_to_have_text(said)
    page.wait_for_url(re.compile("finding="))
    expect(quote(page)).to_be_in_viewport(ratio=0.9)
    after = quote(page).text_content() or ""
    item = chosen(page).text_content() or ""
    page.reload()
    expect(quote(page)).to_have_text(after)
    expect(quote(page)).to_be_in_viewport(ratio=0.9)
    expect(chosen(page)).to_have_text(item)


def test_the_next_and_the_previous_finding_are_a_key_away(page: Page, app: App):
    open_evidence(page, app)
    items = page.locator(".findings .row .item")
    expect(chosen(page)).to_have_text(items.nth(0).text_content() or "")
    page.keyboard.press("j")
    expect(chosen(page)).to_have_text(items.nth(1).text_content() or "")
    expect(
        page.get_by_test_id("stMarkdownContainer").filter(has_text=items.nth(1).text_content() or "")
    ).to_be_visible()
    page.keyboard.press("j")
    expect(chosen(page)).to_have_text(items.nth(2).text_content() or "")
    page.keyboard.press("k")
    expect(chosen(page)).to_have_text(items.nth(1).text_content() or "")
    expect(quote(page)).to_be_in_viewport(ratio=0.9)
    page.locator(".findings .row.chosen").focus()
    page.keyboard.press("ArrowDown")
    expect(chosen(page)).to_have_text(items.nth(2).text_content() or "")


def test_the_list_is_narrowed_and_keys_follow_what_is_left(page: Page, app: App):
    open_evidence(page, app)
    page.locator(".findings .filter", has_text="unknown").click()
    expect(page.locator(".findings .count")).to_have_text(re.compile(r"^\d+ of 212$"))
    page.wait_for_url(re.compile("label=unknown"))
    expect(chosen(page)).to_have_count(0)
    finding = parse_qs(urlsplit(page.url).query)["finding"][0]
    narrow(page, "jk")
    expect(page.locator(".findings .none")).to_have_text("No finding is like this.")
    assert f"finding={finding}" in page.url, "j and k are letters here"
    narrow(page, "B")
    expect(page.locator(".findings .row").first).to_be_visible()
    page.wait_for_url(re.compile("item=B"))
    page.get_by_role("button", name="Next").click()
    expect(chosen(page)).to_have_text(page.locator(".findings .row .item").first.text_content() or "")


def test_words_are_found_in_the_document_one_after_the_other(page: Page, app: App):
    open_evidence(page, app, document="reports/2021-05.txt", line="1")
    words = page.get_by_role("searchbox", name="Find in document")
    words.press_sequentially("room")
    found = page.locator(".reader .found")
    expect(found).to_have_text(re.compile(r"^1 of \d+$"))
    hit = page.locator(".reader mark.hit")
    expect(hit).to_be_in_viewport(ratio=0.9)
    expect(hit).to_have_text(re.compile("room", re.IGNORECASE))
    words.press("Enter")
    expect(found).to_have_text(re.compile("^2 of"))
    expect(hit).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Previous hit").click()
    expect(found).to_have_text(re.compile("^1 of"))
    page.reload()
    expect(found).to_have_text(re.compile("^1 of"))
    expect(hit).to_be_in_viewport(ratio=0.9)
    words.fill("")
    words.press_sequentially("jkjk")
    expect(found).to_have_text("not in this document")
    expect(page).to_have_url(re.compile("document=reports"))
    words.fill("")
    expect(found).to_have_text("")


def test_the_strip_and_the_buttons_lead_through_the_document(page: Page, app: App):
    open_evidence(page, app, document="reports/2021-05.txt", line="300")
    in_sight = page.locator(".reader .range")
    expect(page.locator(".reader .current i")).to_have_text("300")
    page.get_by_role("button", name=re.compile("earlier lines$")).click()
    expect(page.locator(".reader .current i")).to_have_text("239")
    page.get_by_role("button", name=re.compile("later lines$")).click()
    expect(page.locator(".reader .current i")).to_have_text("300")
    strip = page.locator(".reader .strip")
    box = strip.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.9)
    expect(in_sight).to_have_text(re.compile(r"^lines (5|6)\d\d"))
    page.wait_for_url(re.compile("line=6"))
    strip.locator("input").press("Home")
    expect(in_sight).to_have_text(re.compile("^lines 1–"))
    expect(page.locator(".reader .line i").first).to_have_text("1")


def test_the_finding_is_shown_in_its_run(page: Page, app: App):
    open_evidence(page, app)
    page.get_by_role("link", name="Show in the run").click()
    page.wait_for_url(re.compile(r"/run\?run=sample&node="))


def test_a_narrow_window_shows_text_quote_and_list(page: Page, app: App):
    page.set_viewport_size({"width": 900, "height": 700})
    open_evidence(page, app)
    expect(quote(page)).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("button", name="Next")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".findings .row").nth(2)).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
