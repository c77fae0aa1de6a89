"""Runs side by side: items aligned over runs, what an answer says of them, what a run was not shown, and the headline."""

from __future__ import annotations

from pathlib import Path

import pytest
from compared_runs import NO, QUESTION, UNKNOWN, YES, found, said, statuses, view
from runs import answering, corpus_of, run_scripted, scripted

from rlm_core import events as ev
from rlm_core.compare import Quoted, compare
from rlm_core.evidence.reach import Unseen
from rlm_core.headlines import headline
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.passages import Passage
from rlm_core.task import Answer, Finding, Task
from rlm_core.view import RunView


def test_items_are_aligned_and_those_on_which_the_runs_part_come_first():
    one = view("a", found(("A2", YES), ("A10", YES), ("B1", YES), ("M31", YES)))
    other = view("b", found(("A10", YES), ("A2", YES), ("B1", NO), ("H4", YES)))
    comparison = compare([one, other])
    assert statuses(comparison) == [
        ("B1", "differ"),
        ("M31", "only"),
        ("H4", "only"),
        ("A2", "agree"),
        ("A10", "agree"),
    ]
    assert [said.how for said in comparison.items[1].said] == ["recorded", "nothing"]
    assert comparison.items[0].said[1].quotes[0] == Quoted(
        "B1 is wet", "", ev.QuoteChecked("exact", "a.txt", 0, 5, 7), "f1.r3"
    )


def test_of_items_in_one_status_the_counted_label_comes_first_and_no_comes_last():
    comparison = compare([view("a", found(("A", NO), ("B", UNKNOWN), ("C", "perhaps"), ("D", YES))), view("b")])
    assert [item.name for item in comparison.items] == ["D", "C", "B", "A"]


def test_of_the_items_on_which_runs_part_those_that_an_answer_counts_come_first():
    one = view("a", found(("A", NO), ("B", YES), ("C", YES), ("D", UNKNOWN)))
    other = view("b", found(("A", UNKNOWN), ("B", NO), ("E", NO)))
    assert [item.name for item in compare([one, other]).items] == ["B", "C", "A", "D", "E"]


def test_names_and_labels_are_the_same_but_for_case_spaces_and_their_end():
    one = view("a", found(("Room  A12.", "Yes"), ("007", YES)))
    other = view("b", found((" room a12", "yes "), ("7", YES)))
    expected = [("007", "only"), ("7", "only"), ("Room  A12.", "agree")]
    assert statuses(compare([one, other])) == expected


def test_an_item_that_was_corrected_has_its_last_label_whatever_its_spelling():
    one = view("a", found(("A12", YES), ("a12 ", NO), ("B1", YES), ("B1", YES)))
    comparison = compare([one, view("b", found(("A12", NO), ("B1", YES)))])
    assert statuses(comparison) == [("B1", "agree"), ("A12", "agree")]
    assert [len(item.said[0].quotes) for item in comparison.items] == [1, 1]  # the same words twice stand once
    assert comparison.runs[0].decided == 2


def test_the_facts_of_a_run_count_quotes_that_are_exact_and_leave_unknown_what_is_unknown():
    comparison = compare([view("a", [*found(("A", YES)), Finding("B", NO)]), view("b", answer="none")])
    one, other = comparison.runs
    assert (one.exact, one.decided, one.items_from, one.told) == (1, 2, "findings", 2)
    assert (other.exact, other.decided, other.items_from) == (None, 0, "nowhere")
    assert (one.totals.cost_usd, one.totals.calls, one.free, one.chars) == (0.25, 1, False, 1000)
    assert one.elapsed_s(999.0) == 8.0


# ---------------------------------------------------------------------- answers in place of findings

LINES = '2: A1, B2. \n\nA1 | yes | "It | drips again." | a.txt:3\n- **B2** | yes | “Wet.” | [b.txt]\nC3 | no'


def test_lines_of_an_answer_are_read_as_the_items_of_a_run_that_recorded_none():
    comparison = compare([view("a", answer=LINES), view("b", found(("A1", YES), ("B2", NO)))])
    assert statuses(comparison) == [("B2", "differ"), ("C3", "only"), ("A1", "agree")]
    first = comparison.items[-1].said[0]
    assert (first.how, first.label) == ("listed", "yes")
    assert first.quotes == (Quoted("It | drips again.", "a.txt:3", None, None),)
    assert comparison.runs[0].items_from == "answer"
    assert comparison.runs[0].exact is None


