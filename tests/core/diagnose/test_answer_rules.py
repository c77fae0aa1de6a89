"""Rules on how an answer was given and on what it rests, each at a fault and at a near miss."""

from __future__ import annotations

from pathlib import Path

import pytest
from diagnosed import CHANGES, NOTE, cell, told, where
from runs import LOOK, answering, corpus_of, run_scripted, scripted

from rlm_core.corpus.corpus import Corpus
from rlm_core.diagnose.answers import (
    answered_before_looking,
    answered_beside_unseen_output,
    name_for_value,
    no_answer_at_all,
)
from rlm_core.diagnose.counts import (
    count_unlike_its_own_list,
    count_unlike_the_findings,
    list_unlike_the_findings,
    number_unlike_the_result,
)
from rlm_core.diagnose.ending import (
    broke_off,
    decided_twice,
    findings_without_proof,
    lost_children,
    quotes_that_do_not_stand,
    stopped_by_a_limit,
)
from rlm_core.diagnose.sums import wrong_sum_in_words
from rlm_core.diagnose.symptoms import ChangeModel, ForkWith, RaiseLimit
from rlm_core.errors import CallError
from rlm_core.lm.client import Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Limits


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def test_an_answer_before_looking_is_named_at_the_turn_that_first_gave_it(corpus: Corpus) -> None:
    assert where(answered_before_looking, run_scripted(corpus, scripted("FINAL(7)", "FINAL(7)"))) == [
        ("f1.t1", CHANGES)
    ]
    (symptom,) = told(answered_before_looking, run_scripted(corpus, scripted("FINAL(7)", "FINAL(7)")))
    assert isinstance(symptom.remedy, ForkWith)
    assert symptom.remedy.turn == 1


def test_who_looked_before_answering_or_had_nothing_to_look_at_is_not_named(corpus: Corpus) -> None:
    assert where(answered_before_looking, run_scripted(corpus, scripted("FINAL(7)", LOOK, answering("7")))) == []
    assert where(answered_before_looking, run_scripted(corpus, scripted("2 rooms."), strategy="base")) == []


def test_a_name_that_is_not_that_of_a_variable_or_is_its_own_value_is_an_answer(corpus: Corpus) -> None:
    for ending in ('found_it = "found_it"\nFINAL_VAR("found_it")', 'FINAL_VAR("May_report")'):
        assert where(name_for_value, run_scripted(corpus, scripted(LOOK, cell(ending)))) == []
    ran = run_scripted(corpus, scripted(LOOK, cell('result = "17"\nfinal = "result"\nFINAL_VAR("final")')))
    assert where(name_for_value, ran) == [("f1.t2.c1", CHANGES)]


RECORD = (
    'for item in ("A12", "B07", "C02"):\n    record(item, "yes", quote="dripped again after heavy rain")\nlen(context)'
)


def test_a_count_that_is_not_that_of_the_items_it_names_is_named(corpus: Corpus) -> None:
    wrong = run_scripted(corpus, scripted(cell(RECORD), answering("5 rooms: A12, B07, C02.")))
    assert where(count_unlike_the_findings, wrong) == [("f1.t2", CHANGES)]
    for right in (
        "3 rooms: A12, B07, C02.",
        "5.5 hours on A12, B07 and C02.",
        "Rooms A12, B07, C02, of 5.",
        "5 rooms.",
    ):
        assert where(count_unlike_the_findings, run_scripted(corpus, scripted(cell(RECORD), answering(right)))) == []


def test_a_count_that_code_has_printed_is_believed(corpus: Corpus) -> None:
    ran = run_scripted(
        corpus, scripted(cell(f"{RECORD}\nprint('reports:', 5)"), answering("5 reports name A12, B07, C02."))
    )
    assert where(count_unlike_the_findings, ran) == []


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("6 rooms: A12, B07, C02, D01.", True),
        ("4 rooms: A12, B07, C02, D01.", False),
        ("4 rooms: A12, B07, C02 and D01. One more, E05, is undecided.", False),
        ("6 rooms, such as these: A12, B07, C02, D01.", False),
        ("6 rooms: A12, B07, C02, D01 and 2 more.", False),
        ("6 rooms: 2 in A, 2 in B, 1 in C, 1 in D.", False),
        ("6 rooms leaked again.", False),
    ],
)
def test_a_count_that_is_not_the_length_of_its_own_list_is_named(corpus: Corpus, answer: str, named: bool) -> None:
    ran = run_scripted(corpus, scripted(LOOK, answering(answer)))
    assert where(count_unlike_its_own_list, ran) == ([("f1.t2", CHANGES)] if named else [])


