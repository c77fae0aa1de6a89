"""CodeAct: the documents in the prompt or found by searching, Python at hand, and the same kind of events as the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs import corpus_of, run_scripted, scripted

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Limits

COUNT = "THINK: I count.\nACT:\n```python\nfound = ['A12']\nprint(len(found))\n```"
ANSWER = "THINK: One room leaks again.\nANSWER: 1 room: A12"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def test_codeact_reads_its_prompt_runs_code_and_answers(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(COUNT, ANSWER), strategy="codeact")
    assert (ran.outcome, ran.answer, ran.view.answer and ran.view.answer.how) == ("answered", "1 room: A12", "ANSWER")
    ran.assert_balanced()
    first = ran.bodies(ev.CallStarted)[0].messages
    assert "### may.txt\nRoom A12: dripped again" in first[1].text
    assert "How many rooms leak again?" in first[1].text
    assert "SEARCH" not in first[0].text
    assert "llm_query" not in first[0].text
    assert "Output of cell, 2 characters:\n1" in ran.feedback(2)


def test_the_variables_of_one_step_are_there_in_the_next(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(COUNT, "```python\nprint(found[0])\n```", ANSWER), strategy="codeact")
    assert "A12" in ran.feedback(3)


def test_a_question_may_be_answered_without_code(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted("ANSWER: 1"), strategy="codeact")
    assert (ran.outcome, ran.answer, len(ran.bodies(ev.TurnStarted))) == ("answered", "1", 1)


def test_codeact_bm25_finds_passages_by_a_line_and_from_code(corpus: Corpus) -> None:
    in_code = "```python\nfor hit in search('membrane', k=1):\n    print(hit['path'], hit['text'])\n```"
    ran = run_scripted(
        corpus, scripted("THINK: look.\nACT:\nSEARCH(dripped after rain)", in_code, ANSWER), strategy="codeact_bm25"
    )
    assert ran.outcome == "answered"
    ran.assert_balanced()
    assert "dripped" not in ran.bodies(ev.CallStarted)[0].messages[1].text
    assert "[1] may.txt, characters 0 to" in ran.feedback(2)
    assert "Room A12: dripped again after heavy rain" in ran.feedback(2)
    assert "may.txt Room A12" in ran.feedback(3)
    assert [body.query for body in ran.bodies(ev.Searched)] == ["dripped after rain", "membrane"]
    assert ran.bodies(ev.Searched)[0].hits[0]["path"] == "may.txt"


def test_a_search_that_finds_nothing_says_so(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted("SEARCH(zebra)", ANSWER), strategy="codeact_bm25")
    assert "SEARCH(zebra) found nothing" in ran.feedback(2)


def test_codeact_subcalls_may_ask_helpers_and_codeact_may_not(corpus: Corpus) -> None:
    ask = "```python\nprint(llm_query('Is it wet?'))\n```"
    ran = run_scripted(corpus, scripted(ask, ANSWER), strategy="codeact_subcalls")
    assert "Output of cell, 4 characters:\nyes" in ran.feedback(3)
    assert "`llm_query(prompt, model=None)`" in ran.bodies(ev.CallStarted)[0].messages[0].text
    ran = run_scripted(corpus, scripted(ask, ANSWER), strategy="codeact")
    assert "NameError" in ran.feedback(2)


def test_findings_are_recorded_as_elsewhere(corpus: Corpus) -> None:
    cell = '```python\nrecord("A12", "yes", quote="dripped again after heavy rain", source="may.txt")\n```'
    ran = run_scripted(corpus, scripted(cell, ANSWER), strategy="codeact")
    assert [verdict.verdict for _, _, verdict in ran.view.findings() if verdict] == ["exact"]


def test_what_does_not_fit_is_refused_or_cut_and_recorded(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, {"april.txt": "All is dry.\n", "may.txt": "Room A12 leaks.\n" * 1_000})

    def small() -> ScriptedLM:
        return ScriptedLM([ANSWER], window_tokens=3_000)

    ran = run_scripted(corpus, small(), strategy="codeact")
    assert (ran.outcome, "codeact_bm25" in ran.reason) == ("failed", True)
    ran = run_scripted(corpus, small(), strategy="codeact", options={"overflow": "cut"})
    assert ran.outcome == "answered"
    assert [body.data["unseen"][-1]["document"] for body in ran.bodies(ev.Noted) if body.topic == "context_cut"] == [
        "may.txt"
    ]


def test_steps_that_fill_the_window_end_in_a_forced_answer(corpus: Corpus) -> None:
    talk = "```python\nprint('x' * 6000)\n```"
    ran = run_scripted(corpus, ScriptedLM([talk] * 9, window_tokens=4_000), strategy="codeact")
    assert (ran.outcome, "takes 4,000" in ran.reason) == ("forced", True)
    ran.assert_balanced()


def test_out_of_turns_the_model_is_asked_for_its_answer_and_it_is_read(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(COUNT, COUNT, ANSWER), strategy="codeact", limits=Limits(max_turns=2))
    assert (ran.outcome, ran.answer) == ("forced", "1 room: A12")
    ran.assert_balanced()


def test_replies_without_an_action_are_pointed_out_and_the_third_is_taken(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted("THINK: it is one room, I am sure."), strategy="codeact_bm25")
    assert (ran.outcome, len(ran.bodies(ev.TurnStarted))) == ("forced", 3)
    assert "or with SEARCH(...)" in ran.feedback(2)


def test_an_answer_beside_code_waits_for_the_output(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(f"{COUNT}\nANSWER: 7", ANSWER), strategy="codeact")
    assert ran.answer == "1 room: A12"
    assert "left out" in ran.feedback(2)
    assert [body.text for body in ran.bodies(ev.Noted) if body.topic == "repaired"] == ["answer beside code left out"]
