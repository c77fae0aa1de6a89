"""Answers that are sent back, and real answers that are not."""

from __future__ import annotations

import pytest

from rlm_core.frame import Ran
from rlm_core.sandbox.contract import CellResult
from rlm_core.strategies.guards import EMPTY, NAME, NOT_LOOKED, PLAN, SHRUG, UNSEEN, Guards
from rlm_core.task import Answer


def ran(output: str = "", *names: str, touched: bool = True) -> Ran:
    variables = tuple({"name": name, "type": "list", "size": 1, "preview": "", "change": "new"} for name in names)
    return Ran(CellResult("ok", output, len(output), variables=variables, touched_context=touched), 0, ())


def reason_for(text: str, how: str = "FINAL", names: tuple[str, ...] = ()) -> str | None:
    guards = Guards()
    guards.watch([ran("", *names)])
    return guards.refusal([ran()], Answer(text, how))


@pytest.mark.parametrize("text", ["", "  \n", "..."])
def test_an_empty_answer_is_always_sent_back(text: str) -> None:
    guards = Guards(on=False)
    assert [guards.refusal([], Answer(text), last_turn=True) for _ in range(3)] == [EMPTY] * 3


@pytest.mark.parametrize(
    "text",
    [
        "I will now count the rooms that leak again.",
        "Let me look at the documents first.",
        "I'll start by reading the mails of March, then decide.",
        "First, I need to examine the context.",
        "Okay, let's search for leaks.",
        "Now I'm going to ask the helpers about each pump.",
    ],
)
def test_a_plan_is_sent_back_once(text: str) -> None:
    guards = Guards(looked=True)
    assert guards.refusal([], Answer(text)) == PLAN
    assert guards.refusal([], Answer(text)) is None


@pytest.mark.parametrize("text", ["unknown", "Unknown.", "N/A", "None", "[none]", "null", "I don't know."])
def test_a_shrug_is_sent_back_once(text: str) -> None:
    guards = Guards(looked=True)
    assert guards.refusal([], Answer(text)) == SHRUG
    assert guards.refusal([], Answer(text)) is None


@pytest.mark.parametrize("name", ["result", "final_answer", "leaking_rooms"])
def test_the_name_of_a_variable_in_place_of_its_value_is_sent_back_once(name: str) -> None:
    assert reason_for(name, names=(name,)) == NAME.format(name=name)
    assert reason_for(name) is None
    assert reason_for(name, "FINAL_VAR", names=(name,)) is None


@pytest.mark.parametrize(
    "text",
    [
        "17",
        "yes",
        "no",
        "0",
        "[]",
        "True",
        "Label: spam",
        "Answer: entity is less common than location",
        "None of the rooms leak again.",
        "Unknown: the letters do not say who paid.",
        "Let me know",
        "Let It Be",
        "I will always love you",
        "I will resign on Monday.",
        "I need to verify my identity",
        "I have to find out why the transfer failed.",
        '"I will now look at the roof", wrote the plumber.',
        "I'll find 3 rooms in the list: A12, B07, C02.",
        "Polk County",
        "Nothing But Thieves",
        "North America",
        "(1, 2)\n(3, 4)",
        "result: 4 rooms",
        "x" * 70_000,
    ],
)
def test_a_real_answer_is_not_sent_back(text: str) -> None:
    assert reason_for(text, names=("yes", "no", "rooms", "text", "unknown")) is None


def test_an_answer_beside_output_and_one_before_looking_are_sent_back_once_each() -> None:
    guards = Guards()
    assert guards.refusal([ran("17", touched=False)], Answer("17")) == NOT_LOOKED
    assert guards.refusal([ran("17", touched=False)], Answer("17")) == UNSEEN
    assert guards.refusal([ran("17", touched=False)], Answer("17")) is None


def test_nothing_but_an_empty_answer_is_sent_back_in_the_last_turn_or_with_the_guards_off() -> None:
    assert Guards().refusal([ran("17")], Answer("unknown"), last_turn=True) is None
    assert Guards(on=False).refusal([ran("17")], Answer("unknown")) is None