def test_quotes_of_listed_items_are_looked_for_by_the_caller_in_the_corpus_of_the_run():
    asked: list[tuple[str, int]] = []

    def look_up(corpus: str, lines: object) -> list[ev.QuoteChecked | None]:
        asked.append((corpus, len(lines)))  # type: ignore[arg-type]
        return [ev.QuoteChecked("exact", "a.txt", 1, 2, 3), ev.QuoteChecked("not found"), None]

    comparison = compare([view("a", answer=LINES), view("b", found(("A1", YES)))], look_up=look_up)
    assert asked == [("c-1", 3)]
    assert (comparison.runs[0].exact, comparison.runs[0].decided) == (1, 3)


def test_a_run_with_findings_is_read_by_them_alone():
    comparison = compare([view("a", found(("A1", YES)), answer=LINES), view("b", found(("A1", YES)))])
    assert statuses(comparison) == [("A1", "agree")]


def test_an_answer_in_prose_only_names_items_and_that_is_no_finding():
    prose = view("a", answer="The leak came back in room a12, as well as B-07 and K020. Not in x.")
    items = found(("A12", YES), ("B-07", YES), ("K02", YES), ("X", YES), ("Room A12", NO))
    comparison = compare([prose, view("b", items)])
    hows = {item.name: item.said[0].how for item in comparison.items}
    assert hows == {"A12": "named", "Room A12": "named", "B-07": "named", "K02": "not named", "X": "not looked for"}
    assert {item.name: item.status for item in comparison.items}["A12"] == "named"
    assert {item.name: item.status for item in comparison.items}["K02"] == "only"
    assert not comparison.items[0].said[0].labelled


def test_the_whole_of_a_long_answer_is_asked_for():
    one = view("a", answer="x")
    finished = one.nodes["run"].finished
    assert isinstance(finished, ev.RunFinished)
    reference = {"$text": "sha", "chars": 9000, "head": "no items"}
    one.nodes["run"].finished = ev.RunFinished("answered", Answer(reference))  # type: ignore[arg-type]

    def whole(text: Passage) -> str:
        return LINES if text.sha == "sha" else text.head

    assert compare([one, view("b")], whole).runs[0].answer == LINES


def test_an_item_quoted_from_what_a_run_was_not_shown_is_not_seen_there():
    cut = view("a", answer="1 room\nA1 | yes", unseen=(Unseen("b.txt", 0, 400), Unseen("a.txt", 90, 100)))
    other = view("b", found(("A1", YES), ("H4", YES)), place=("b.txt", 200))
    comparison = compare([cut, other])
    said = {item.name: item.said[0] for item in comparison.items}
    assert said["H4"].how == "not seen"
    assert said["H4"].missed.part == Unseen("b.txt", 0, 400)
    assert said["A1"].how == "listed"
    assert comparison.runs[0].reach.chars_outside == 410
    assert headline(comparison).lead[-2:] == (
        "The passage that decides H4 was never shown to A: it lay outside its window, as it noted.",
        "~410 of 1,000 characters lay outside the window of A, as it noted.",
    )


@pytest.mark.parametrize(("start", "how"), [(99, "not seen"), (60, "not named"), (95, "not seen")])
def test_a_quote_that_begins_before_the_cut_is_seen_only_if_it_ends_before_it(start, how):
    cut = view("a", answer="none", unseen=(Unseen("a.txt", 97, 500),))
    comparison = compare([cut, view("b", found(("H4", YES)), place=("a.txt", start))])
    assert comparison.items[0].said[0].how == how


def test_of_an_item_that_the_answer_only_names_the_passage_that_decides_it_may_have_been_missed_too():
    cut = view("a", answer="A1 | yes\n\nNot counted: H4.", unseen=(Unseen("a.txt", 0, 500),))
    other = view("b", found(("H4", YES), ("A1", YES), ("X9", NO)))
    comparison = compare([cut, other])
    said = {item.name: item.said[0] for item in comparison.items}
    assert (said["H4"].how, said["H4"].missed.part) == ("named", Unseen("a.txt", 0, 500))
    assert said["X9"].how == "not seen"
    never = [each for each in headline(comparison).lead if "never shown" in each]
    assert never == ["The passage that decides H4 was never shown to A: it lay outside its window, as it noted."]


