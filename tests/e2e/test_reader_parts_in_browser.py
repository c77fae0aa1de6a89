"""What the reader shows of a cell in a real browser: what it left behind, its findings, its failures, and an output in pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from real_app import App
from written_runs import FINDINGS, Writer

RUN = "parts-1"
CELL = "f1.t2.c1"
OUTPUT = "".join(f"line {number}: {'wet again' if number % 1000 == 700 else 'dry'}\n" for number in range(40_000))


@pytest.fixture(scope="module")
def written(app: App) -> str:
    """Three hundred turns, with failures on the first and on the last page, and a cell that printed half a megabyte."""
    variables = tuple(
        {"name": f"rooms_{number}", "type": "list", "size": number, "preview": "['A12']", "change": "new"}
        for number in range(9)
    )
    with Writer(app.home, RUN) as life:
        for number in range(1, 301):
            error = "NameError: name 'x' is not defined" if number in (5, 290) else None
            if number == 2:
                life.turn(output=OUTPUT, findings=FINDINGS, variables=variables)
            else:
                life.turn(error=error)
        life.finish()
    return RUN


@pytest.fixture
def reader(page: Page, app: App, written: str) -> Page:
    page.goto(f"{app.url}/run?run={written}&view=Reader")
    expect(block(page, CELL)).to_be_attached()
    return page


def block(page: Page, span: str) -> Locator:
    return page.locator(f".run-reader section[data-id='{span}']")


def expect_selected(page: Page, span: str) -> None:
    expect(page).to_have_url(re.compile(rf"[?&]node={re.escape(span)}(&|$)"))


def test_variables_and_findings_stand_with_their_cell_and_failures_are_gone_through_over_all_pages(reader: Page):
    variables = block(reader, CELL).locator(".variables-part")
    expect(variables.locator(".variable")).to_have_count(4)
    variables.get_by_role("button", name="show them").click()
    expect(variables.locator(".variable")).to_have_count(9)
    assert "node=" not in reader.url
    finding = block(reader, f"{CELL}/findings").locator(".finding").first
    expect(finding).to_contain_text("A12")
    finding.click()
    expect_selected(reader, f"{CELL}.r1")
    expect(finding).to_have_class(re.compile("chosen"))
    expect(reader.locator(".st-key-pane-inspector")).to_contain_text("A12: yes")
    reader.get_by_role("button", name="next failure (1 of 2)").click()
    expect_selected(reader, "f1.t5.c1")
    reader.get_by_role("button", name="next failure (2 of 2)").click()
    expect_selected(reader, "f1.t290.c1")
    expect(block(reader, "f1.t290.c1")).to_be_in_viewport()
    expect(reader.get_by_role("button", name="first failure again (1 of 2)")).to_be_visible()
    reader.keyboard.press("K")
    expect_selected(reader, "f1.t5.c1")
    expect(block(reader, "f1.t5.c1")).to_be_in_viewport()
    reader.keyboard.press("J")
    expect_selected(reader, "f1.t290.c1")


def test_an_output_of_half_a_megabyte_is_read_in_pages_searched_and_saved(reader: Page):
    sent: list[int] = []
    reader.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(len(frame))))
    reader.reload()
    output = block(reader, CELL).locator(".output-part")
    output.scroll_into_view_if_needed()
    output.get_by_role("button", name=f"search in all {len(OUTPUT):,} characters").click()
    expect_selected(reader, CELL)
    page = reader.locator(".text-page")
    expect(page).to_contain_text("line 0: dry")
    expect(reader.get_by_role("button", name="Back to the run")).to_be_in_viewport()
    field = reader.get_by_role("textbox", name="Find in this text")
    field.fill("WET AGAIN")
    field.press("Enter")
    expect(reader.get_by_text("1 of 40", exact=True)).to_be_visible()
    expect(page.locator("mark.chosen")).to_be_in_viewport()
    expect(page).to_contain_text("line 700: wet again")
    reader.get_by_role("button", name="keyboard_arrow_down").or_(reader.locator(".st-key-text-1 button")).first.click()
    expect(reader.get_by_text("2 of 40", exact=True)).to_be_visible()
    expect(page).to_contain_text("line 1700: wet again")
    expect(page.locator("mark.chosen")).to_be_in_viewport()
    with reader.expect_download() as saved:
        reader.get_by_role("link", name="Save as text").click()
    assert saved.value.suggested_filename == f"output of {CELL} of {RUN}.txt"
    assert Path(saved.value.path()).read_text(encoding="utf-8") == OUTPUT
    assert 0 < max(sent) < 300_000  # never the whole of it
    reader.get_by_role("button", name="Back to the run").click()
    expect(block(reader, CELL)).to_be_in_viewport()
    expect_selected(reader, CELL)
