"""The timeline of a run in a real browser: one selection, a table beside it, and a run that goes on meanwhile."""

from __future__ import annotations

import re

from large_runs import begun_run
from playwright.sync_api import Locator, Page, expect
from real_app import App

from rlm_core import events as ev


def strips(page: Page) -> Locator:
    """The bars of the timeline as they are drawn."""
    found = page.get_by_test_id("stPlotlyChart").locator(".bars .point path")
    expect(found.first).to_be_visible()
    return found


def frame(page: Page) -> Locator:
    """What shows the selected strip, above all others."""
    return page.get_by_test_id("stPlotlyChart").locator(".layer-above .shapelayer path[style*='stroke-width: 2.5px']")


def chosen(page: Page, span: str) -> None:
    expect(page).to_have_url(re.compile(rf"node={re.escape(span)}(&|$)"))
    expect(page.locator(f".folded-tree .row[data-id='{span}']")).to_have_attribute("aria-selected", "true")


NOW = """[...document.querySelectorAll('[data-testid=stPlotlyChart] .shapelayer path')]
  .find(each => each.style.strokeDasharray)?.getBoundingClientRect().x"""


FIRST = """(() => { const box = document.querySelector('[data-testid=stPlotlyChart] .bars .point path')?.getBoundingClientRect()
  const end = document.querySelector('[data-testid=stPlotlyChart] .js-plotly-plot')?.layout.xaxis.range[1]
  return box?.width ? [end, ...[box.x, box.y, box.width, box.height].map(Math.round)] : null })()"""


def first_strip(page: Page) -> tuple[float, list[int]]:
    """How much time there is room for, and where the first strip stands, whenever it is not just being drawn anew."""
    end, *box = page.wait_for_function(f"() => {FIRST}").json_value()
    return end, box


def now_at(page: Page) -> float:
    """Where the line of now stands."""
    page.wait_for_function(f"() => {NOW}")
    found: float = page.evaluate(NOW)
    return found


def test_a_strip_selects_and_what_is_selected_elsewhere_has_a_frame(page: Page, app: App):
    page.goto(f"{app.url}/run?run=sample&view=Timeline")
    expect(page.get_by_text("of the time")).to_be_visible()
    assert strips(page).count() < 400
    order = page.get_by_test_id("stPlotlyChart").evaluate("it => it.querySelector('.js-plotly-plot').data[0].ids")
    cell = order.index("f1.t3.c1")
    box = strips(page).nth(cell).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    chosen(page, "f1.t3.c1")
    expect(frame(page)).to_have_count(1)
    before = frame(page).bounding_box()
    page.locator(".folded-tree .row[data-id='f1.t1']").click()
    chosen(page, "f1.t1")
    expect(page.locator(".st-key-pane-inspector .st-key-node-head")).to_contain_text("Turn 1")
    expect(frame(page)).to_have_count(1)
    page.wait_for_function(
        "([frame, x]) => Math.abs(frame.getBoundingClientRect().x - x) > 1",
        arg=[frame(page).element_handle(), before["x"]],
    )
    page.get_by_text("Table", exact=True).click()
    table = page.locator(".st-key-pane-centre").get_by_test_id("stDataFrame")
    expect(table.locator("canvas").first).to_be_visible()
    box = table.bounding_box()
    assert box
    page.mouse.click(box["x"] + 60, box["y"] + 32 + 15)
    chosen(page, "f1.t1")


def test_a_run_that_goes_on_moves_no_strip_and_ends_at_now(page: Page, app: App):
    with begun_run(app.home, "timed-1", 300, "mixed") as run:
        turn = "f1.t900"
        run.emit(turn, "f1", ev.TurnStarted(900))
        run.emit(f"{turn}.k1", turn, ev.CallStarted("root", "demo", ()))
        page.goto(f"{app.url}/run?run=timed-1&view=Timeline")
        expect(page.get_by_text(re.compile("so far: "))).to_contain_text("1 call under way.")
        end, before = first_strip(page)
        now = now_at(page)
        page.wait_for_function(f"now => {NOW} > now + 2 || {FIRST}?.[0] > {end}", arg=now)
        later, after = first_strip(page)
        assert later > end or after == before  # nothing moves but when there is no more room for time to go on
        run.emit(f"{turn}.k1", turn, ev.CallFinished("ok", "Done."))
        expect(page.get_by_text(re.compile("so far: "))).to_contain_text("0 calls under way.")
        latest, at_last = first_strip(page)
        assert latest > later or at_last == after
