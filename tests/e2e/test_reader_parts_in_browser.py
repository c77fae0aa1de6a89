"""What the reader shows of a cell in a real browser: what it left behind, its findings, its failures, and an output in pages."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect
from real_app import App
from written_runs import CODE, FINDINGS, Writer

RUN, LONG = "parts-1", "parts-2"
CELL = "f1.t2.c1"
OUTPUT = "".join(f"line {number}: {'wet again' if number % 1000 == 700 else 'dry'}\n" for number in range(40_000))


def long_run(app: App) -> None:
    """Two pages of turns with a failure on each, and a cell that leaves something behind."""
    variables = tuple(
        {"name": f"rooms_{number}", "type": "list", "size": number, "preview": "['A12']", "change": "new"}
        for number in range(9)
    )
    with Writer(app.home, RUN) as life:
        for number in range(1, 156):
            error = "NameError: name 'x' is not defined" if number in (5, 153) else None
            recorded = {"findings": FINDINGS, "variables": variables} if number == 2 else {}
            life.turn(code=f"nowhere_{number}()" if error else CODE, error=error, **recorded)
        life.finish()


def block(page: Page, span: str) -> Locator:
    return page.locator(f".run-reader section[data-id='{span}']")


def expect_selected(page: Page, span: str) -> None:
    expect(page).to_have_url(re.compile(rf"[?&]node={re.escape(span)}(&|$)"))


def test_variables_and_findings_stand_with_their_cell_and_failures_are_gone_through_over_all_pages(
    page: Page, app: App
):
    long_run(app)
    page.goto(f"{app.url}/run?run={RUN}&view=Reader")
    variables = block(page, CELL).locator(".variables-part")
    expect(variables.locator(".variable")).to_have_count(4)
    variables.get_by_role("button", name="show them").click()
    expect(variables.locator(".variable")).to_have_count(9)
    assert "node=" not in page.url
    finding = block(page, f"{CELL}/findings").locator(".finding").first
    expect(finding).to_contain_text("A12")
    finding.click()
    expect_selected(page, f"{CELL}.r1")
    expect(finding).to_have_class(re.compile("chosen"))
    expect(page.locator(".st-key-pane-inspector")).to_contain_text("A12: yes")
    page.get_by_role("button", name="next failure (1 of 2)").click()
    expect_selected(page, "f1.t5.c1")
    page.get_by_role("button", name="next failure (2 of 2)").click()
    expect_selected(page, "f1.t153.c1")
    expect(block(page, "f1.t153.c1")).to_be_in_viewport()
    expect(page.get_by_role("button", name="first failure again (1 of 2)")).to_be_visible()
    page.keyboard.press("K")
    expect_selected(page, "f1.t5.c1")
    expect(block(page, "f1.t5.c1")).to_be_in_viewport()
    page.keyboard.press("J")
    expect_selected(page, "f1.t153.c1")


def test_an_output_of_half_a_megabyte_is_read_in_pages_searched_and_saved(page: Page, app: App):
    with Writer(app.home, LONG) as life:
        life.turn()
        life.turn(output=OUTPUT)
        life.finish()
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(len(frame))))
    page.goto(f"{app.url}/run?run={LONG}&view=Reader")
    output = block(page, CELL).locator(".output-part")
    output.scroll_into_view_if_needed()
    output.get_by_role("button", name=f"search in all {len(OUTPUT):,} characters").click()
    expect_selected(page, CELL)
    shown = page.locator(".text-page")
    expect(shown).to_contain_text("line 0: dry")
    expect(page.get_by_role("button", name="Back to the run")).to_be_in_viewport()
    field = page.get_by_role("textbox", name="Find in this text")
    field.fill("WET AGAIN")
    field.press("Enter")
    expect(page.get_by_text("1 of 40", exact=True)).to_be_visible()
    expect(shown.locator("mark.chosen")).to_be_in_viewport()
    expect(shown).to_contain_text("line 700: wet again")
    page.locator(".st-key-text-ways").get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_text("2 of 40", exact=True)).to_be_visible()
    expect(shown).to_contain_text("line 1700: wet again")
    expect(shown.locator("mark.chosen")).to_be_in_viewport()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as text").click()
    assert saved.value.suggested_filename == f"output of {CELL} of {LONG}.txt"
    assert Path(saved.value.path()).read_text(encoding="utf-8") == OUTPUT
    assert 0 < max(sent) < 300_000  # never the whole of it
    page.get_by_role("button", name="Back to the run").click()
    expect(block(page, CELL)).to_be_in_viewport()
    expect_selected(page, CELL)
