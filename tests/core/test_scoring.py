"""How right an answer is: what each rule reads, and where it errs."""

import pytest

from rlm_core.scoring import MATCHES, RightAnswer, is_usable, items_of, score, told_numbers


@pytest.mark.parametrize(
    ("match", "right", "answer", "value"),
    [
        ("number", 40, "40 advisories say so.", 1),
        ("number", 40, "There are **40** of them", 1),
        ("number", 1200, "1,200", 1),
        ("number", "40", "41", 0),
        ("number", 40, "many", 0),
        ("number", 40, "In 2024 there were 40.", 0),
        ("near", 100, "109", 1),
        ("near", 100, "111", 0),
        ("near", {"orders": 119, "others": []}, "119 orders", 1),
        ("exact", "Blue", " blue. ", 1),
        ("exact", "blue", "It is blue", 0),
        ("exact", 7, "7", 1),
        ("list", ["a1", "b2"], "- A1\n- B2", 1),
        ("list", ["b2", "a1"], "- A1\n- B2", 0),
        ("set", ["b2", "a1"], "2 rooms: A1 and B2.", 1),
        ("set", ["b2"], "2 rooms: A1, B2", 0),
        ("f1", ["A1", "B2", "C3"], "A1, B2, D4", 2 / 3),
        ("f1", [], "[]", 1),
        ("f1", ["A1"], "A1 | yes\nB2 | no\nC3 | unknown", 1),
        ("first", [["/a.jar", 61], ["/b.gif", 32]], "It is /a.jar with 61, before /b.gif.", 1),
        ("first", [["/a.jar", 61], ["/b.gif", 32]], "/b.gif, then /a.jar", 0),
        ("table", [["memory", 264], ["denial", 12]], "| memory | 264 |\n| denial | 12 |", 1),
        ("table", [["memory", 264], ["denial", 12]], "memory 264, denial 13", 0),
    ],
)
def test_an_answer_is_as_right_as_its_rule_says(match, right, answer, value):
    assert score(answer, RightAnswer(right, match)) == pytest.approx(value)


def test_without_an_answer_or_a_right_one_there_is_no_score():
    assert score(None, RightAnswer(1, "number")) is None
    assert score("1", None) is None
    assert score("1", RightAnswer("no number", "number")) is None


def test_numbers_within_names_and_versions_are_none():
    assert told_numbers("A12 of v2.0.1 on 2024-05-06: -3 and 1,000.5, so 7.") == [-3, 1000.5, 7]


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        ('["A12", "B07"]', ["A12", "B07"]),
        ("[not json", ["[not json"]),
        ('2 rooms\n\nA12 | yes | "wet" | a.txt\nB07 | no\nC02 | yes', ["A12", "C02"]),
        ('1 room: A12.\n- A12: "Dripped again, twice." (a.txt:8)\n- **B07** - dry', ["A12", "B07"]),
        ("2 rooms: A12 and B07.", ["A12", "B07"]),
        ("A12; B07; a12", ["A12", "B07"]),
        ("", []),
    ],
)
def test_items_are_read_by_the_form_of_the_answer(answer, items):
    assert items_of(answer) == items


def test_an_answer_of_thousands_of_brackets_has_items_that_nobody_asked_for():
    assert score("[" * 100_000, RightAnswer(["A12"], "set")) == 0.0


@pytest.mark.parametrize("match", MATCHES)
def test_a_right_answer_that_cannot_be_reckoned_with_is_not_usable(match):
    deep = "x"
    for _ in range(900):
        deep = [deep]
    for given in (deep, {"a": deep}, 10**400, [["A12", 10**400]]):
        assert not is_usable(RightAnswer(given, match))
