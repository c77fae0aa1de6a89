"""Coverage in a real browser: places are chosen by click and by key, and lead to who was shown them and to the document."""

from __future__ import annotations

import re
from pathlib import Path

import covered_runs
import pytest
from covered_runs import CALL, FINDING, MINUTES, QUOTE
from playwright.sync_api import Locator, Page, expect
from real_app import App
from written_runs import QUESTION, Writer

from rlm_core.store.readings import ReadRow
from rlm_core.task import Task

DOCUMENTS = 120


@pytest.fixture(scope="module")
def run(app: App) -> str:
    return covered_runs.covered(app.home, "covered-1")


@pytest.fixture(scope="module")
def many(app: App) -> str:
    return many_documents(app.home)


def many_documents(home: Path) -> str:
    """A run that was shown the first half of its documents."""
    corpus = covered_runs.archive(
        home, {f"letters/{number:04}.txt": f"Letter {number}. " * 60 for number in range(DOCUMENTS)}
    )
    with Writer(home, "many-1", Task(QUESTION, corpus.id)) as life:
        life.turn()
        life.finish()
    rows = [
        ReadRow("f1.t1.c1", each.index, 0, each.chars, "printed", False) for each in corpus.documents[: DOCUMENTS // 2]
    ]
    covered_runs.add(home, "many-1", rows)
    return "many-1"


def open_coverage(page: Page, app: App, run: str, more: str = "") -> None:
    page.goto(f"{app.url}/run?run={run}&view=Coverage{more}")
    expect(page.locator(".coverage .row").first).to_be_visible()


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("option", name=name)


def fits_sideways(page: Page) -> bool:
    return bool(page.locator(".coverage").evaluate_all("all => all.every(it => it.scrollWidth <= it.clientWidth + 1)"))


def test_a_click_on_a_cited_mark_says_who_was_shown_it_and_leads_to_the_node(page: Page, app: App, run: str):
    open_coverage(page, app, run)
    strip = row(page, "reports/05.txt").locator(".strip")
    box = strip.bounding_box()
    assert box
    strip.click(position={"x": box["width"] * 0.99, "y": 5})
    page.wait_for_url(re.compile("document=reports"))
    expect(page.get_by_text("Who was shown lines 106–132")).to_be_visible()
    expect(page.locator(".excerpt .line")).not_to_have_count(0)
    expect(row(page, "reports/05.txt").locator(".ring")).to_be_visible()
    page.get_by_role("button", name="call 1, cell 2").click()
    page.wait_for_url(re.compile(f"node={CALL}"))
    expect(page.locator(".row .mine").first).to_be_visible()
    assert "document=" not in page.url


def test_the_figure_in_the_head_opens_the_view(page: Page, app: App, run: str):
    page.goto(f"{app.url}/run?run={run}&view=Reader")
    page.get_by_role("button", name="Coverage: 39 % of the archive shown").click()
    expect(page.locator(".coverage .row").first).to_be_visible()
    assert "view=Coverage" in page.url


def test_the_share_of_a_run_that_is_watched_grows_and_is_whole_once_it_has_ended(page: Page, app: App):
    corpus = covered_runs.archive(app.home)
    figure = page.locator(".figures > div", has_text="Coverage")
    with Writer(app.home, "watched-1", Task(QUESTION, corpus.id)) as life:
        life.turn(calls=1, hostile=f"{covered_runs.REPORT}\n")
        page.goto(f"{app.url}/run?run=watched-1&view=Reader")
        expect(figure).to_contain_text("of the archive shown so far")
        life.turn(calls=1, hostile=f"{MINUTES}\n")
        expect(figure).to_contain_text("of the archive shown so far")
        life.finish()
    expect(page.locator(".badge")).to_have_text("answered")
    expect(figure).to_contain_text(re.compile(r"Coverage>99 %of the archive shown$"))


def test_the_ring_round_a_place_at_the_end_of_the_widest_strip_is_whole(page: Page, app: App, run: str):
    open_coverage(page, app, run, "&document=reports/05.txt&char=2500")
    ring = row(page, "reports/05.txt").locator(".ring")
    expect(ring).to_be_visible()
    box, around = ring.bounding_box(), page.locator(".coverage", has=ring).bounding_box()
    assert box
    assert around
    assert box["x"] + box["width"] <= around["x"] + around["width"]


def test_in_a_low_window_strips_are_in_view_below_the_first_of_what_was_never_shown(page: Page, app: App, many: str):
    page.set_viewport_size({"width": 900, "height": 700})
    open_coverage(page, app, many)
    never = page.locator(".never button:visible")
    expect(never).to_have_count(4)
    for number in range(3):
        expect(row(page, f"letters/{number:04}.txt")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="3 more", exact=True).click()
    expect(never).to_have_count(6)
    expect(never.nth(3)).to_be_focused()


def test_what_was_never_shown_leads_to_the_document(page: Page, app: App, run: str):
    open_coverage(page, app, run)
    page.get_by_role("button", name="mail/minutes.txt whole document").click()
    expect(page.get_by_text("No model was shown any of it.")).to_be_visible()
    page.get_by_role("link", name="Open at line 1").click()
    expect(page.locator(".reader .path")).to_have_text("mail/minutes.txt")
    expect(page.locator(".reader .line.never")).to_have_count(1)
    expect(page.locator(".reader .legend")).to_contain_text("never shown to any model")
    assert MINUTES[:24] in (page.locator(".reader .line").first.text_content() or "")


def test_arrow_keys_go_through_documents_and_their_marks(page: Page, app: App, run: str):
    open_coverage(page, app, run)
    row(page, "mail/minutes.txt").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(row(page, "reports/05.txt")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caret [role=status]")).to_have_text("never shown: 1,000 characters, mark 1 of 2")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caret [role=status]")).to_have_text("cited: A12: yes, mark 2 of 2")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("document=reports"))
    expect(page.get_by_text("Who was shown lines 106–132")).to_be_visible()


