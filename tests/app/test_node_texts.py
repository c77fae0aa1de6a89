"""What is copied of a node: Markdown that no text in it can break out of, and events with their texts."""

from __future__ import annotations

import json

import pytest
import written_runs

from app.node_texts import TEXT_CHARS, as_json, as_markdown, parts_of
from rlm_core.looks.node_facts import facts_of
from rlm_core.looks.node_places import raw_of
from rlm_core.passages import Passage, passage
from rlm_core.store.store import Store
from rlm_core.view import fold

CELL = "f1.t2.c1"


@pytest.fixture
def view(home):
    run = written_runs.answered(home)
    store = Store.open(home)
    view = fold(store.events(run))
    store.close()
    return view


def load(text: Passage) -> str:
    return text.head


@pytest.mark.parametrize(
    ("node", "headings"),
    [
        (f"{CELL}.k3", ["Prompt", "Reply"]),
        (f"{CELL}.k10", ["Prompt", "Error"]),
        ("f1.t2", ["Prompt", "Reply", "Cell 2"]),
        (CELL, ["Code", "Output"]),
        (f"{CELL}.r1", ["Item", "Label", "Quote", "Source"]),
        ("answer", ["Answer"]),
        ("run", []),
    ],
)
def test_a_node_is_told_by_what_went_in_and_what_came_out(view, node, headings):
    assert [heading for heading, _ in parts_of(facts_of(view, node))] == headings


def test_markdown_has_a_heading_the_figures_and_the_texts(view):
    said = as_markdown("call 3 of 10", ["Cost: $0.013 (measured)"], parts_of(facts_of(view, f"{CELL}.k3")), load)
    assert said == (
        "### call 3 of 10\n\n- Cost\\: $0.013 (measured)\n\n".replace("(", "\\(").replace(")", "\\)")
        + "**Prompt**\n\n```text\nWas room 3 wet again?\n```\n\n**Reply**\n\n```text\nRoom 3: no.\n```\n"
    )


def test_no_text_closes_its_fence_and_nothing_outside_of_one_means_anything():
    text = "```` \n# no heading\n![x](http://evil.example)"
    said = as_markdown("**x** <b>", ["![x](http://evil.example)\n# y"], [("Reply", passage(text))], load)
    assert said.startswith("### \\*\\*x\\*\\* \\<b\\>\n\n- \\!\\[x\\]\\(http\\://evil.example\\) \\# y\n\n")
    assert said.endswith(f"`````text\n{text}\n`````\n")


def test_a_long_text_is_cut_with_a_count():
    said = as_markdown("t", [], [("Reply", passage("x" * (TEXT_CHARS + 7)))], load)
    assert f"{'x' * TEXT_CHARS}\n… 7 more characters\n" in said


def test_json_has_the_events_with_their_texts_in_the_place_of_references(view):
    events = [
        {
            "kind": "CallStarted",
            "body": {"messages": [{"role": "user", "text": {"$text": "s", "chars": 9, "head": "a"}}]},
        }
    ]
    said = json.loads(as_json("r", events, lambda text: f"whole of {text.sha}"))
    assert said == {
        "run": "r",
        "events": [{"kind": "CallStarted", "body": {"messages": [{"role": "user", "text": "whole of s"}]}}],
    }
    kinds = [each["kind"] for each in json.loads(as_json("r", raw_of(view, f"{CELL}.k3"), load))["events"]]
    assert kinds == ["CallStarted", "CallFinished"]
