"""Rules on what helpers were asked, each at a fault and at a near miss."""

from __future__ import annotations

from pathlib import Path

import pytest
from diagnosed import CHANGES, WASTES, cell, told, where
from runs import LOOK, Ran, answering, corpus_of, run_scripted, scripted

from rlm_core.corpus.corpus import Corpus
from rlm_core.diagnose.asking import (
    asked_again_and_again,
    one_call_per_line,
    same_prompt_many_times,
    same_text_in_every_prompt,
)
from rlm_core.diagnose.replies import lost_replies, refused_by_helpers, unread_replies
from rlm_core.errors import CallError
from rlm_core.lm.client import Request
from rlm_core.task import Limits


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def asking(corpus: Corpus, *cells: str, limits: Limits | None = None) -> Ran:
    turns = [cell(code) for code in cells]
    return run_scripted(corpus, scripted(LOOK, *turns, answering("1"), helper=helper_of()), limits=limits)


def helper_of():
    """A helper that says yes; the first call about `trip` fails, and to a `blank` it says that it has no text."""
    tripped: list[str] = []

    def reply(request: Request) -> str:
        prompt = request.messages[-1].text
        if "trip" in prompt and prompt not in tripped:
            tripped.append(prompt)
            raise CallError("The server answered 503.", "server")
        return "No text was provided, please share it." if "blank" in prompt else "yes"

    return reply


LINES = """
prompts = [f"Does this entry tell of water where none should be? Say yes or no.\\n\\n{n} March: tap {n} drips" for n in range(80)]
said = llm_query_batched(prompts)
print(len([each for each in said if each]))
"""


def test_very_many_calls_of_a_line_each_are_named_as_graver_where_a_limit_refused_some(corpus: Corpus) -> None:
    assert where(one_call_per_line, asking(corpus, LINES)) == [("f1.t2.c1", WASTES)]
    (symptom,) = told(one_call_per_line, asking(corpus, LINES, limits=Limits(max_calls=70)))
    assert symptom.severity == CHANGES
    assert "were asked about one line each, and a limit refused" in symptom.says
    assert symptom.evidence[0].text.startswith("0 March")


@pytest.mark.parametrize(
    ("words", "others"),
    [("range(80)", "range(30)"), ("{n} drips", "{n}\\nand {n}\\nand {n}"), ("{n} drips", "{f'{n} ' * 120}")],
)
def test_a_few_calls_and_those_about_more_than_a_line_are_not_named(corpus: Corpus, words: str, others: str) -> None:
    assert where(one_call_per_line, asking(corpus, LINES.replace(words, others))) == []


WHOLE = """
whole = "Report of a day. " * {words}
said = llm_query_batched([f"Judge room {{n}} alone.\\n\\n{{whole}}" for n in range({calls})])
print(len(said))
"""


def test_much_text_that_stands_in_every_prompt_is_named_and_a_little_or_a_few_are_not(corpus: Corpus) -> None:
    ran = asking(corpus, WHOLE.format(words=2_000, calls=12))
    assert where(same_text_in_every_prompt, ran) == [("f1.t2.c1", WASTES)]
    assert "34,0" in told(same_text_in_every_prompt, ran)[0].says
    for words, calls in ((2_000, 4), (300, 12)):
        assert where(same_text_in_every_prompt, asking(corpus, WHOLE.format(words=words, calls=calls))) == []


PASS = """
said = llm_query_batched([f"{words}\\n\\nRoom {{n}}\\n{{n}} May: tap {{n}} drips" for n in range(12)])
print(said)
"""


def test_a_third_pass_over_the_same_pieces_is_named_at_the_second_and_a_second_alone_is_care(corpus: Corpus) -> None:
    passes = [PASS.format(words=words) for words in ("Is it wet?", "Is it surely wet?", "May it be wet?")]
    assert where(asked_again_and_again, asking(corpus, *passes)) == [("f1.t3.c1", WASTES)]
    assert where(asked_again_and_again, asking(corpus, *passes[:2])) == []
    others = [PASS.format(words="Is it wet?").replace("{n} May", f"{{n}} {month}") for month in ("May", "June", "July")]
    assert where(asked_again_and_again, asking(corpus, *others)) == []


TRIPPING = "said = llm_query_batched(['Room 1\\nwet?', 'Room 2\\ntrip', 'Room 3\\nwet?'])\nprint(said)"


def test_a_call_that_failed_is_named_unless_its_piece_was_asked_about_again(corpus: Corpus) -> None:
    (symptom,) = told(lost_replies, asking(corpus, TRIPPING))
    assert (symptom.span, symptom.severity) == ("f1.t2.c1", CHANGES)
    assert symptom.says == "1 of 3 calls gave no reply and were not asked again."
    assert "503" in symptom.evidence[0].text
    assert where(lost_replies, asking(corpus, TRIPPING, "print(llm_query('Room 2\\ntrip'))")) == []


def test_helpers_that_were_given_no_text_are_named_and_one_among_many_is_not(corpus: Corpus) -> None:
    assert where(refused_by_helpers, asking(corpus, "print(llm_query('blank: which rooms?'))")) == [
        ("f1.t2.c1", CHANGES)
    ]
    few = "print(llm_query_batched(['blank', *(f'Room {n}' for n in range(20))]))"
    assert where(refused_by_helpers, asking(corpus, few)) == []


def test_replies_that_nothing_reads_are_named(corpus: Corpus) -> None:
    assert where(unread_replies, asking(corpus, "notes = llm_query('Which rooms?')")) == [("f1.t2.c1", WASTES)]
    assert where(unread_replies, asking(corpus, "notes = llm_query('Which rooms?')", "print(notes)")) == []
    assert where(unread_replies, asking(corpus, "notes = llm_query('Which rooms?')\nprint(notes)")) == []


def test_the_same_prompt_asked_many_times_is_named_and_a_vote_is_not(corpus: Corpus) -> None:
    twice = "for _ in range(2):\n    print(llm_query_batched([f'Room {n}: wet?' for n in range(20)]))"
    more = "print(llm_query_batched([f'Room {n}: wet?' for n in range(20, 24)]))"
    assert where(same_prompt_many_times, asking(corpus, twice, more)) == [("f1.t2.c1", WASTES)]
    assert where(same_prompt_many_times, asking(corpus, twice)) == []
    one = "print(llm_query_batched(['Which rooms are wet?'] * 12))"
    assert where(same_prompt_many_times, asking(corpus, one)) == [("f1.t2.c1", WASTES)]