def test_of_several_quotes_those_that_another_run_has_too_come_first_on_both_sides():
    one = view("a", answer=_lines("unknown", "Pipe is back.", "All dry.", "Patch is back."))
    other = view("b", answer=_lines("yes", "Drip is back.", "Patch is back.", "Pipe is back."))
    (item,) = compare([one, other]).items
    assert [[each.quote for each in said.quotes] for said in item.said] == [
        ["Pipe is back.", "Patch is back.", "All dry."],
        ["Pipe is back.", "Patch is back.", "Drip is back."],
    ]


def _lines(label: str, *quotes: str) -> str:
    return "\n".join(f'D6 | {label} | "{quote}"' for quote in quotes)


def test_what_a_real_base_run_cut_is_known_when_a_real_rlm_run_quotes_from_there(tmp_path: Path):
    texts = {"a.txt": "Room A12 is wet. " * 250, "b.txt": "All is dry. " * 350 + "Room H04 drips again."}
    corpus = corpus_of(tmp_path, texts)
    lm = ScriptedLM(lambda request: 'A12 | yes | "Room A12 is wet." | a.txt', window_tokens=1700)
    base = run_scripted(corpus, lm, strategy="base", options={"overflow": "cut"})
    cell = "```repl\nlen(context)\nrecord('H04', 'yes', 'Room H04 drips again.', 'b.txt')\n```"
    rlm = run_scripted(corpus, scripted(cell, answering("1 room: H04")))
    comparison = compare([base.view, rlm.view])
    assert [(item.name, [said.how for said in item.said]) for item in comparison.items] == [
        ("A12", ["listed", "nothing"]),
        ("H04", ["not seen", "recorded"]),
    ]
    assert comparison.runs[0].chars == len(texts["a.txt"]) + len(texts["b.txt"])


# ---------------------------------------------------------------------- the headline


def test_three_runs_agree_where_all_that_have_an_item_agree():
    one = view("a", found(("A", YES), ("B", YES)))
    two = view("b", found(("A", YES), ("B", NO)))
    three = view("c", found(("A", YES), ("C", YES)))
    comparison = compare([one, two, three])
    assert statuses(comparison) == [("B", "differ"), ("C", "only"), ("A", "agree")]
    assert [item.having for item in comparison.items] == [(0, 1), (2,), (0, 1, 2)]
    assert said(one, two, three) == (
        "Same total, different rooms",
        [
            "All 3 answer 2.",
            "B answers 2 and says “yes” of 1.",
            "They agree on 1 room.",
            "2 rooms not counted by all: B, C.",
        ],
    )


def test_of_three_runs_those_that_failed_or_list_nothing_are_told_apart():
    one, two = view("a", found(("A", YES))), view("b", found(("A", YES)), answer="2, A")
    assert said(one, two, view("c", answer=None, outcome="failed"))[0] == "Only A and B answered"
    text, lead = said(one, two, view("c", answer="2, I guess"))
    assert text == "Only A and B say what each of the rooms is"
    assert "The one item has the same label in A and B." in lead


def test_nothing_at_all_and_a_run_that_has_not_begun_can_be_compared():
    assert compare([]).items == ()
    queued = RunView()
    queued.run, queued.task = "q", Task(QUESTION, "c-1")
    comparison = compare([queued, view("b", found(("A", YES)))])
    assert (comparison.runs[0].state, comparison.runs[0].elapsed_s(5.0)) == ("queued", None)
    assert comparison.items[0].said[0].how == "nothing"
    assert headline(comparison).text == "A is still under way"


def test_questions_and_archives_that_differ_are_noticed():
    assert compare([view("a"), view("b", question=f" {QUESTION} ")]).same_question
    assert not compare([view("a"), view("b", question="What?")]).same_question
    assert not compare([view("a"), view("b", corpus="c-2")]).same_corpus


def test_texts_that_are_too_long_for_an_event_are_compared_by_their_heads():
    long = {"$text": "sha", "chars": 5000, "head": "It dripped"}
    one = view("a", found(("A", YES)))
    node = next(node for node in one.nodes.values() if node.kind == "finding")
    node.started = ev.FindingRecorded(Finding("A", YES, long))  # type: ignore[arg-type]
    assert compare([one, view("b")]).items[0].said[0].quotes[0].quote == "It dripped … (4,990 more characters)"
