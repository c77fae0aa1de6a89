"""The steps of compared runs on the page: two of them side by side, the first difference, and what differs in a step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import written_runs
from large_runs import write_large_run
from shown import markdown, texts
from streamlit.testing.v1 import AppTest
from written_runs import HOSTILE, Writer

from app.components import steps_view
from rlm_core import events as ev


def drawn(page: AppTest) -> dict[str, Any]:
    """The data of the rows."""
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return next(each for each in found if "selected" in each and "sides" in each)


def otherwise(home: Path, run: str, code: str = "print(2)") -> str:
    """The run `small-1` but for the code of its second cell."""
    with Writer(home, run) as life:
        life.turn(code="print(1)", output="1")
        life.turn(code=code, output="2")
        life.finish()
    return run


@pytest.fixture
def two(home: Path) -> str:
    return ",".join([otherwise(home, "small-1"), otherwise(home, "small-2", "print(3)")])


def test_steps_of_two_runs_stand_side_by_side_and_lead_to_their_nodes(opened, two):
    page = opened("compare", runs=two, part="steps")
    shown = drawn(page)
    assert [(row["says"], row["first"]) for row in shown["rows"]] == [("same", False), ("code differs", True)]
    assert [side["letter"] for side in shown["sides"]] == ["A", "B"]
    assert shown["rows"][1]["sides"][0]["title"] == "cell 2"
    assert shown["rows"][1]["sides"][1]["go"] == {"run": "small-2", "node": "f1.t2.c1"}
    assert "2 steps: 1 the same, 1 changed" in texts(page)


def test_the_first_difference_is_one_press_away_and_its_code_is_shown_word_by_word(opened, two):
    page = opened("compare", runs=two, part="steps")
    page.button(key="steps-first").click().run()
    assert page.query_params["step"] == "A:f1.t2.c1"
    assert drawn(page)["selected"] == "A:f1.t2.c1"
    assert "**Code**" in markdown(page)
    diffs = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    sides = next(each["sides"] for each in diffs if each.get("agree"))
    assert [side["head"] for side in sides] == ["A", "B"]
    links = [each.proto for each in page.get("page_link") if each.proto.label.startswith("Open in")]
    assert [each.label for each in links] == ["Open in A", "Open in B"]
    assert "node=f1.t2.c1" in links[1].query_string


def test_a_step_says_what_the_model_said_before_it_and_what_came_of_it(opened, home, two):
    side = drawn(opened("compare", runs=two, part="steps"))["rows"][1]["sides"][0]
    assert (side["title"], side["says"], side["came"]) == ("cell 2", "I look at the rooms.", "prints 1 character")


def test_of_runs_that_work_in_different_ways_it_is_said_that_nothing_pairs(opened, home):
    otherwise(home, "small-1")
    with Writer(home, "base-1") as life:
        life.emit("f1.t1", "f1", ev.TurnStarted(1))
        life.finish()
    page = opened("compare", runs="base-1,small-1", part="steps")
    assert "These two work in different ways: nothing pairs. 3 steps: 1 only in A, 2 only in B" in texts(page)


def test_only_differences_are_shown_where_that_is_asked_for(opened, two):
    page = opened("compare", runs=two, part="steps")
    page.toggle(key=steps_view.ONLY).set_value(True).run()
    assert [row["says"] for row in drawn(page)["rows"]] == ["code differs"]


def test_of_three_runs_a_person_chooses_two(opened, home, two):
    otherwise(home, "small-3", "print(4)")
    page = opened("compare", runs=f"{two},small-3", part="steps")
    page.selectbox(key="steps-side-1").set_value(2).run()
    assert page.query_params["pair"] == "AC"
    assert [side["letter"] for side in drawn(page)["sides"]] == ["A", "C"]
    page.selectbox(key="steps-side-0").set_value(2).run()
    assert page.query_params["pair"] == "CA"
    assert drawn(opened("compare", runs=two, part="steps", pair="AX"))["sides"][1]["letter"] == "B"


def test_runs_that_did_the_same_have_no_first_difference(opened, home):
    runs = ",".join([otherwise(home, "small-1"), otherwise(home, "small-2")])
    page = opened("compare", runs=runs, part="steps")
    assert page.button(key="steps-first").disabled
    assert "All 2 steps are the same in A and B." in texts(page)


def test_of_very_many_rows_a_page_is_drawn_and_the_group_of_the_selected_step_is_open(opened, home):
    for seed in (1, 2):
        write_large_run(home, f"large-{seed}", 1_500, "fan", seed)
    page = opened("compare", runs="large-1,large-2", part="steps")
    assert len(drawn(page)["rows"]) == 10
    page.button(key="steps-first").click().run()
    shown = drawn(page)
    assert len(shown["rows"]) == steps_view.PAGE_ROWS
    assert [row["id"] for row in shown["rows"] if row["open"]] == ["A:f1.t1.c1.k1+"]
    assert page.query_params["unfolded"] == "A:f1.t1.c1.k1+"
    assert shown["selected"] in {row["id"] for row in shown["rows"]}


def test_a_step_of_one_run_only_is_shown_whole_and_as_text(opened, home):
    otherwise(home, "small-1")
    with Writer(home, "small-2") as life:
        life.turn(code="print(1)", output="1")
        life.turn(code="print(2)", output="2")
        life.turn(code=HOSTILE, output=HOSTILE)
        life.finish()
    page = opened("compare", runs="small-1,small-2", part="steps", step="B:f1.t3.c1")
    assert drawn(page)["rows"][2]["says"] == "only in B"
    assert drawn(page)["rows"][2]["sides"][0] is None
    assert any("<script>" in each.value for each in page.code)
    assert "<script" not in markdown(page)


def test_a_run_that_has_done_nothing_yet_says_so(opened, home):
    for run in ("quiet-1", "quiet-2"):
        with Writer(home, run) as life:
            life.emit("run", None, ev.RunFinished("failed", None, "No key."))
    page = opened("compare", runs="quiet-1,quiet-2", part="steps")
    assert "None of these two has done anything yet." in texts(page)
    written_runs.answered(home, "rlm-1")
    assert drawn(opened("compare", runs="quiet-1,rlm-1", part="steps"))["rows"][0]["says"] == "only in B"
