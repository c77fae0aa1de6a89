"""The recursion graph in a real browser: what is clicked is in the address, and nobody's view is taken away."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Locator, Page, expect
from real_app import App
from written_runs import FINDINGS, HOSTILE, Writer, hostile, running

CELL = "f1.t2.c1"
GROUP = f"{CELL}.g1"
HELD_MS = 600
"""Longer than a tap lasts for vis-network."""


@pytest.fixture(scope="module")
def wide(app: App) -> str:
    """Three turns, of which the second asked 120 helpers; two calls failed."""
    with Writer(app.home, "wide-1") as life:
        life.turn()
        life.turn("I ask a helper about every room.", calls=120, failed_calls=2, findings=FINDINGS)
        life.turn("I count.", calls=3)
        life.finish(answer="1 room: A12.\nAll others are dry.")
    return "wide-1"


def open_graph(page: Page, app: App, run: str, **query: str) -> Locator:
    more = "".join(f"&{name}={value}" for name, value in query.items())
    page.goto(f"{app.url}/run?run={run}{more}")
    return drawn(page)


def drawn(page: Page) -> Locator:
    graph = page.locator(".graph")
    expect(graph.locator(".count")).to_have_text(re.compile("nodes"))
    graph.evaluate("it => it.scrollIntoView({ block: 'end' })")
    return graph


def seen(graph: Locator) -> dict[str, float]:
    view: dict[str, float] = graph.evaluate("it => it.seen()")
    return {name: round(value, 2) for name, value in view.items()}


def place(graph: Locator, node: str, sign: str = "") -> dict[str, float]:
    """Where a node is, once it is drawn: for a moment a page that was just opened may show an earlier draw."""
    for _ in range(100):
        found: dict[str, float] | None = graph.evaluate("(it, [node, sign]) => it.positionOf(node, sign)", [node, sign])
        if found:
            return found
        graph.page.wait_for_timeout(100)
    raise AssertionError(f"{node} is not drawn")


def click(page: Page, graph: Locator, node: str, sign: str = "") -> None:
    page.mouse.click(**place(graph, node, sign))


def in_address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def selected(page: Page, node: str) -> None:
    page.wait_for_url(re.compile(rf"[?&]node={re.escape(node)}(&|$)"))


def boxes(graph: Locator) -> list[str]:
    found: list[str] = graph.evaluate("it => it.ready.then(graph => [...graph.boxes.keys()])")
    return found


def wait_for_boxes(page: Page, graph: Locator, count: int) -> None:
    for _ in range(100):
        if len(boxes(graph)) >= count:
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"{len(boxes(graph))} boxes, not {count}")


def drag(page: Page, graph: Locator, by: tuple[int, int]) -> None:
    box = graph.locator(".stage").bounding_box()
    assert box
    x, y = box["x"] + 60, box["y"] + box["height"] - 60
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0] / 2, y + by[1] / 2, steps=4)
    page.mouse.move(x + by[0], y + by[1], steps=4)
    page.mouse.up()


def test_a_click_selects_and_a_reload_keeps_selection_zoom_and_pan(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide)
    before = seen(graph)
    click(page, graph, CELL)
    selected(page, CELL)
    assert seen(graph) == before, "a selection made in the graph moves nothing"
    graph.get_by_role("button", name="Zoom in").click()
    drag(page, graph, (30, -80))
    kept = seen(graph)
    assert kept["scale"] > before["scale"]
    page.reload()
    graph = drawn(page)
    assert seen(graph) == kept
    assert graph.evaluate("it => it.ready.then(graph => graph.selected)") == CELL


def test_a_press_that_lasts_selects_when_it_is_let_go_and_not_where_it_moved_the_graph(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide)
    on_box = place(graph, CELL)
    page.mouse.move(**on_box)
    page.mouse.down()
    page.wait_for_timeout(HELD_MS)
    page.mouse.move(on_box["x"] + 40, on_box["y"] - 40, steps=4)
    page.mouse.up()
    assert place(graph, CELL) == {"x": on_box["x"] + 40, "y": on_box["y"] - 40}
    assert graph.evaluate("it => it.ready.then(graph => graph.selected)") == ""
    page.mouse.move(**place(graph, CELL))
    page.mouse.down()
    page.wait_for_timeout(HELD_MS)
    page.mouse.up()
    selected(page, CELL)


def test_the_graph_fills_its_pane_without_a_second_scroll_bar(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide)
    pane = page.locator(".st-key-pane-centre")
    assert pane.evaluate("it => it.scrollHeight - it.clientHeight") <= 0
    inside, around = graph.bounding_box(), pane.bounding_box()
    assert inside
    assert around
    assert around["y"] + around["height"] - inside["y"] - inside["height"] < 30
    expect(graph.locator(".scale")).to_have_text("100 %")


def test_what_lies_outside_is_counted(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide)
    drag(page, graph, (0, -5000))
    expect(graph.locator(".count")).to_have_text(re.compile(r", \d+ above$"))
    graph.get_by_role("button", name="Show the whole graph").click()
    expect(graph.locator(".count")).to_have_text(re.compile(r"in groups$"))


def test_a_group_is_unfolded_in_place_and_folded_again(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide)
    few, view, at = len(boxes(graph)), seen(graph), place(graph, GROUP)
    click(page, graph, GROUP, "+")
    wait_for_boxes(page, graph, few + 40)
    assert in_address(page)["open"] == f"{GROUP}:50"
    assert (seen(graph), place(graph, GROUP)) == (view, at)
    click(page, graph, GROUP, "−")
    page.wait_for_function("() => !location.search.includes('open=')")
    click(page, graph, f"{GROUP}.more")
    wait_for_boxes(page, graph, few + 40)
    page.mouse.dblclick(**place(graph, GROUP))
    page.wait_for_function("() => decodeURIComponent(location.search).includes(':100')")


def test_the_arrow_keys_walk_and_enter_unfolds(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide, node="f1.t2")
    graph.locator(".stage").focus()
    for key, node in (
        ("ArrowDown", "f1.t3"),
        ("ArrowUp", "f1.t2"),
        ("ArrowRight", CELL),
        ("ArrowRight", GROUP),
        ("ArrowLeft", CELL),
    ):
        page.keyboard.press(key)
        selected(page, node)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_for_boxes(page, graph, 50)
    page.keyboard.press("+")
    expect(graph.locator(".scale")).to_have_text("125 %")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !location.search.includes('node=')")


def test_a_link_to_a_folded_call_shows_it(page: Page, app: App, wide: str):
    call = f"{CELL}.k77"
    graph = open_graph(page, app, wide, node=call)
    assert graph.evaluate("it => it.ready.then(graph => graph.selected)") == call
    stage = graph.locator(".stage").bounding_box()
    at = place(graph, call)
    assert stage
    assert stage["x"] < at["x"] < stage["x"] + stage["width"]
    assert stage["y"] < at["y"] < stage["y"] + stage["height"]


def test_a_wheel_scrolls_the_graph_to_its_end_and_with_ctrl_zooms_around_the_pointer(page: Page, app: App, wide: str):
    page.set_viewport_size({"width": 1440, "height": 700})
    graph = open_graph(page, app, wide)
    page.mouse.move(**place(graph, CELL))
    before = seen(graph)
    page.mouse.wheel(0, 5000)
    expect(graph.locator(".count")).to_have_text(re.compile("above$"))
    down = seen(graph)
    assert down["left"] == before["left"]
    page.mouse.wheel(0, 5000)
    expect(graph.locator(".note")).to_contain_text("with Ctrl it zooms")
    assert seen(graph) == down
    page.mouse.wheel(0, -9000)
    expect(graph.locator(".count")).to_have_text(re.compile("below$"))
    assert seen(graph) == before
    page.mouse.move(**place(graph, CELL))
    at = place(graph, CELL)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_timeout(300)
    assert seen(graph)["scale"] > before["scale"]
    after = place(graph, CELL)
    assert abs(after["x"] - at["x"]) < 2
    assert abs(after["y"] - at["y"]) < 2


def test_a_live_run_grows_without_a_new_network_and_leaves_the_view_alone(page: Page, app: App):
    life = running(app.home, "live-graph")
    try:
        graph = open_graph(page, app, "live-graph")
        before = len(boxes(graph))
        graph.evaluate("it => it.ready.then(graph => { graph.net.mark = 'the same' })")
        drag(page, graph, (20, -30))
        view = seen(graph)
        life.turn("One more turn.", calls=2)
        wait_for_boxes(page, graph, before + 4)
        assert seen(graph) == view
        assert graph.evaluate("it => it.ready.then(graph => graph.net.mark)") == "the same"
    finally:
        life.finish()
        life.recorder.close()


def test_another_run_in_the_same_page_is_another_graph(page: Page, app: App, wide: str):
    with Writer(app.home, "small-1") as life:
        life.turn()
        life.finish()
    page.goto(f"{app.url}/run?run={wide}&with=small-1")
    graph = drawn(page)
    drag(page, graph, (0, -300))
    page.locator(".st-key-started-together a").first.click()  # small-1 comes before wide-1
    page.wait_for_url(re.compile("run=small-1"))
    expect(page.locator(".graph .count").get_by_text("3 nodes", exact=True)).to_be_visible()
    expect(page.locator(".graph")).to_have_count(1)  # the old one stays until the page has been drawn
    assert seen(page.locator(".graph"))["top"] < 0


def test_the_theme_is_followed(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide)
    colour = "it => it.ready.then(graph => graph.colours.text)"
    assert graph.evaluate(colour) == "rgb(27, 32, 38)"
    page.emulate_media(color_scheme="dark")
    for _ in range(50):
        if graph.evaluate(colour) == "rgb(233, 236, 239)":
            return
        page.wait_for_timeout(200)
    raise AssertionError(graph.evaluate(colour))


def test_the_same_marks_are_a_table(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide)
    graph.get_by_role("button", name="Show as a table").click()
    table = page.locator(".st-key-graph-table")
    expect(table.locator("canvas").first).to_be_visible()
    box = table.bounding_box()
    assert box
    page.mouse.click(box["x"] + 16, box["y"] + 32 + 35 * 1.5)
    selected(page, "f1.t1")
    page.get_by_role("button", name="Back to the graph").click()
    drawn(page)


def test_hostile_names_are_drawn_as_text(page: Page, app: App):
    name = hostile(app.home, "hostile-graph")
    graph = open_graph(page, app, name)
    dialogs: list[Any] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.mouse.move(**place(graph, "f1.t1"))
    expect(graph.locator(".tip")).to_contain_text(HOSTILE[:20])
    assert graph.locator(".tip script, .tip b, .tip img").count() == 0
    assert dialogs == []


def test_a_kind_is_explained_to_a_newcomer(page: Page, app: App, wide: str):
    graph = open_graph(page, app, wide)
    graph.get_by_role("button", name="sub-call").click()
    expect(graph.locator(".note")).to_contain_text("a helper model was asked")