def test_a_finding_shows_its_deciding_words_and_its_document_has_a_rule_beside_them(page: Page, app: App, run: str):
    open_coverage(page, app, run, f"&node={FINDING}")
    expect(page.locator(".excerpt mark.quote")).to_have_text(QUOTE)
    expect(page.get_by_text("Where it lies in the archive").first).to_be_visible()
    page.goto(f"{app.url}/evidence?run={run}&finding={FINDING}&shown_to={CALL}")
    expect(page.locator(".reader .line.mine mark.quote")).to_have_text(QUOTE)
    expect(page.locator(".reader .legend")).to_contain_text("shown to call 1 of cell 2: lines 106–132")


def test_of_many_documents_a_page_is_drawn_and_the_chosen_one_is_on_it(page: Page, app: App, many: str):
    open_coverage(page, app, many)
    expect(page.locator(".coverage .row")).to_have_count(50)
    expect(page.locator(".legend .count")).to_have_text(f"{DOCUMENTS} documents, {DOCUMENTS // 2} never read")
    expect(page.get_by_text(re.compile("^6 of 60 places are listed"))).to_be_visible()
    page.get_by_role("radio", name="not all shown").or_(page.get_by_role("button", name="not all shown")).first.click()
    expect(page.locator(".legend .count")).to_have_text(
        f"{DOCUMENTS // 2} of {DOCUMENTS} documents were not shown whole"
    )
    open_coverage(page, app, many, "&document=letters/0110.txt&char=0")
    expect(row(page, "0110.txt")).to_be_in_viewport()


@pytest.mark.parametrize("width", [1440, 900])
def test_nothing_is_cut_off_sideways(page: Page, app: App, run: str, width: int):
    page.set_viewport_size({"width": width, "height": 700})
    open_coverage(page, app, run)
    assert fits_sideways(page)


def test_the_table_says_the_same_as_the_strips(page: Page, app: App, run: str):
    open_coverage(page, app, run)
    page.get_by_test_id("stCheckbox").filter(has_text="Table").locator("label").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(page.get_by_text("Click a row to select the document")).to_be_visible()
