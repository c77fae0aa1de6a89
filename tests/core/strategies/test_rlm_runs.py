"""The RLM over whole runs: replies as models write them, answers that are sent back, the paper's manner, helpers of its kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from runs import LOOK, Ran, answering, corpus_of, run_scripted, scripted

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.lm.client import Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.strategies.reply import read_reply
from rlm_core.task import Limits

PAPER = {"prompt": "paper"}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def repairs(ran: Ran) -> list[str]:
    return [body.text for body in ran.bodies(ev.Noted) if body.topic == "repaired"]


def refusals(ran: Ran) -> list[str]:
    return [body.refused for body in ran.bodies(ev.TurnFinished) if body.refused]


def test_a_right_answer_in_a_variable_is_handed_over_whole(corpus: Corpus) -> None:
    """The paper's trajectory E.2: the answer stood in a variable, was not accepted, and was lost."""
    pairs = "```repl\npairs = '\\n'.join(f'({n}, {n + 1})' for n in range(5_000))\nlen(context)\n```"
    ran = run_scripted(corpus, scripted(pairs, "FINAL(pairs)"))
    assert (ran.outcome, ran.answer.count("\n"), len(ran.answer) > 60_000) == ("answered", 4_999, True)
    assert repairs(ran) == ["FINAL round a name"]


def test_what_was_made_good_is_recorded_and_told(corpus: Corpus) -> None:
    ran = run_scripted(
        corpus, scripted("<think>FINAL(9)</think>\n<code>\nprint(len(context))\n</code>", answering("2"))
    )
    assert (ran.answer, repairs(ran)) == ("2", ["thinking left out", "code in a tag"])
    guessing = "```repl\nprint(len(context))\n```\nOutput:\n```\n7\n```\nFINAL(7)"
    ran = run_scripted(corpus, scripted(guessing, answering("2")))
    assert (ran.answer, repairs(ran)) == ("2", ["guessed output left out", "answer beside code left out"])
    assert "only the session prints" in ran.feedback(2)
    assert "The answer beside your code was left out" in ran.feedback(2)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("FINAL(I will now count the rooms.)", "what you are going to do"),
        ("FINAL(unknown)", "only that there is none"),
        ('```repl\nleaking_rooms = ["A12"]\nFINAL("leaking_rooms")\n```', "is the name of a variable"),
    ],
)
def test_what_is_no_answer_is_sent_back_once(corpus: Corpus, bad: str, words: str) -> None:
    ran = run_scripted(corpus, scripted(LOOK, bad, answering("1")))
    assert (ran.outcome, ran.answer, len(refusals(ran))) == ("answered", "1", 1)
    assert words in ran.feedback(3)
    ran = run_scripted(corpus, scripted(LOOK, bad, bad))
    assert (ran.outcome, len(refusals(ran))) == ("answered", 1)


def test_an_answer_in_the_last_turn_is_not_sent_back(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(answering("unknown")), limits=Limits(max_turns=1))
    assert (ran.outcome, ran.answer, refusals(ran)) == ("answered", "unknown", [])


def test_an_answer_that_was_sent_back_is_not_lost_to_a_limit(corpus: Corpus) -> None:
    def reply(request: Request) -> str:
        return LOOK if len(request.messages) == 2 else answering("unknown")

    size = sum(len(message.text) for message in _first_prompt(corpus)) // 4
    ran = run_scripted(corpus, ScriptedLM(reply), limits=Limits(max_tokens=size * 2 + 900))
    assert (ran.outcome, ran.answer) == ("forced", "unknown")


def _first_prompt(corpus: Corpus, **changes: object) -> tuple[ev.Message, ...]:
    ran = run_scripted(corpus, scripted(LOOK, answering("1")), **changes)  # type: ignore[arg-type]
    first: ev.CallStarted = ran.bodies(ev.CallStarted)[0]
    return first.messages


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_papers_manner_has_its_protocol_and_nothing_of_ours(corpus: Corpus, depth: int) -> None:
    system, first = _first_prompt(corpus, options={**PAPER, "depth": depth})
    assert "FINAL_VAR(variable_name)" in system.text
    assert "a list of strings of 140 characters in all, in chunks of these lengths: 59, 81." in system.text
    assert ("`llm_query(prompt)`" in system.text) == (depth >= 1)
    assert ("rlm_query" in system.text) == (depth >= 2)
    assert [int(n) for n in re.findall(r"(?m)^(\d)\. (?:A|`print)", system.text)] == list(range(1, 3 + depth))
    assert "record(" not in system.text
    assert "How many rooms leak again?" in first.text
    assert not re.search(r"\$[a-z_]+", system.text + first.text)
    for cell in read_reply(system.text).cells:
        compile(cell, "cell", "exec")


def test_in_the_papers_manner_nothing_is_sent_back(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted("FINAL(42)"), options=PAPER)
    assert (ran.outcome, ran.answer, refusals(ran)) == ("answered", "42", [])
    hasty = "```repl\nprint(len(context))\n```\nFINAL_VAR(question)"
    ran = run_scripted(corpus, scripted(hasty), options=PAPER)
    assert (ran.answer, refusals(ran)) == ("How many rooms leak again?", [])


def test_an_answer_that_takes_the_place_of_the_variable_is_no_output(corpus: Corpus) -> None:
    replacing = '```repl\nanswer = {"content": "2", "ready": True}\n```'
    ran = run_scripted(corpus, scripted("```repl\nn = len(context)\n```", replacing))
    assert (ran.answer, refusals(ran)) == ("2", [])
