"""What a comparison comes to, in words."""

from __future__ import annotations

import pytest
from compared_runs import NO, UNKNOWN, YES, found, said, view

from rlm_core.compare import compare
from rlm_core.evidence.reach import Unseen
from rlm_core.headlines import noun


def test_same_total_and_different_items():
    one = view("a", found(("A", YES), ("B", YES)))
    other = view("b", found(("B", YES), ("C", YES)))
    assert said(one, other) == (
        "Same total, different rooms",
        [
            "Both answer 2.",
            "They agree on 1 room.",
            "1 room that A counts and B does not: A.",
            "1 room that B counts and A does not: C.",
        ],
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
    assert said(one, other) == (
        "Different answers: 2 and 1",
        ["They agree on 1 room.", "1 room that A counts and B does not: B."],
    )


def test_what_makes_the_difference_is_named_in_order_and_many_are_cut_with_a_count():
    rooms = [f"R{number}" for number in range(15, 0, -1)]
    one, other = view("a", found(*[(room, YES) for room in rooms]), "15 rooms"), view("b", found(("R3", YES)), "1 room")
    text, lead = said(one, other)
    assert text == "Different answers: 15 and 1"
    names = "R1, R2, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13"
    assert lead[1] == f"14 rooms that A counts and B does not: {names} and 2 more."
    long = said(view("a", found(("x" * 80, YES)), "1 room"), view("b", found(("B", NO)), "0 rooms"))[1][1]
    assert long == f"1 room that A counts and B does not: {'x' * 29}…."


def test_why_runs_part_is_said_where_it_is_known():
    cut = (Unseen("late.txt", 0, 900),)
    one = view("a", found(("A", YES), ("B", YES)), "2 rooms", place=("late.txt", 40))
    other = view("b", found(("A", UNKNOWN)), "0 rooms", unseen=cut)
    assert said(one, other)[1][1:] == [
        "2 rooms that A counts and B does not: A, B.",
        "Of the 2 rooms that A counts and B does not, the passages that decide all were never shown to B: "
        "they lay outside its window, as it noted.",
        "~900 of 1,000 characters lay outside the window of B, as it noted.",
    ]
    same = view("b", found(("A", UNKNOWN)), "0 rooms", place=("late.txt", 40))
    counted = "2 rooms that A counts and B does not: A, B; for 1 of them both quote the same sentence."
    assert said(one, same)[1][1] == counted
    single = view("a", found(("A", YES)), "1 room", place=("late.txt", 40))
    assert said(single, same)[1][1] == "1 room that A counts and B does not: A; both quote the same sentence."
    assert len(said(one, view("b", found(("A", NO)), "0 rooms", place=("early.txt", 2)))[1]) == 2


def test_of_what_was_never_shown_only_the_items_that_are_counted_are_told():
    cut = view("a", answer='A | no | "x"', unseen=(Unseen("late.txt", 0, 900),))
    items = (("A", YES), ("B07", YES), ("C12", YES), ("D01", NO), ("D02", UNKNOWN))
    early = view("c", found(("E03", YES)), "1 room", place=("early.txt", 2))
    late = view("b", found(*items), "3 rooms", place=("late.txt", 40))
    never = [each for each in said(cut, late, early)[1] if "never shown" in each]
    assert never == [
        "Of the 4 rooms that others count and A does not, the passages that decide 3 were never shown to A: "
        "they lay outside its window, as it noted (A, B07, C12)."
    ]


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
    assert lead == ["They agree on no rooms.", "1 room that A counts and B does not: A."]


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


def test_two_words_for_what_the_answers_count_are_one_label_and_that_is_said():
    one = view("a", found(("q1", "leak"), ("q2", "leak")), "2 orders.")
    other = view("b", found(("q1", "yes"), ("q2", "yes"), ("q3", "no")), "2 orders.")
    comparison = compare([one, other])
    assert (comparison.told_label, comparison.taken) == ("yes", {0: "leak"})
    assert [(item.name, item.status) for item in comparison.items] == [("q3", "only"), ("q1", "agree"), ("q2", "agree")]
    assert [each.label for each in comparison.items[1].said] == ["leak", "yes"]
    headline, sentences = said(one, other)
    assert headline == "Same 2 rooms, other labels differ"
    assert "A says “leak” where others say “yes”: that is what its answer counts." in sentences


def test_a_label_that_no_answer_counts_stands_for_no_other():
    one = view("a", found(("q1", "leak"), ("q2", "leak")), "7 orders.")
    other = view("b", found(("q1", "yes"), ("q2", "yes")), "2 orders.")
    comparison = compare([one, other])
    assert (comparison.taken, [item.status for item in comparison.items]) == ({}, ["differ", "differ"])


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
