"""What each of compared runs was shown: a strip a run, and the passages that decide an item and were not shown."""

from __future__ import annotations

import json
from typing import Any

import covered_runs
import written_runs
from shown import markdown, texts
from streamlit.testing.v1 import AppTest
from test_compare_page import base
from written_runs import QUESTION, Writer

from app.components import seen_view
from rlm_core import events as ev
from rlm_core.task import Finding, Task


def strips(page: AppTest) -> list[dict[str, Any]]:
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return next((each["rows"] for each in found if "legend" in each), [])


def test_each_run_has_a_strip_of_the_whole_archive_with_what_decides_its_items(opened, home):
    covered_runs.covered(home)
    corpus = covered_runs.archive(home)
    with Writer(home, "run-2", Task(QUESTION, corpus.id)) as life:
        life.turn()
        life.finish(answer="0 rooms.")
    covered_runs.add(home, "run-2", [])
    page = opened("compare", runs="run-1,run-2", part="seen")
    one, other = strips(page)
    assert (one["path"][:7], other["path"][:7]) == ("A · rlm", "B · rlm")
    assert one["length"] == other["length"] == corpus.chars
    assert [each["says"] for each in one["stops"]] == ["cited: A12: yes"]
    assert (len(one["cited"]), other["cited"]) == (1, [])
    assert other["never"] == [[0, 10_000]]
    assert other["chars"] == "0 %"
    assert "The cells of A and B could search the whole archive" in markdown(page)


def test_a_passage_that_was_never_shown_to_a_run_leads_to_its_place(opened, home):
    base(home, answer="None.", unseen=({"document": "reports/05.txt", "start": 0, "end": 900},))
    written_runs.answered(home, "rlm-1")
    page = opened("compare", runs="base-1,rlm-1", part="seen")
    assert "The passage that decides A12 was never shown to A, as it noted." in texts(page)
    link = next(
        each.proto for each in page.get("page_link") if each.proto.query_string.startswith("run=base-1&document")
    )
    assert "start=100" in link.query_string
    assert "05" in link.label


def test_without_an_archive_there_is_no_strip_and_it_is_said_why(opened, home):
    written_runs.answered(home, "rlm-1")
    written_runs.answered(home, "rlm-2")
    page = opened("compare", runs="rlm-1,rlm-2", part="seen")
    assert strips(page) == []
    assert texts(page).count("A and B: The archive of this run is no longer in the data folder") == 1
    assert "No passage is known that decides an item" in texts(page)


def test_many_passages_are_cut_with_a_count_and_can_all_be_shown(opened, home):
    unseen = ({"document": "reports/05.txt", "start": 0, "end": 900},)
    base(home, answer="None.", unseen=unseen)
    findings = tuple(
        (
            Finding(f"R{number}", "yes", "wet"),
            ev.QuoteChecked("exact", "reports/05.txt", 1, 4, 1),
        )
        for number in range(30)
    )
    with Writer(home, "rlm-1") as life:
        life.turn(findings=findings)
        life.finish()
    page = opened("compare", runs="base-1,rlm-1", part="seen")
    assert texts(page).count("was never shown to A") == seen_view.LISTED
    page.button(key="never-shown-more-0-button").click().run()
    assert texts(page).count("was never shown to A") == 30
