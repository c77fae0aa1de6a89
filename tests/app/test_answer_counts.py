"""An answer set against the findings of its run, where that can be told without guessing."""

from __future__ import annotations

import pytest

from app.answer_counts import differences, number_of
from rlm_core.looks.node_shapes import FindingFacts


def findings(**labels: str) -> list[FindingFacts]:
    return [FindingFacts(item, label, "", "", "", None, span=f"of {item}") for item, label in labels.items()]


RECORDED = findings(A1="yes", A2="yes", A3="yes", B1="no", B2="no", C1="unknown")


def said(answer: str, *named: str, recorded: list[FindingFacts] = RECORDED) -> list[str]:
    return differences(answer, recorded, {f"of {item}" for item in named})


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("12 rooms: A05", 12),
        ("**1,204** rooms", 1204),
        ("Answer: 7", 7),
        ("  Total 7.", 7),
        ("3.5 metres", None),
        ("2021-05-01 it came back", None),
        ("12% of them", None),
        ("7th of May", None),
        ("Rooms 12 and 13", None),
        ("1/3 of the rooms", None),
        ("", None),
    ],
)
def test_the_number_of_an_answer_is_the_whole_number_that_it_begins_with(answer: str, number: int | None) -> None:
    assert number_of(answer) == number


def test_an_answer_that_leaves_out_recorded_items_names_what_it_leaves_out() -> None:
    assert said("2 rooms: A1, A2.", "A1", "A2") == [
        "The answer says 2; 3 items were recorded as yes.",
        "Of the 3 items recorded as yes, the answer names 2; not named: A3.",
    ]
    many = findings(**{f"A{number}": "yes" for number in range(20)})
    (line,) = said("A0 came back.", "A0", recorded=many)
    assert line.endswith("names 1; not named: A1, A2, A3, A4, A5, A6, A7, A8 and 11 more.")


def test_a_number_that_no_label_was_recorded_as_often_as_is_said() -> None:
    assert said("5") == ["The answer says 5; the findings are 3 yes, 1 unknown, 2 no."]
    assert said("5 rooms: A1, A2, A3", "A1", "A2", "A3") == ["The answer says 5; 3 items were recorded as yes."]


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("3 rooms: A1, A2, A3.", ("A1", "A2", "A3")),
        ("A1, A2 and A3.", ("A1", "A2", "A3")),
        ("3 rooms, A1 among them.", ("A1",)),
        ("A1 came back, B1 did not.", ("A1", "B1")),
        ("2", ()),
        ("6 rooms were looked at.", ()),
        ("Some rooms.", ()),
    ],
)
def test_nothing_is_said_where_nothing_differs_or_it_cannot_be_told(answer: str, named: tuple[str, ...]) -> None:
    assert said(answer, *named) == []


def test_nothing_is_said_of_a_run_without_findings() -> None:
    assert said("5 rooms", recorded=[]) == []
    assert said("0 rooms", recorded=[]) == []
