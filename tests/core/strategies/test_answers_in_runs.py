"""Every way in which models give an answer, through real sessions: what is handed over is what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs import Ran, corpus_of, run_scripted, scripted

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.task import Limits

MAKE = "```repl\nresult = 'two rooms'\nrooms = ['A12', 'B07']\nlong = 'x' * 70_000\n```"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def answered(corpus: Corpus, *replies: str, **changes: object) -> Ran:
    """A run of a strategy that sends nothing back, so that a reply's own answer is seen."""
    ran = run_scripted(corpus, scripted(MAKE, *replies), strategy="codeact", **changes)  # type: ignore[arg-type]
    ran.assert_balanced()
    return ran


IN_CODE = {
    'answer["content"] = result\nanswer["ready"] = True': "two rooms",
    'answer.update({"content": result, "ready": True})': "two rooms",
    'answer = {"content": result, "ready": True}': "two rooms",
    "FINAL(result)": "two rooms",
    'FINAL_VAR("result")': "two rooms",
    "FINAL_VAR(result)": "two rooms",
    "FINAL_VAR('two (2) rooms leak')": "two (2) rooms leak",
    "SUBMIT(result)": "two rooms",
    "SUBMIT(answer=result)": "two rooms",
    "FINAL(len(rooms))": "2",
    "FINAL(rooms)": '[\n "A12",\n "B07"\n]',
    "FINAL({'A12': 2.5})": '{\n "A12": 2.5\n}',
    "FINAL(False)": "False",
    "FINAL_VAR('long')": "x" * 70_000,
}


@pytest.mark.parametrize(("code", "text"), IN_CODE.items(), ids=IN_CODE.keys())
def test_an_answer_in_code(corpus: Corpus, code: str, text: str) -> None:
    ran = answered(corpus, f"```repl\n{code}\n```")
    assert (ran.outcome, ran.answer) == ("answered", text)


IN_WORDS = {
    "FINAL(two rooms (A12 and B07))": "two rooms (A12 and B07)",
    "FINAL(result)": "two rooms",
    "FINAL(rooms[1])": "B07",
    'FINAL(", ".join(rooms))': "A12, B07",
    "FINAL(f'{len(rooms)} rooms')": "2 rooms",
    'FINAL("result")': "result",
    "FINAL(nothing_of_that_name)": "nothing_of_that_name",
    "FINAL(yes)": "yes",
    "FINAL_VAR(result)": "two rooms",
    "FINAL_VAR(`long`)": "x" * 70_000,
    "FINAL_VAR(two rooms leak)": "two rooms leak",
    "ANSWER: two rooms": "two rooms",
}


@pytest.mark.parametrize(("words", "text"), IN_WORDS.items(), ids=IN_WORDS.keys())
def test_an_answer_in_words(corpus: Corpus, words: str, text: str) -> None:
    ran = answered(corpus, f"I am done.\n{words}")
    assert (ran.outcome, ran.answer) == ("answered", text)


def test_a_name_that_is_no_variable_is_pointed_out(corpus: Corpus) -> None:
    ran = answered(corpus, "FINAL_VAR(missing)", "FINAL_VAR(result)")
    assert ran.answer == "two rooms"
    assert "there is no variable 'missing'" in ran.feedback(3)


def test_the_answer_variable_given_as_a_name_is_its_content(corpus: Corpus) -> None:
    ran = answered(corpus, '```repl\nanswer["content"] = "17"\n```', "FINAL_VAR(answer)")
    assert ran.answer == "17"


def test_guessed_outputs_are_left_out_and_the_model_is_told(corpus: Corpus) -> None:
    guessing = "```repl\nprint(len(rooms))\n```\nOutput:\n```\n7\n```\nSo:\n```repl\nprint(rooms[0])\n```"
    ran = answered(corpus, guessing, "ANSWER: 2")
    assert [body.code for body in ran.bodies(ev.CellStarted)][1:3] == ["print(len(rooms))", "print(rooms[0])"]
    assert "only the session prints" in ran.feedback(3)
    assert [body.text for body in ran.bodies(ev.Noted) if body.topic == "repaired"] == ["guessed output left out"]


def test_thoughts_are_neither_run_nor_taken_for_an_answer(corpus: Corpus) -> None:
    ran = answered(corpus, "<think>\nFINAL(7)\n```repl\nFINAL(8)\n```\n</think>\nFINAL(result)")
    assert ran.answer == "two rooms"


def test_a_syntax_error_is_shown_and_nothing_is_lost(corpus: Corpus) -> None:
    ran = answered(corpus, "```repl\nprint(rooms\n```", "```repl\nFINAL(rooms[0])\n```")
    assert "SyntaxError" in ran.feedback(3)
    assert ran.answer == "A12"


def test_the_last_word_may_name_a_variable(corpus: Corpus) -> None:
    ran = answered(corpus, "<think>hm</think>FINAL_VAR(long)", limits=Limits(max_turns=1))
    assert (ran.outcome, len(ran.answer)) == ("forced", 70_000)
