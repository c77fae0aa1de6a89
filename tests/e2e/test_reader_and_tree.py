"""The reader and the folded tree of a run in a real browser: one selection, the keyboard, and a run that goes on meanwhile."""

from __future__ import annotations

import re

import pytest
import written_runs
from playwright.sync_api import Locator, Page, expect
from real_app import App
from written_runs import Writer

LONG = "\n".join(f"value_{number} = {number}" for number in range(120))
PANE = "it.getRootNode().host.closest('.st-key-pane-centre, .st-key-pane-tree')"
RUN = "read-1"
FAILING = "first = 1\nnowhere()\n"
"""Code that no later cell resembles, so that its failure stands."""
MARKED = "name => [...(CSS.highlights.get(name) ?? [])].map(String)"


@pytest.fixture(scope="module")
def written(app: App) -> str:
    """Twelve turns, of which the eighth failed, and a batch of twenty calls in the third."""
    with Writer(app.home, RUN) as life:
        for number in range(1, 13):
            error = "Traceback (most recent call last):\n  cell 8, line 2\nNameError: name 'x' is not defined"
            life.turn(
                f"Turn number {number}.",
                {5: LONG, 8: FAILING}.get(number, written_runs.CODE),
                "".join(f"{number} printed {line}\n" for line in range(12)),
                error if number == 8 else None,
                calls=20 if number == 3 else 0,
            )
        life.finish()
    return RUN


@pytest.fixture
def reader(page: Page, app: App, written: str) -> Page:
    page.goto(f"{app.url}/run?run={written}&view=Reader")
    expect(block(page, "f1.t1.c1")).to_be_visible()
    return page


def block(page: Page, span: str) -> Locator:
    return page.locator(f".run-reader section[data-id='{span}']")


def words(page: Page, number: int) -> Locator:
    return block(page, f"f1.t{number}").get_by_text(f"Turn number {number}.")


def row(page: Page, span: str) -> Locator:
    return page.locator(f".folded-tree .row[data-id='{span}']")


def expect_selected(page: Page, span: str) -> None:
    expect(page).to_have_url(re.compile(rf"[?&]node={re.escape(span)}(&|$)"))
    expect(row(page, span)).to_have_attribute("aria-selected", "true")


def expect_marked(page: Page, name: str, words: list[str]) -> None:
    """What the browser paints as found, in the reader or in the inspector."""
    page.wait_for_function(f"([name, words]) => `${{({MARKED})(name)}}` === `${{words}}`", arg=[name, words])


def scroll_of(part: Locator) -> float:
    return part.evaluate(f"it => {PANE}.scrollTop")


def test_a_row_of_the_tree_selects_and_the_reader_shows_it(reader: Page):
    before = scroll_of(row(reader, "run"))
    row(reader, "f1.t7").click()
    expect_selected(reader, "f1.t7")
    chosen = block(reader, "f1.t7")
    expect(chosen).to_have_attribute("aria-current", "true")
    expect(chosen).to_be_in_viewport()
    assert scroll_of(chosen) > 0
    assert scroll_of(row(reader, "run")) == before


def test_a_block_of_the_reader_selects_and_stays_where_it_is(reader: Page):
    block(reader, "f1.t3").evaluate(f"it => {{ {PANE}.scrollTop += it.getBoundingClientRect().top - 330 }}")
    words(reader, 3).click()
    expect_selected(reader, "f1.t3")
    before = scroll_of(block(reader, "f1.t3"))
    block(reader, "f1.t3.c1").locator(".line").first.click()
    expect_selected(reader, "f1.t3.c1")
    block(reader, "f1.t3.c1.g1").get_by_role("button").click()
    expect_selected(reader, "f1.t3.c1.g1")
    assert scroll_of(block(reader, "f1.t3")) == before


