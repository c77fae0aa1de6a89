"""Items read out of an answer: lines in the forms that models write, numbers, and names as whole words."""

from __future__ import annotations

import pytest

from rlm_core.listed import Names, listed, name_key, told_number
from rlm_core.task import Finding


@pytest.mark.parametrize(
    ("line", "item", "label", "quote", "source"),
    [
        ('A12 | yes | "Wet." | a.txt:3', "A12", "yes", "Wet.", "a.txt:3"),
        ("| A12 | yes | Wet. | a.txt |", "A12", "yes", "Wet.", "a.txt"),
        ("3. `A12` | *no*", "A12", "no", None, None),
        ("A12 | unknown |", "A12", "unknown", None, None),
        ('A12 | yes | "He said "wet" again" | a.txt', "A12", "yes", 'He said "wet" again', "a.txt"),
    ],
)
def test_a_line_of_an_answer_is_read_in_the_forms_that_models_write(line, item, label, quote, source):
    assert listed(f"Two rooms.\n{line}\nThat is all.") == [Finding(item, label, quote, source)]


def test_what_is_no_item_in_an_answer_is_left_out():
    table = "| item | label |\n|---|:--:|\n| A1 | yes |\n\na | b is only prose with a bar in it that goes on for far too long\n|"
    assert [finding.item for finding in listed(table)] == ["A1"]
    assert listed("a || b\n | yes\nx |  | y") == []
    assert listed(f"{'i' * 300} | yes") == []


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("17 rooms", 17),
        ("**1,204** rooms", 1204),
        ("21: A05, A09", 21),
        ("1. A12 is wet", None),
        ("2021-05-03 was wet", None),
        ("There are 3", None),
        ("3.5 litres", None),
        ("", None),
    ],
)
def test_the_number_that_an_answer_begins_with_is_told_from_lists_and_dates(answer, number):
    assert told_number(answer) == number


def test_names_are_looked_for_as_whole_words():
    names = Names("Rooms A1,\nB 2 and c3_x; (D4)")
    assert [names.has(each) for each in ("a1", "B  2", "C3", "D4", "(D4)", "A", "oom")] == [
        True,
        True,
        False,
        True,
        True,
        None,
        False,
    ]
    assert name_key("  A 12 .") == "a 12"


# ---------------------------------------------------------------------- what was not shown
