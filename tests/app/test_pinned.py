"""A node that is pinned: kept in the address, and compared with others, figures side by side and texts word by word."""

from __future__ import annotations

import json
import re

import pytest
import written_runs
from shown import everything, markdown, texts

from app.components.inspector_pin import figures_beside
from app.components.texts_beside import said_of
from app.node_differences import CONTEXT_CHARS, MOST_TEXTS, texts_beside
from rlm_core.looks.run_words import Figure
from rlm_core.passages import Passage, passage

CELL = "f1.t2.c1"


def load(text: Passage) -> str:
    return text.head


def beside(one: str, other: str):
    (found,) = texts_beside([("Prompt", passage(one))], [("Prompt", passage(other))], load)
    return found


def words(found):
    return [(each.kind, each.quote, each.source) for each in found.differs.parts]


def test_texts_differ_word_by_word():
    assert words(beside("Was room 3 wet again?", "Was room 4 wet again?")) == [
        ("same", "Was room ", "Was room "),
        ("only in quote", "3 ", ""),
        ("only in source", "", "4 "),
        ("same", "wet again?", "wet again?"),
    ]


def test_what_both_begin_and_end_with_is_left_out_and_counted():
    found = beside(
        f"{'word ' * 1000}Room A12 was dry. {'end ' * 500}", f"{'word ' * 1000}Room B07 was dry. {'end ' * 500}"
    )
    assert sum(len(each.quote) for each in found.differs.parts) < 4 * CONTEXT_CHARS
    assert found.shared_chars > 5000 + 2000 - 2 * CONTEXT_CHARS
    assert found.differs.parts[0].quote.startswith("word word ")
    assert said_of(found) == f"{found.shared_chars:,} characters that both share not shown"


def test_the_same_text_has_no_difference_and_a_text_of_one_only_stands_on_its_side():
    assert beside("Dry.", "Dry.").differs is None
    assert said_of(beside("Dry.", "Dry.")) == "the same, 4 characters"
    found = texts_beside([("Reply", passage("Dry."))], [("Error", passage("No reply."))], load)
    assert [(each.title, words(each)) for each in found] == [
        ("Reply", [("only in quote", "Dry.", "")]),
        ("Error", [("only in source", "", "No reply.")]),
    ]


def test_a_difference_is_bounded_whatever_the_texts_are():
    found = beside("a " * 200_000, "b " * 200_000)
    assert found.cut
    assert sum(len(each.quote) + len(each.source) for each in found.differs.parts) < 2_000
    many = [(f"Prompt {number}, user", passage("x")) for number in range(50)]
    assert len(texts_beside(many, many, load)) == MOST_TEXTS


def test_figures_stand_side_by_side_and_what_one_has_not_is_a_dash():
    ours = [Figure("Cost", "$0.01"), Figure("Time", "2.0 s")]
    assert figures_beside(ours, [Figure("Time", "3.0 s"), Figure("Tokens", "unknown")]) == [
        {"": "Cost", "pinned": "$0.01", "this": "–"},
        {"": "Time", "pinned": "2.0 s", "this": "3.0 s"},
        {"": "Tokens", "pinned": "–", "this": "unknown"},
    ]


def diffs(page):
    sent = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return [each for each in sent if "sides" in each]


def test_a_pinned_node_stays_while_another_is_selected_and_both_can_be_compared(opened, home):
    page = opened("run", run=written_runs.answered(home), node=f"{CELL}.k3")
    page.button(key="node-pin").click().run()
    assert page.query_params["pin"] == f"{CELL}.k3"
    assert "call 3 of 10 in cell 2" in markdown(page)
    page.button(key="way-1").click().run()
    assert page.query_params["node"] == f"{CELL}.k4"
    assert diffs(page) == []
    page.button(key="pin-compare").click().run()
    assert page.query_params["beside"] == "yes"
    assert [each["sides"][1]["parts"] for each in diffs(page)] == [
        [["Was room ", True], ["4 ", False], ["wet again?", True]],
        [["Room ", True], ["4: ", False], ["no.", True]],
    ]
    assert list(page.dataframe[-1].value["pinned"][:2]) == ["demo", "$0.013"]
    page.button(key="pin-go").click().run()
    assert page.query_params["node"] == f"{CELL}.k3"
    page.button(key="pin-off").click().run()
    assert "pin" not in page.query_params
    assert "beside" not in page.query_params


@pytest.mark.parametrize("node", ["run", "f1.t2", CELL, f"{CELL}.r1", "answer", f"{CELL}.g1"])
def test_any_node_can_be_looked_at_beside_a_pinned_one(opened, home, node):
    page = opened("run", run=written_runs.answered(home), node=node, pin=f"{CELL}.k3", beside="yes")
    assert "**pinned:**" in markdown(page)


def test_a_pin_of_another_run_is_said_to_be_none_of_this(opened, home):
    page = opened("run", run=written_runs.answered(home), node=CELL, pin="f9.t9", beside="yes")
    assert "which is not in this run" in markdown(page).replace("\\", "")
    assert diffs(page) == []


def test_hostile_texts_beside_each_other_are_text(opened, home):
    page = opened("run", run=written_runs.hostile(home), node="f1.t1.c1.k2", pin="f1.t1.c1.k1", beside="yes")
    assert diffs(page)
    said = re.sub(r"\\.", "", markdown(page))
    for danger in ("<script", "](http", "**bold"):
        assert danger not in said
    assert "\x1b" not in everything(diffs(page)) + texts(page)