def test_an_address_with_a_node_shows_it_in_both(page: Page, app: App, written: str):
    page.goto(f"{app.url}/run?run={written}&view=Reader&node=answer")
    expect(block(page, "answer")).to_have_attribute("aria-current", "true")
    expect(block(page, "answer")).to_be_in_viewport()
    expect(row(page, "answer")).to_be_in_viewport()
    expect_selected(page, "answer")


def test_the_tree_is_walked_folded_and_selected_from_the_keyboard(reader: Page):
    row(reader, "f1.t2").focus()
    reader.keyboard.press("ArrowDown")
    expect(row(reader, "f1.t2.c1")).to_be_focused()
    reader.keyboard.press("ArrowLeft")
    expect(row(reader, "f1.t2")).to_be_focused()
    reader.keyboard.press("ArrowLeft")
    expect(row(reader, "f1.t2")).to_have_attribute("aria-expanded", "false")
    expect(row(reader, "f1.t2.c1")).to_be_hidden()
    reader.keyboard.press("ArrowDown")
    expect(row(reader, "f1.t3")).to_be_focused()
    reader.keyboard.press("Enter")
    expect_selected(reader, "f1.t3")
    expect(row(reader, "f1.t3")).to_be_focused()
    reader.keyboard.press("End")
    expect(row(reader, "answer")).to_be_focused()
    expect(row(reader, "answer")).to_be_in_viewport()
    reader.keyboard.press("Home")
    expect(row(reader, "run")).to_be_focused()
    assert reader.locator(".folded-tree .row[tabindex='0']").count() == 1


def test_what_is_folded_stays_folded_and_opens_for_what_is_selected_elsewhere(reader: Page):
    row(reader, "f1.t6").locator(".toggle").click()
    expect(row(reader, "f1.t6.c1")).to_be_hidden()
    assert "node=" not in reader.url
    reader.reload()
    expect(row(reader, "f1.t6")).to_have_attribute("aria-expanded", "false")
    block(reader, "f1.t6.c1").get_by_role("button", name="Cell 6").click()
    expect_selected(reader, "f1.t6.c1")
    expect(row(reader, "f1.t6.c1")).to_be_visible()


def test_more_of_a_group_is_drawn_and_folded_again(reader: Page):
    more = row(reader, "f1.t3.c1.g1.more")
    expect(more).to_contain_text("18 more")
    more.click()
    expect(row(reader, "f1.t3.c1.k20")).to_be_visible()
    expect(reader).to_have_url(re.compile("open=f1.t3.c1.g1"))
    first_new = reader.locator(".folded-tree .row:focus")
    expect(first_new).to_have_attribute("data-id", re.compile(r"^f1\.t3\.c1\.k[1-5]$"))
    fewer = row(reader, "f1.t3.c1.g1.fewer")
    fewer.focus()
    reader.keyboard.press("Enter")
    expect(more).to_be_visible()
    expect(fewer).to_have_count(0)
    expect(row(reader, "f1.t3.c1.g1")).to_be_focused()


@pytest.fixture(scope="module")
def paged(app: App) -> str:
    with Writer(app.home, "paged-1") as life:
        life.turn(calls=260)
        life.finish()
    return "paged-1"


def test_a_long_group_is_read_in_windows_from_the_keyboard_and_never_sent_whole(page: Page, app: App, paged: str):
    page.goto(f"{app.url}/run?run={paged}&view=Reader")
    group, focused = "f1.t1.c1.g1", page.locator(".folded-tree .row:focus")
    for shown, left in (("50", "209|210"), ("100", "159|160"), ("50-150", "109|110")):
        row(page, f"{group}.more").click()
        expect(page).to_have_url(re.compile(f"open={group}(:|%3A){shown}(&|$)"))
        expect(row(page, f"{group}.more")).to_contain_text(re.compile(f"({left}) more"))
    expect(focused).to_have_attribute("data-id", re.compile(r"\.k10[1-3]$"))
    assert page.locator(".folded-tree .row").count() < 115
    earlier = row(page, f"{group}.earlier")
    expect(earlier).to_contain_text(re.compile("4[89] earlier"))
    earlier.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"open={group}(:|%3A)100(&|$)"))
    expect(focused).to_have_attribute("data-id", re.compile(r"\.k[1-3]$"))
    expect(earlier).to_have_count(0)