DECIDED = "for item in ('A1', 'A2', 'A3', 'B1', 'B2'):\n    record(item, 'no' if item == 'B2' else 'yes')\nprint(len(context))"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("5 rooms: A1, A2, A3, B1, B2.", "The answer lists what was recorded as yes, but for B2 is no."),
        ("4 rooms: A1, A2, A3, B1.", ""),
        ("4 rooms: A1, A2, A3, B1. Not B2.", ""),
        ("3 rooms: A1, A2, A3.", ""),
        ("5 rooms: A1, A2, A3, B1 and more.", ""),
    ],
)
def test_a_list_that_was_recorded_otherwise_is_named(corpus: Corpus, answer: str, says: str) -> None:
    found = told(list_unlike_the_findings, run_scripted(corpus, scripted(cell(DECIDED), answering(answer))))
    assert [each.says for each in found] == ([says] if says else [])


def test_a_recorded_item_that_the_list_leaves_out_is_named(corpus: Corpus) -> None:
    five = DECIDED.replace("'no' if item == 'B2' else 'yes'", "'yes'")
    found = told(
        list_unlike_the_findings, run_scripted(corpus, scripted(cell(five), answering("4 rooms: A1, A2, A3, B1.")))
    )
    assert [each.says for each in found] == ["The answer lists what was recorded as yes, but for B2 is left out."]


@pytest.mark.parametrize(
    ("output", "answer", "named"),
    [
        ("'yes:', 17", "14 rooms leaked again.", True),
        ("'17 rooms: E-01, E-02, E-03, E-04'", "14 rooms leaked again.", True),
        ("'yes:', 17", "17 rooms leaked again.", False),
        ("12, 5, 'rooms'", "17 rooms leaked again.", False),
        ("12, 5, 'rooms'", "7 rooms leaked again.", False),
        ("'A12 dripped, B07 is dry'", "14 rooms leaked again.", False),
        ("*range(50)", "314 rooms leaked again.", False),
    ],
)
def test_a_typed_number_that_is_not_the_last_result_and_stands_nowhere_is_named(
    corpus: Corpus, output: str, answer: str, named: bool
) -> None:
    ran = run_scripted(corpus, scripted(cell(f"print({output}, context[0][:0])"), answering(answer)))
    assert where(number_unlike_the_result, ran) == ([("f1.t2", CHANGES)] if named else [])


def test_a_quote_that_is_not_there_is_named_where_the_answer_names_its_item(corpus: Corpus) -> None:
    invented = cell('record("A12", "yes", quote="the roof fell in on a Monday in June")\nprint(len(context))')
    ran = run_scripted(corpus, scripted(invented, answering("1 room: A12.")))
    assert where(quotes_that_do_not_stand, ran) == [("f1.t1.c1.r1", CHANGES)]
    assert where(quotes_that_do_not_stand, run_scripted(corpus, scripted(invented, answering("none is certain")))) == []
    found = cell('record("A12", "yes", quote="dripped again after heavy rain")\nprint(len(context))')
    assert where(quotes_that_do_not_stand, run_scripted(corpus, scripted(found, answering("1 room: A12.")))) == []


def test_an_item_with_two_labels_is_good_to_know_and_one_recorded_twice_is_not(corpus: Corpus) -> None:
    twice = cell(
        "record('A12', 'yes')\nrecord('A12', 'no')\nrecord('B07', 'no')\nrecord('B07', 'no')\nprint(len(context))"
    )
    (symptom,) = told(decided_twice, run_scripted(corpus, scripted(twice, answering("1"))))
    assert (symptom.severity, symptom.says) == (NOTE, "A12 was recorded as yes, then no.")


def test_a_limit_is_named_at_the_cell_whose_calls_it_refused_with_a_higher_one(corpus: Corpus) -> None:
    many = cell("said = llm_query_batched([f'part {n}' for n in range(50)])\nprint(sum(map(bool, said)))")
    ran = run_scripted(corpus, scripted(LOOK, many, answering("1")), limits=Limits(max_calls=20))
    (symptom,) = told(stopped_by_a_limit, ran)
    assert symptom.span == "f1.t2.c1"
    assert isinstance(symptom.remedy, RaiseLimit)
    assert (symptom.remedy.name, symptom.remedy.turn) == ("max_calls", 2)
    assert symptom.remedy.value > 50
    assert where(stopped_by_a_limit, run_scripted(corpus, scripted(LOOK, many, answering("1")))) == []


def test_a_run_that_is_out_of_turns_is_named_at_its_last_turn(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK, LOOK, LOOK, "FINAL(2)"), limits=Limits(max_turns=3))
    (symptom,) = told(stopped_by_a_limit, ran)
    assert (symptom.span, symptom.severity) == ("f1.t3", CHANGES)


def test_a_run_that_failed_is_named_at_the_call_that_failed_with_another_model_where_that_may_help(
    corpus: Corpus,
) -> None:
    ran = run_scripted(corpus, scripted(LOOK, CallError("There is no model of this name.", "unknown_model")))
    (symptom,) = told(broke_off, ran)
    assert (symptom.span, symptom.remedy) == ("f1.t2.k1", ChangeModel("root", 2))
    assert "no model of this name" in symptom.evidence[0].text
    ran = run_scripted(corpus, scripted(LOOK, "Hm.", "Hm.", "Hm."))
    (symptom,) = told(broke_off, ran)
    assert (symptom.span, symptom.says) == ("f1.t4", "The run stopped before it was done.")
    for well in (scripted(LOOK, answering("1")), scripted(LOOK, LOOK, "FINAL(2)")):
        assert where(broke_off, run_scripted(corpus, well, limits=Limits(max_turns=2))) == []


