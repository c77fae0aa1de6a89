"""Rules on what models were shown, each at a fault and at a near miss."""

from __future__ import annotations

from pathlib import Path

import pytest
from diagnosed import CHANGES, NOTE, NOTHING_SHOWN, WASTES, cell, told, where
from runs import LOOK, answering, corpus_of, run_scripted, scripted

from rlm_core.corpus.corpus import Corpus
from rlm_core.diagnose.lists import list_from_cut_output
from rlm_core.diagnose.shown import (
    answered_from_cut_output,
    beyond_the_window,
    much_was_never_shown,
    printed_too_much,
    records_read_apart,
)
from rlm_core.diagnose.symptoms import ChangeModel
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Limits

LINES = "print('\\n'.join(f'line {n}: tap {n} drips' for n in range(1_000)), context[0][:0])"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def test_an_answer_in_words_right_after_a_cut_output_is_named(corpus: Corpus) -> None:
    limits = Limits(shown_chars=2_000)
    ran = run_scripted(corpus, scripted(cell(LINES), answering("1998 taps")), limits=limits)
    assert where(answered_from_cut_output, ran) == [("f1.t1.c1", CHANGES)]
    counted = [cell(LINES), cell("print(1_000)"), answering("1000 taps")]
    summed = [cell(f"{LINES}\nprint('taps in all:', 1998)"), answering("1998 taps")]
    computed = [cell(f"count = 1_000\n{LINES}"), cell('answer["content"] = str(count)\nanswer["ready"] = True')]
    for turns in (counted, summed, computed):
        assert where(answered_from_cut_output, run_scripted(corpus, scripted(*turns), limits=limits)) == []
    whole = run_scripted(corpus, scripted(cell(LINES), answering("1998 taps")), limits=Limits(shown_chars=50_000))
    assert where(answered_from_cut_output, whole) == []


def test_a_list_typed_from_a_cut_output_is_named_where_the_answer_rests_on_it(corpus: Corpus) -> None:
    many = cell("print('\\n'.join(f'R-{n}: tap drips' for n in range(1_000)), context[0][:0])")
    typed = cell("back = ['R-1', 'R-2', 'R-3', 'R-998', 'R-999']\nprint(len(back))")
    answer = answering("R-1, R-2, R-3, R-998, R-999")
    ran = run_scripted(corpus, scripted(many, typed, answer), limits=Limits(shown_chars=2_000))
    assert where(list_from_cut_output, ran) == [("f1.t1.c1", CHANGES)]
    whole = run_scripted(corpus, scripted(many, typed, answer), limits=Limits(shown_chars=50_000))
    assert where(list_from_cut_output, whole) == []
    short = cell("print('R-1 R-2 R-3 R-998 R-999', context[0][:0])")
    for turns in ([many, typed, answering("none of these")], [many, short, typed, answer]):
        ran = run_scripted(corpus, scripted(*turns), limits=Limits(shown_chars=2_000))
        assert where(list_from_cut_output, ran) == []


def test_an_output_that_is_sent_again_turn_after_turn_is_named(corpus: Corpus) -> None:
    much = cell("print('tap drips ' * 20_000, context[0][:0])")
    turns = [much, *[LOOK] * 6, answering("1")]
    ran = run_scripted(corpus, scripted(*turns), limits=Limits(shown_chars=100_000))
    assert where(printed_too_much, ran) == [("f1.t1.c1", WASTES)]
    assert where(printed_too_much, run_scripted(corpus, scripted(*turns))) == []


def test_what_was_cut_to_fit_the_window_is_named_with_another_model(corpus: Corpus) -> None:
    class Narrow(ScriptedLM):
        def window_tokens(self, model: str) -> int | None:
            return 110

    lm = Narrow(lambda request: "2 rooms.")
    (symptom,) = told(beyond_the_window, run_scripted(corpus, lm, strategy="base", options={"overflow": "cut"}))
    assert (symptom.span, symptom.severity, symptom.remedy) == ("f1", CHANGES, ChangeModel("root"))
    assert "did not fit the window" in symptom.evidence[0].text
    (symptom,) = told(beyond_the_window, run_scripted(corpus, lm, strategy="base"))
    assert "does not fit" in symptom.says
    assert where(beyond_the_window, run_scripted(corpus, scripted("2 rooms."), strategy="base")) == []


def test_what_was_never_shown_is_good_to_know_of_a_run_that_had_helpers_read(corpus: Corpus) -> None:
    read = cell("print(llm_query_batched([f'{n}: {context[0]}' for n in range(6)]))")
    ran = run_scripted(corpus, scripted(LOOK, read, answering("1")))
    assert where(much_was_never_shown, ran, NOTHING_SHOWN) == [("run", NOTE)]
    assert where(much_was_never_shown, ran) == []
    assert where(much_was_never_shown, run_scripted(corpus, scripted(LOOK, answering("1"))), NOTHING_SHOWN) == []


MONTHS = {
    f"{month}.txt": "\n\n".join(f"Room {room}\n{month} entry on {room}" for room in ("A1", "B2", "C3"))
    for month in "abcdef"
}
BY_MONTH = "said = llm_query_batched([f'Which rooms?\\n\\n{doc}' for doc in context])\nprint(len(said))"
BY_ROOM = """
def story(room):
    blocks = [block for doc in context for block in doc.split("\\n\\n") if block.startswith(f"Room {room}")]
    return "\\n\\n".join(blocks)

said = llm_query_batched([f'Which rooms?\\n\\n{story(room)}' for room in ("A1", "B2", "C3", "A1", "B2")])
print(len(said))
"""
RECORD = "for room in ('A1', 'B2', 'C3'):\n    record(room, 'yes')\nprint(len(context))"


def test_items_whose_parts_went_to_different_calls_are_named_unless_somebody_saw_them_together(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, MONTHS)
    ran = run_scripted(corpus, scripted(cell(BY_MONTH), cell(RECORD), answering("3")))
    (symptom,) = told(records_read_apart, ran)
    assert (symptom.span, symptom.severity) == ("f1.t1.c1", CHANGES)
    assert "3 of 3 items were cut into parts" in symptom.says
    for turns in ([BY_ROOM, RECORD], [BY_MONTH, "print('\\n\\n'.join(context))", RECORD], [BY_MONTH]):
        ran = run_scripted(corpus, scripted(*map(cell, turns), answering("3")))
        assert where(records_read_apart, ran) == []
    ran = run_scripted(corpus, scripted(cell(BY_MONTH), cell(RECORD), answering("3")), question="Which rooms are wet?")
    assert where(records_read_apart, ran) == [("f1.t1.c1", NOTE)]


def test_rows_of_one_item_in_different_calls_are_its_parts_and_a_name_in_passing_is_none(tmp_path: Path) -> None:
    rows = {
        f"{month}.csv": "\n".join(f"{{}}{room}, opened in {month}" for room in ("A1", "B2", "C3")) for month in "abcdef"
    }
    for form, severities in (("", [CHANGES]), ("2023-05-01 ", [CHANGES]), ("the tap is near to ", [])):
        corpus = corpus_of(tmp_path / str(len(form)), {name: text.replace("{}", form) for name, text in rows.items()})
        ran = run_scripted(corpus, scripted(cell(BY_MONTH), cell(RECORD), answering("3")))
        assert [severity for _, severity in where(records_read_apart, ran)] == severities, form