def test_of_two_things_asked_at_once_both_are_heard(reader: Page):
    group = "f1.t3.c1.g1"
    reader.evaluate(
        """ids => { const found = (root) => [...root.querySelectorAll('*')].flatMap(each =>
            [each, ...(each.shadowRoot ? found(each.shadowRoot) : [])])
        for (const id of ids) found(document).find(each => each.matches(`.folded-tree .row[data-id='${id}']`)).click() }""",
        [f"{group}.more", "f1.t5", "f1.t2"],
    )
    expect_selected(reader, "f1.t2")
    expect(reader).to_have_url(re.compile(f"open={group}"))
    expect(row(reader, f"{group}.fewer")).to_be_attached()


def test_words_are_found_from_the_keyboard_and_the_way_leads_from_hit_to_hit(reader: Page):
    field, count = reader.get_by_role("searchbox", name="Search code"), reader.locator(".run-search .count")
    reader.keyboard.press("/")
    expect(field).to_be_focused()
    reader.keyboard.type("wet again")
    expect(count).to_have_text("20 nodes")
    reader.keyboard.press("Enter")
    expect(count).to_have_text("1 of 20 · in prompt")
    expect_selected(reader, "f1.t3.c1.k1")
    expect(field).to_be_focused()
    expect_marked(reader, "found-inspector", ["wet again"])
    expect(row(reader, "f1.t3.c1.k5")).to_contain_text("in prompt")
    expect(row(reader, "f1.t3.c1.k1")).to_be_in_viewport()
    row(reader, "f1.t3.c1.k3").click()
    expect(count).to_have_text("3 of 20 · in prompt")
    reader.keyboard.press("n")
    expect_selected(reader, "f1.t3.c1.k4")
    reader.keyboard.press("N")
    expect_selected(reader, "f1.t3.c1.k3")
    reader.reload()
    expect(field).to_have_value("wet again")
    expect(count).to_have_text("3 of 20 · in prompt")
    field.press("Escape")
    expect(count).to_be_hidden()
    expect(reader).not_to_have_url(re.compile("find="))
    expect(row(reader, "f1.t3.c1.g1.more")).to_contain_text("17 more")
    expect_marked(reader, "found-inspector", [])
    field.press_sequentially("turn NUMBER 7")
    expect_marked(reader, "found-reader", ["Turn number 7"])


def test_the_tree_is_narrowed_by_pills_and_says_how_much_matches(reader: Page):
    head = reader.locator(".folded-tree .head")
    reader.get_by_role("button", name="failed 1").click()
    expect(head).to_contain_text("1 of 45 match")
    expect(reader.locator(".folded-tree .row")).to_have_count(3)
    expect(reader).to_have_url(re.compile("only=failed"))
    expect(block(reader, "f1.t1.c1")).to_be_attached()
    reader.get_by_role("button", name="failed 1").click()
    expect(row(reader, "f1.t1")).to_be_visible()


def test_the_way_back_goes_from_selection_to_selection(reader: Page):
    for span in ("f1.t2", "f1.t7", "f1.t9"):
        row(reader, span).click()
        expect_selected(reader, span)
    for span in ("f1.t7", "f1.t2"):
        reader.go_back()
        expect_selected(reader, span)
        expect(block(reader, span)).to_have_attribute("aria-current", "true")
    reader.go_forward()
    expect_selected(reader, "f1.t7")
    expect(block(reader, "f1.t7")).to_be_in_viewport()


