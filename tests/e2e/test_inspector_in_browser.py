"""From a mark in the answer to its source, and from a box of the icicle to its inspector, in a real browser."""

from __future__ import annotations

import re

import written_runs
from playwright.sync_api import Page, expect
from real_app import App

CALL = "f1.t3.c1.k11"


def open_run(page: Page, app: App, run: str = "sample", **query: str) -> None:
    page.goto(f"{app.url}/run?run={run}" + "".join(f"&{name}={value}" for name, value in query.items()))
    expect(page.locator(".question")).to_be_visible()


def test_a_mark_in_the_answer_leads_to_its_finding_and_on_to_the_source(page: Page, app: App):
    open_run(page, app)
    mark = page.get_by_role("button", name=re.compile("^Evidence 3: A12: yes"))
    expect(mark).to_have_text("3")
    mark.click()
    page.wait_for_url(re.compile(r"node=f1\.t3\.c1\.r11"))
    expect(mark).to_have_attribute("aria-pressed", "true")
    inspector = page.locator(".st-key-pane-inspector")
    expect(inspector.get_by_text("“Dripped again after heavy rain, same beam.”")).to_be_visible()
    expect(inspector.get_by_text("cited as 3")).to_be_visible()
    inspector.get_by_role("link", name="Show in document").click()
    page.wait_for_url(re.compile(r"/evidence\?run=sample&finding=f1\.t3\.c1\.r11"))


def test_a_call_shows_prompt_reply_and_cost_and_the_brackets_walk_on(page: Page, app: App):
    open_run(page, app, node=CALL)
    inspector = page.locator(".st-key-pane-inspector")
    expect(inspector.get_by_text("Decide it for each item below").first).to_be_visible()
    expect(inspector.get_by_text("Dripped again after heavy rain, same beam.").first).to_be_visible()
    expect(inspector.get_by_text("free: nothing is charged")).to_be_visible()
    expect(inspector.get_by_text("call 11 of 212 in cell 3")).to_be_visible()
    page.keyboard.press("]")
    page.wait_for_url(re.compile(r"node=f1\.t3\.c1\.k12"))
    expect(inspector.get_by_text("call 12 of 212 in cell 3")).to_be_visible()
    page.keyboard.press("[")
    page.wait_for_url(re.compile(r"node=f1\.t3\.c1\.k11"))
    expect(inspector.get_by_text("call 11 of 212 in cell 3")).to_be_visible()
    page.keyboard.press("e")
    page.wait_for_url(re.compile(r"/evidence\?run=sample&finding=f1\.t3\.c1\.r11"))


def test_the_question_mark_opens_the_table_of_keys_and_escape_closes_it(page: Page, app: App):
    open_run(page, app)
    page.get_by_role("button", name="? Keys").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("open the evidence of what is selected")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def boxes(page: Page):
    """The bars of the icicle as they are drawn, by their places in its order."""
    chart = page.get_by_test_id("stPlotlyChart")
    expect(chart.locator(".bars .point path").first).to_be_visible()
    return chart.locator(".bars .point path")


def frame(page: Page):
    return page.get_by_test_id("stPlotlyChart").locator(".shapelayer path")


def test_a_click_in_the_icicle_moves_the_selection_once_and_what_is_selected_elsewhere_is_framed(page: Page, app: App):
    frames: list[object] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    written_runs.answered(app.home, "icicle-run")
    open_run(page, app, "icicle-run", view="Icicle")
    inspector = page.locator(".st-key-pane-inspector")
    for number, node, title in ((1, "f1.t2", "Turn 2"), (3, "f1.t2.c1", "Cell 2"), (1, "f1.t2", "Turn 2")):
        box = boxes(page).nth(number).bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_url(re.compile(rf"node={re.escape(node)}(&|$)"))
        expect(inspector.locator(".st-key-node-head")).to_contain_text(title)
        expect(frame(page)).to_have_count(1)
    assert frames
    page.wait_for_timeout(1_000)
    frames.clear()
    page.wait_for_timeout(2_000)
    assert frames == []  # a drawn selection sends nothing back
    inspector.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url(re.compile("node=run"))
    expect(inspector.locator(".st-key-node-head")).to_contain_text("Run")
    box = boxes(page).nth(1).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(re.compile(r"node=f1\.t2(&|$)"))
    expect(inspector.locator(".st-key-node-head")).to_contain_text("Turn 2")


def click_row(page: Page, table, number: int) -> None:
    """Click a row of a table, the first being 1."""
    expect(table.locator("canvas").first).to_be_visible()
    box = table.bounding_box()
    assert box
    page.mouse.click(box["x"] + 60, box["y"] + 32 + 30 * number - 12)


def test_a_member_is_chosen_in_the_table_of_its_group_and_the_way_back_holds(page: Page, app: App):
    open_run(page, app, node="f1.t3.c1.g1")
    inspector = page.locator(".st-key-pane-inspector")
    click_row(page, inspector.get_by_test_id("stDataFrame"), 2)
    page.wait_for_url(re.compile(r"node=f1\.t3\.c1\.k4(&|$)"))
    expect(inspector.get_by_text("call 4 of 212 in cell 3")).to_be_visible()
    inspector.get_by_role("button", name=re.compile("×150")).click()
    page.wait_for_url(re.compile(r"node=f1\.t3\.c1\.g1(&|$)"))
    expect(inspector.get_by_text("150 ok")).to_be_visible()
    page.wait_for_timeout(1_500)
    assert "node=f1.t3.c1.g1" in page.url


def test_a_row_of_the_findings_selects_its_finding(page: Page, app: App):
    open_run(page, app, view="Findings")
    centre = page.locator(".st-key-pane-centre")
    click_row(page, centre.get_by_test_id("stDataFrame"), 3)
    page.wait_for_url(re.compile(r"node=f1\.t3\.c1\.r11(&|$)"))
    expect(page.locator(".st-key-pane-inspector").get_by_text("A12: yes")).to_be_visible()


def test_what_is_open_in_the_inspector_outlives_the_seconds_of_a_live_run(page: Page, app: App):
    with written_runs.running(app.home, "live-inspector"):
        open_run(page, app, "live-inspector", node="f1.t1.c1")
        inspector = page.locator(".st-key-pane-inspector")
        inspector.get_by_role("tab", name="Out").click()
        expect(inspector.get_by_text("4 characters").or_(inspector.get_by_text("8 characters"))).to_be_visible()
        page.wait_for_timeout(3_500)
        expect(inspector.get_by_role("tab", name="Out")).to_have_attribute("aria-selected", "true")
        height = page.locator(".header").bounding_box()
        page.wait_for_timeout(2_500)
        assert page.locator(".header").bounding_box() == height
