"""What a comparison comes to, in words."""

from __future__ import annotations

import pytest
from compared_runs import NO, UNKNOWN, YES, found, said, view

from rlm_core.compare import compare
from rlm_core.headlines import noun


def test_same_total_and_different_items():
    one = view("a", found(("A", YES), ("B", YES)))
    other = view("b", found(("B", YES), ("C", YES)))
    assert said(one, other) == (
        "Same total, different rooms",
        ["Both answer 2.", "They agree on 1 room; each names 1 that the other does not."],
    )


def test_same_answer_and_same_items():
    one, other = (view(run, found(("A", YES), ("B", YES), ("C", NO))) for run in "ab")
    assert said(one, other) == (
        "Same answer, same rooms",
        ["Both answer 2.", "All 3 items have the same label in both."],
    )


def test_the_same_items_counted_and_others_labelled_differently():
    one = view("a", found(("A", YES), ("B", YES), ("C", NO)))
    other = view("b", found(("A", YES), ("B", YES), ("C", UNKNOWN)))
    assert said(one, other) == (
        "Same 2 rooms, other labels differ",
        [
            "Both answer 2.",
            "They agree on 2 rooms.",
            "On 1 item that none of them calls “yes”, their labels differ.",
        ],
    )


def test_different_answers():
    one = view("a", found(("A", YES), ("B", YES)), "2 rooms")
    other = view(
        "b",
        found(
            ("A", YES),
        ),
        "1 room",
    )
    assert said(one, other) == ("Different answers: 2 and 1", ["They agree on 1 room; A names 1 more."])


def test_a_number_that_is_not_what_is_listed_is_said():
    text, lead = said(view("a", found(("A", YES)), "2 rooms"), view("b", found(("A", YES), ("B", YES))))
    assert text == "Same total, different rooms"
    assert "A answers 2 and says “yes” of 1." in lead


def test_answers_to_different_questions_or_of_different_archives_are_not_set_against_each_other():
    one = view("a", found(("A", YES)), "1 room")
    text, lead = said(one, view("b", found(("A", NO)), "0 rooms", question="Which rooms are dry?"))
    assert text == "Answers to different questions"
    assert lead == ["Items of one name stand side by side, but answer different questions."]
    text, lead = said(one, view("b", found(("A", NO)), "0 rooms", corpus="c-2"))
    assert text == "One question of different archives"
    assert lead == ["They agree on no rooms; A names 1 more."]


def test_only_one_answered():
    text, lead = said(view("a", answer=None, outcome="failed"), view("b", found(("A", YES))))
    assert (text, lead) == ("Only B answered", ["A failed.", "B recorded 1 item."])
    assert said(view("a", answer=None, outcome="cancelled"), view("b", answer=None, outcome="interrupted")) == (
        "Neither answered",
        ["A was cancelled.", "B was interrupted.", "Neither recorded findings: only the answers can be compared."],
    )


def test_without_findings_only_the_answers_can_be_compared():
    only = "Neither recorded findings: only the answers can be compared."
    assert said(view("a", answer="Perhaps."), view("b", answer="No.")) == ("Only the answers can be compared", [only])
    assert said(view("a", answer="21 rooms"), view("b", answer="17 rooms")) == ("Different answers: 21 and 17", [only])
    assert said(view("a", answer="It  is wet."), view("b", answer="It is\nwet."))[0] == "The same answer, word for word"
    assert said(view("a", answer="3 rooms"), view("b", answer="3, I think")) == (
        "Same total: 3",
        ["Both answer 3.", only],
    )


def test_an_answer_that_only_names_items_is_measured_by_the_items_of_the_other():
    one = view("a", answer="Rooms A1 and B2.")
    other = view("b", found(("A1", YES), ("B2", NO), ("C3", YES)), "Two.")
    assert said(one, other) == (
        "A’s answer names 1 of B’s 2 rooms",
        ["B recorded 3 items; A records no findings, so only what its answer names can be shown."],
    )
    assert said(view("a", answer="I do not know."), other)[0] == "A’s answer names none of B’s 2 rooms"


def test_runs_under_way_are_said_to_be_so():
    text, lead = said(view("a", outcome=None), view("b", found(("A", YES))))
    assert (text, lead[-1]) == ("A is still under way", "This page follows them until they end.")
    assert said(view("a", outcome=None), view("b", outcome=None))[0] == "Both are still under way"


def test_labels_that_no_answer_counts_are_compared_item_by_item():
    one = view("a", found(("q1", "person"), ("q2", "place")), "Done.", question="Sort them.")
    other = view("b", found(("q1", "person"), ("q2", "thing"), ("q3", "place")), "Done.", question="Sort them.")
    assert said(one, other) == (
        "Different on 2 items",
        ["They agree on 1 of 3 items and differ on 1; 1 is in one only."],
    )


def test_the_label_that_an_answer_counts_is_found_by_its_number():
    findings = found(("a", "wet"), ("b", "wet"), ("c", "dry"))
    assert compare([view("a", findings, "2 rooms"), view("b", findings, "2 rooms")]).told_label == "wet"
    assert compare([view("a", findings, "7 rooms")]).told_label is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("In which rooms did it leak?", "rooms"),
        ("How many Pumps failed?", "pumps"),
        ("Which was the worst?", "items"),
        ("Which class is it?", "items"),
        ("Sort them.", "items"),
    ],
)
def test_what_is_counted_is_named_after_the_question(question, expected):
    assert noun(compare([view("a", question=question)])) == expected


# ---------------------------------------------------------------------- more runs, and none