def test_j_and_k_go_from_step_to_step_and_with_shift_from_failure_to_failure(reader: Page):
    reader.keyboard.press("j")
    expect_selected(reader, "f1.t1")
    reader.keyboard.press("j")
    reader.keyboard.press("j")
    expect_selected(reader, "f1.t2")
    reader.keyboard.press("k")
    expect_selected(reader, "f1.t1.c1")
    reader.keyboard.press("J")
    expect_selected(reader, "f1.t8.c1")
    expect(block(reader, "f1.t8.c1").locator(".failed-line")).to_be_in_viewport()
    reader.keyboard.press("K")
    reader.wait_for_timeout(400)
    expect_selected(reader, "f1.t8.c1")


def test_long_code_is_unfolded_and_copied_without_its_numbers(reader: Page):
    cell = block(reader, "f1.t5.c1")
    cell.scroll_into_view_if_needed()
    expect(cell.locator(".line")).to_have_count(40)
    cell.get_by_role("button", name="show them").click()
    expect(cell.locator(".line")).to_have_count(120)
    assert "node=" not in reader.url
    copied = cell.evaluate(
        """it => { const range = document.createRange(); range.selectNodeContents(it.querySelector('.code-part'))
        const selection = document.getSelection(); selection.removeAllRanges(); selection.addRange(range)
        return it.querySelector('.line').innerText }"""
    )
    assert copied.strip() == "value_0 = 0"


def test_text_can_be_selected_without_selecting_its_step(reader: Page):
    box = words(reader, 1).bounding_box()
    assert box
    reader.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    reader.mouse.down()
    reader.mouse.move(box["x"] + 90, box["y"] + box["height"] / 2, steps=4)
    reader.mouse.up()
    reader.wait_for_timeout(400)
    assert "node=" not in reader.url


def test_a_run_that_goes_on_moves_nothing_that_is_read(page: Page, app: App):
    with Writer(app.home, "live-1") as life:
        for number in range(1, 9):
            life.turn(f"Turn number {number}.")
        page.goto(f"{app.url}/run?run=live-1&view=Reader")
        expect(block(page, "f1.t8.c1")).to_be_in_viewport()
        life.turn("Turn number 9.")
        expect(words(page, 9)).to_be_in_viewport()
        read = block(page, "f1.t2")
        page.locator(".run-reader").hover()
        page.mouse.wheel(0, -9000)
        expect(block(page, "f1.t1")).to_be_in_viewport()
        page.mouse.wheel(0, 90)
        page.wait_for_timeout(800)
        read.evaluate(
            """it => { const text = it.querySelector('.text').firstChild
            document.getSelection().setBaseAndExtent(text, 0, text, 6); it.mine = true }"""
        )
        row(page, "f1.t2").focus()
        before = scroll_of(read)
        life.turn("Turn number 10.", calls=12)
        expect(row(page, "f1.t10.c1.g1")).to_be_attached()
        expect(block(page, "f1.t10.c1.g1")).to_be_attached()
        assert scroll_of(read) == before
        assert read.evaluate("it => it.mine && it.isConnected")
        expect(row(page, "f1.t2")).to_be_focused()
        life.finish()
        expect(block(page, "answer")).to_be_attached()
        assert scroll_of(read) == before


def test_hostile_text_stays_text(page: Page, app: App):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    written_runs.hostile(app.home, "hostile-2")
    page.goto(f"{app.url}/run?run=hostile-2&view=Reader")
    expect(block(page, "f1.t1").locator(".text").first).to_contain_text("<script>alert(1)</script> ![x]")
    output = block(page, "f1.t1.c1").locator(".output-part")
    output.get_by_role("button", name="show them").click()
    expect(output).to_contain_text(re.compile(r"980,\d+ characters not shown to the model"))
    expect(row(page, "f1.t1")).to_contain_text("<script>alert(1)</script>")
    assert page.locator(".run-reader script, .run-reader img, .folded-tree script, .folded-tree img").count() == 0
    assert dialogs == []
