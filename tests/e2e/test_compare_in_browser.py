"""Two strategies asked the same, and their runs side by side, in a real browser with the real worker."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect
from real_app import App

from rlm_core.jobs.asking import load_archive, sample_question, start
from rlm_core.samples import sample
from rlm_core.store.store import Store
from rlm_core.task import Task


@pytest.fixture(scope="module")
def asked(app: App) -> tuple[str, str]:
    """The sample's question, given to the worker in two ways."""
    store = Store.open(app.home)
    corpus, _ = load_archive(store, sample())
    base, rlm = (start(store, Task(sample_question(), corpus.id, strategy)) for strategy in ("base", "rlm"))
    store.close()
    return base, rlm


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def open_comparison(page: Page, app: App, runs: tuple[str, str]) -> None:
    page.goto(f"{app.url}/compare?runs={','.join(runs)}")
    expect(page.get_by_role("heading", name="Same answer, same rooms")).to_be_visible(timeout=60_000)


def test_runs_are_followed_until_both_have_answered_and_then_left_alone(page: Page, app: App, asked: tuple[str, str]):
    frames: list[object] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    open_comparison(page, app, asked)
    rows = page.locator(".runs tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("212 of 212")
    expect(page.get_by_text("50 of 212 shown, show 50 more")).to_be_visible()
    page.wait_for_timeout(3_000)
    assert frames
    frames.clear()
    page.wait_for_timeout(3_000)
    assert frames == []


def test_the_filter_and_the_swap_are_in_the_address_and_survive_a_reload(page: Page, app: App, asked: tuple[str, str]):
    open_comparison(page, app, asked)
    page.get_by_role("radio", name=re.compile("^agree")).click()
    page.wait_for_url(re.compile("show=agree"))
    page.get_by_role("button", name="Swap A and B").click()
    page.wait_for_url(re.compile(f"runs={asked[1]}"))
    expect(page.locator(".runs tr").nth(1)).to_contain_text("rlm depth 1")
    page.reload()
    expect(page.get_by_role("radio", name=re.compile("^agree"))).to_be_checked()
    assert query(page) == {"runs": [f"{asked[1]},{asked[0]}"], "show": ["agree"]}


def test_a_quote_opens_its_evidence_and_a_run_its_page(page: Page, app: App, asked: tuple[str, str]):
    open_comparison(page, app, asked)
    recorded = page.locator("tr", has_text="A05").locator("td.said").nth(1).get_by_role("link")
    expect(recorded).to_contain_text("Dripped again after heavy rain")
    recorded.click()
    page.wait_for_url(re.compile("/evidence"))
    assert query(page)["run"] == [asked[1]]
    assert "finding" in query(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Same answer, same rooms")).to_be_visible()
    listed = page.locator("tr", has_text="A05").locator("td.said").first.get_by_role("link")
    listed.click()
    page.wait_for_url(re.compile("/evidence"))
    assert {*query(page)} >= {"run", "document", "line", "start", "end"}
    expect(page.locator(".reader mark.quote").first).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_text("Quoted in the answer of this run")).to_be_visible()
    page.get_by_role("link", name="Back to the comparison").click()
    page.wait_for_url(re.compile(r"/compare\?runs="))
    expect(page.get_by_role("heading", name="Same answer, same rooms")).to_be_visible()
    page.locator(".runs").get_by_role("link", name="base").click()
    page.wait_for_url(re.compile(f"/run\\?run={asked[0]}"))


def test_from_a_finding_the_way_leads_back_to_its_run_which_still_knows_the_other(
    page: Page, app: App, asked: tuple[str, str]
):
    open_comparison(page, app, asked)
    page.locator("tr", has_text="A05").locator("td.said").nth(1).get_by_role("link").click()
    page.wait_for_url(re.compile("/evidence"))
    finding = query(page)["finding"]
    page.get_by_role("link", name="Back to the run").click()
    page.wait_for_url(re.compile("/run"))
    found = query(page)
    assert (found["run"], found["with"], found["node"]) == ([asked[1]], [asked[0]], finding)


def test_the_head_of_the_items_stays_in_sight(page: Page, app: App, asked: tuple[str, str]):
    open_comparison(page, app, asked)
    row = page.locator(".pairs tbody tr").nth(40)
    row.evaluate("row => row.scrollIntoView({ block: 'center' })")
    expect(row).to_be_in_viewport()
    expect(page.locator(".pairs thead")).to_be_in_viewport(ratio=0.9)


def test_more_rows_are_shown_on_request_and_the_table_has_them_all(page: Page, app: App, asked: tuple[str, str]):
    open_comparison(page, app, asked)
    expect(page.locator(".pairs tbody tr")).to_have_count(50)
    page.get_by_role("button", name="50 of 212 shown, show 50 more").press("Enter")
    expect(page.locator(".pairs tbody tr")).to_have_count(100)
    page.get_by_role("button", name="table").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.wait_for_url(re.compile("as=table"))


def test_without_an_address_two_runs_are_picked_and_compared(page: Page, app: App, asked: tuple[str, str]):
    open_comparison(page, app, asked)
    page.goto(f"{app.url}/compare")
    expect(page.get_by_text(sample_question()).first).to_be_visible()
    page.get_by_role("link", name=re.compile("^Compare 2")).first.click()
    page.wait_for_url(re.compile(r"/compare\?runs="))
    expect(page.get_by_role("heading", name=re.compile("rooms"))).to_be_visible()


def test_a_run_is_added_and_taken_out_again(page: Page, app: App, asked: tuple[str, str]):
    open_comparison(page, app, asked)
    page.get_by_role("button", name="Add a run").click()
    page.get_by_test_id("stPopoverBody").get_by_role("link").first.click()
    rows = page.locator(".runs tr")
    expect(rows).to_have_count(4)
    page.get_by_role("button", name="Take A out of the comparison").click()
    expect(rows).to_have_count(3)
    runs = query(page)["runs"][0].split(",")
    assert runs[0] == asked[1]
    assert len(runs) == 2


def test_an_item_is_decided_with_a_label_and_stays_so_and_is_taken_back(page: Page, app: App, asked: tuple[str, str]):
    open_comparison(page, app, asked)
    row = page.locator(".pairs tbody tr").first
    row.get_by_role("button", name=re.compile("A is right")).click()
    label = row.get_by_role("textbox")
    label.fill("perhaps")
    label.press("Enter")
    expect(page.get_by_text("You decided", exact=False)).to_be_visible()
    page.reload()
    expect(row.get_by_role("textbox")).to_have_value("perhaps")
    row.get_by_role("button", name=re.compile("A is right")).click()
    expect(row.get_by_role("textbox")).to_have_count(0)


def test_the_first_difference_of_the_steps_is_a_press_away(page: Page, app: App, asked: tuple[str, str]):
    page.goto(f"{app.url}/compare?runs={','.join(asked)}&part=steps")
    page.get_by_role("button", name="First difference").click(timeout=60_000)
    page.wait_for_url(re.compile("step="))
    expect(page.locator(".steps tr.selected")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Open in"))).not_to_have_count(0)
