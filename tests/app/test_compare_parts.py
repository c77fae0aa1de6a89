"""The views of compared runs: the switch between them, and how much the runs of one task vary."""

from __future__ import annotations

import json
from dataclasses import replace

import written_runs
from shown import markdown, texts
from written_runs import TASK

from app.components import compare_parts
from rlm_core.choices import NEITHER, Choice
from rlm_core.store.store import Store


def test_the_view_is_in_the_address_and_one_that_is_not_there_is_the_first(opened, home):
    written_runs.answered(home, "rlm-1")
    written_runs.answered(home, "rlm-2")
    page = opened("compare", runs="rlm-1,rlm-2", part="nonsense")
    assert page.segmented_control(key=compare_parts.KEY).value == "answers"
    page.segmented_control(key=compare_parts.KEY).set_value("repeats").run()
    assert page.query_params["part"] == "repeats"
    page.segmented_control(key=compare_parts.KEY).set_value("answers").run()
    assert "part" not in page.query_params


def test_repeats_of_a_task_are_fetched_and_those_of_another_are_not(opened, home):
    for run in ("rlm-1", "rlm-2", "rlm-3"):
        written_runs.answered(home, run)
    written_runs.answered(home, "deep-1", replace(TASK, options={"depth": 2}))
    page = opened("compare", runs="rlm-1,deep-1", part="repeats")
    assert "One run is an anecdote" in texts(page)
    assert [each.label for each in page.button if each.key.startswith("repeats-fetch")] == [
        "Compare with 2 other runs of this task"
    ]
    page.button(key="repeats-fetch-0").click().run()
    assert page.query_params["runs"] == "rlm-1,rlm-3,rlm-2"
    assert "3 of 3 items have the same label in all 3 (100 %)." in texts(page)
    figures = {row[""]: row for row in page.dataframe[0].value.to_dict("records")}
    assert figures["number answered"]["median"] == "1"
    assert figures["cost"]["known of"] == "0 of 3"
    assert figures["cost"]["least"] == "unknown"
    assert "A, B and C" in markdown(page)


def test_what_a_person_decided_is_shown_beside_its_item_and_in_the_table(opened, home):
    written_runs.answered(home, "rlm-1")
    written_runs.answered(home, "rlm-2")
    store = Store.open(home)
    store.choices.keep(["rlm-1", "rlm-2"], "b07", Choice("rlm-2"))
    store.choices.keep(["rlm-1", "rlm-2"], "c02", Choice(NEITHER, "yes"))
    store.close()
    page = opened("compare", runs="rlm-1,rlm-2")
    items = next(json.loads(each.proto.json) for each in page.get("bidi_component") if "rows" in each.proto.json)
    choices = {row["item"]: row["choice"] for row in items["rows"]}
    assert (choices["B07"]["right"], choices["A12"]["right"]) == ("rlm-2", None)
    assert (choices["C02"]["right"], choices["C02"]["label"]) == (NEITHER, "yes")
    assert [each["says"] for each in choices["A12"]["offered"]] == ["A", "B", "neither"]
    assert "You decided 0 of 0 items on which these runs part, and 2 on which they agree." in markdown(page)
    table = opened("compare", runs="rlm-1,rlm-2", **{"as": "table"}).dataframe[0].value
    assert dict(zip(table["Item"], table["Decided"], strict=True)) == {
        "A12": "yes (agree)",
        "B07": "no (B)",
        "C02": "yes (person)",
    }