ASK_CHILD = "said = rlm_query('child: which rooms?', context='Room A12 dripped again. ' * 9)\nprint(repr(said))"


def child_that_fails(times: int) -> ScriptedLM:
    left = [times]

    def reply(request: Request) -> str:
        spoken = sum(message.role == "assistant" for message in request.messages)
        if "How many rooms" in request.messages[1].text:
            return [LOOK, cell(ASK_CHILD), cell(ASK_CHILD), answering("1")][spoken]
        if left[0]:
            left[0] -= 1
            raise RuntimeError("the model is gone")
        return [cell("print(context[:20])"), "FINAL('1 room')"][min(spoken, 1)]

    return ScriptedLM(reply)


def test_a_child_that_did_not_finish_is_named_unless_it_was_asked_again(corpus: Corpus) -> None:
    assert where(lost_children, run_scripted(corpus, child_that_fails(1), options={"depth": 2})) == []
    ran = run_scripted(corpus, child_that_fails(2), options={"depth": 2})
    assert where(lost_children, ran) == [("f1.t2.c1.f1", CHANGES)]


CHAIN = (
    "First 4.5 and 2.0 make 6.5, with 3.5 it is 10.0, 5.0 gives 15.0 and 2.5 makes {fourth}; 1.5 brings it to {last}."
)


@pytest.mark.parametrize(
    ("words", "answer", "named"),
    [
        (CHAIN.format(fourth=16.5, last=18.0), "18.0 hours", True),
        (CHAIN.format(fourth=17.5, last=19.0), "19.0 hours", False),
        (CHAIN.format(fourth=16.5, last=18.0), "19.0 hours", False),
        ("Together 12 + 30 + 7 = 48 rooms.", "48 rooms", True),
        ("Together 12 + 30 + 7 = 49 rooms.", "49 rooms", False),
        ("On 3 May, 4 June and 9 July; rooms 12, 15, 27 and 40.", "40 rooms", False),
        ("Version 1.2.3 + 4.5.6 = 7", "7", False),
        ("2,000 + 500 = 2,500 lines; 0.33 + 0.33 = 0.67.", "2,500 lines, 0.67", False),
    ],
)
def test_a_wrong_step_of_a_sum_in_words_is_named_where_its_result_is_used(
    corpus: Corpus, words: str, answer: str, named: bool
) -> None:
    ran = run_scripted(corpus, scripted(LOOK, f"{words}\n{cell('print(len(context))')}", answering(answer)))
    assert where(wrong_sum_in_words, ran) == ([("f1.t2", CHANGES)] if named else [])


def beside(code: str, answer: str) -> str:
    return cell(f'{code}\nanswer["content"] = {answer}\nanswer["ready"] = True')


def test_an_answer_typed_beside_unseen_output_is_named_unless_an_output_says_the_same(corpus: Corpus) -> None:
    paper = {"options": {"prompt": "paper"}}
    guess = scripted(LOOK, beside("print(len(context))", "'Seventeen rooms: K17, L05, L11'"))
    assert where(answered_beside_unseen_output, run_scripted(corpus, guess, **paper)) == [("f1.t2", CHANGES)]
    for turns in (
        [LOOK, beside("found = 'Seventeen rooms: K17, L05'\nprint(len(context))", "found.upper()")],
        [LOOK, beside("print('rooms: K17, L05, L11')", "'Rooms: K17, L05, L11'")],
        [
            cell("print('seventeen rooms: K17, L05, L11', context[0][:9])"),
            beside("print(1)", "'Seventeen rooms: K17, L05, L11'"),
        ],
        [LOOK, answering("Seventeen rooms: K17, L05, L11")],
    ):
        assert where(answered_beside_unseen_output, run_scripted(corpus, scripted(*turns), **paper)) == []


def test_what_tools_write_where_there_is_no_answer_is_none(corpus: Corpus) -> None:
    for answer, named in (
        ("Max iterations reached.", [CHANGES]),
        ("Error: the server is gone", [CHANGES]),
        ("None", [NOTE]),
        ("No answer can be given without the missing report of June: it alone tells of B07.", []),
        ("Errors in 3 rooms", []),
    ):
        ran = run_scripted(corpus, scripted(LOOK, answering(answer)), options={"prompt": "paper"})
        assert [severity for _, severity in where(no_answer_at_all, ran)] == named, answer


def test_findings_without_a_quote_are_good_to_know(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(cell("record('A12', 'yes')\nprint(len(context))"), answering("1")))
    (symptom,) = told(findings_without_proof, ran)
    assert (symptom.span, symptom.severity) == ("f1.t1.c1.r1", NOTE)
    assert symptom.says == "No proven quote: 1 of 1 finding."
