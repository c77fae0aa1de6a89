"""The ways in which Recursive Language Models were seen to fail (paper, appendix B and E; (a) to (m) in its order), played by
scripted models: each with what the engine does about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs import LOOK, answering, corpus_of, run_scripted, scripted

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.lm.client import Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Limits


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def cell(code: str) -> str:
    return f"```repl\n{code}\n```"


def test_a_right_value_in_a_variable_is_accepted_whole_whatever_its_length(corpus: Corpus) -> None:
    """(a) The right answer was built in step 1, FINAL_VAR was not accepted, and the root wrote a wrong one by hand."""
    build = cell(
        "pairs = '\\n'.join(f'({n}, {n + 1})' for n in range(10_000))[:70_000]\nprint(len(pairs), context[0][:5])"
    )
    for ending in (
        "FINAL_VAR(pairs)",
        "FINAL_VAR('pairs')",
        "FINAL(pairs)",
        cell('FINAL_VAR("pairs")'),
        cell("FINAL(pairs)"),
    ):
        ran = run_scripted(corpus, scripted(build, ending))
        assert (ran.outcome, len(ran.answer)) == ("answered", 70_000), ending
        assert len(ran.bodies(ev.TurnStarted)) == 2


def test_a_value_that_is_no_text_is_accepted_as_what_it_is(corpus: Corpus) -> None:
    """(a) Lists were mangled and brackets cut on the way out."""
    build = cell("found = {'A12': ['may.txt'], 'total (all)': 1}\nprint(context[0][:5])")
    ran = run_scripted(corpus, scripted(build, cell("FINAL_VAR('found')")))
    assert ran.answer == '{\n "A12": [\n  "may.txt"\n ],\n "total (all)": 1\n}'
    ran = run_scripted(corpus, scripted(LOOK, "FINAL(two rooms (A12 and B07), see f(x))"))
    assert ran.answer == "two rooms (A12 and B07), see f(x)"


def test_a_call_per_line_stops_at_the_limit_and_the_model_is_told(corpus: Corpus) -> None:
    """(b) Thousands of calls, one a line."""
    lines = cell("for line in range(5_000):\n    llm_query(f'line {line}')\nprint('never')")
    batch = cell("said = llm_query_batched([f'line {n}' for n in range(5_000)])\nprint(sum(map(bool, said)))")
    for code in (lines, batch):
        ran = run_scripted(corpus, scripted(LOOK, code, answering("1")), limits=Limits(max_calls=60))
        assert ran.view.totals().calls <= 60
        (noted,) = [each for each in ran.bodies(ev.Noted) if each.topic == ev.CALLS_REFUSED]
        asked = len([each for each in ran.bodies(ev.CallStarted) if each.role == "sub"]) + noted.data["refused"]
        assert (asked, noted.data["asked"]) == (5_000, 5_000)
        assert [limit.limit for limit in ran.bodies(ev.LimitReached)] == ["max_calls"]
        assert "max_calls = 60" in ran.bodies(ev.CallStarted)[-1].messages[-1].text
        assert (ran.outcome, ran.answer) == ("answered", "1")


def test_a_model_that_never_stops_verifying_is_out_of_turns_and_gives_its_best_answer(corpus: Corpus) -> None:
    """(c) Endless re-verification."""
    again = cell("print('checking again', len(context))")
    ran = run_scripted(corpus, scripted(*[again] * 4, "FINAL(2)"), limits=Limits(max_turns=4))
    assert (ran.outcome, ran.answer) == ("forced", "2")
    assert "max_turns" in ran.reason
    assert "turn 3 of 4" in ran.feedback(4)


def test_final_round_a_name_and_final_var_round_a_literal_mean_what_they_mean(corpus: Corpus) -> None:
    """(d) FINAL round the name of a variable, FINAL_VAR round a literal."""
    build = cell("room_count = 'two rooms'\nprint(context[0][:5])")
    assert run_scripted(corpus, scripted(build, "FINAL(room_count)")).answer == "two rooms"
    assert (
        run_scripted(corpus, scripted(build, cell("FINAL('room_count')"), cell("FINAL(room_count)"))).answer
        == "two rooms"
    )
    assert run_scripted(corpus, scripted(build, 'FINAL_VAR("Two rooms leak again.")')).answer == "Two rooms leak again."
    assert (
        run_scripted(corpus, scripted(build, cell('FINAL_VAR("Two rooms leak again.")'))).answer
        == "Two rooms leak again."
    )


def test_a_syntax_error_is_shown_with_its_line_and_stays_in_the_frame_that_made_it(corpus: Corpus) -> None:
    """(e) Syntax errors, propagated by children."""

    def reply(request: Request) -> str:
        said = sum(message.role == "assistant" for message in request.messages)
        if "How many rooms leak again?" in request.messages[1].text:
            return [LOOK, cell("found = rlm_query('child', context='abc')\nprint(repr(found))"), answering("1")][said]
        return [cell("print(context\nx = 1"), cell("print(context)"), cell("FINAL('mended')")][said]

    ran = run_scripted(corpus, ScriptedLM(reply), options={"depth": 2})
    assert (ran.outcome, ran.answer) == ("answered", "1")
    failed = next(each for each in ran.bodies(ev.CellFinished) if each.status == "failed")
    assert "SyntaxError" in failed.error
    assert "line 1" in failed.error
    assert "'mended'\n" in [each.output for each in ran.bodies(ev.CellFinished)]


def test_a_wrong_first_cut_can_be_seen_for_failures_are_counted(corpus: Corpus) -> None:
    """(f) A first decomposition that was wrong: what was lost by it is shown, so that the model can recover."""

    def helper(request: Request) -> str:
        return "" if "3" in request.messages[0].text else "yes"

    cut = cell("said = llm_query_batched([f'part {n}' for n in range(6)])\nprint(len(said))")
    ran = run_scripted(corpus, scripted(LOOK, cut, answering("1"), helper=helper))
    assert "Calls: 1 of 6 failed (number 3, counted from 0)." in ran.bodies(ev.CallStarted)[-1].messages[-1].text


def test_without_helpers_the_model_is_told_that_it_reads_for_itself(corpus: Corpus) -> None:
    """(g) Keyword heuristics in place of reading when sub-calls are off."""
    ran = run_scripted(corpus, scripted(LOOK, answering("1")), options={"depth": 0})
    system = ran.bodies(ev.CallStarted)[0].messages[0].text
    assert "llm_query" not in system
    assert "read" in system
    assert "keyword" in system.lower()


def test_long_output_is_cut_for_the_model_and_says_how_much_is_missing(corpus: Corpus) -> None:
    """(h) Long text printed into the root's own history."""
    shout = cell("print(context[0][:1] + 'long ' * 100_000)")
    ran = run_scripted(corpus, scripted(shout, answering("1")), limits=Limits(shown_chars=2_000))
    told = ran.feedback(2)
    assert len(told) < 4_000
    assert "characters not shown" in told
    assert "500,002 characters" in told


def test_an_answer_before_looking_is_sent_back_once(corpus: Corpus) -> None:
    """(i) Answering on turn 1."""
    ran = run_scripted(corpus, scripted("FINAL(7)", LOOK, answering("1")))
    assert "has not been looked at" in ran.bodies(ev.TurnFinished)[0].refused
    assert ran.answer == "1"
    ran = run_scripted(corpus, scripted("FINAL(7)", "FINAL(7)"))
    assert (ran.outcome, ran.answer) == ("answered", "7")


def test_cells_with_guessed_outputs_between_them_run_and_their_answer_is_sent_back(corpus: Corpus) -> None:
    """(j) Several blocks in one message, with made-up outputs between them."""
    guessed = f"{LOOK}\n\nOutput:\n```\n['april.txt']\n```\n\nSo it is April.\n\n{answering('april.txt')}"
    ran = run_scripted(corpus, scripted(guessed, answering("may.txt")))
    assert ran.bodies(ev.CellFinished)[0].output == "['march.txt', 'may.txt']\n"
    assert ran.bodies(ev.TurnFinished)[0].refused
    assert ran.answer == "may.txt"


def test_how_many_calls_were_used_is_told_after_every_turn(corpus: Corpus) -> None:
    """(k) Wrong runs use more sub-calls than right ones."""
    many = cell("said = llm_query_batched(['?'] * 30)\nprint(len(said))")
    ran = run_scripted(corpus, scripted(LOOK, many, answering("1")), limits=Limits(max_calls=100))
    assert "32 of 100 model calls (30 to helpers)" in ran.bodies(ev.CallStarted)[-1].messages[-1].text


def test_money_and_time_have_an_end(corpus: Corpus) -> None:
    """(l) The long tail of cost and time."""

    class Dear(ScriptedLM):
        def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
            return 0.01

    many = cell("said = llm_query_batched(['?'] * 50)\nprint(sum(map(bool, said)))")
    ran = run_scripted(
        corpus,
        Dear(lambda request: LOOK if request.role == "root" else "yes", latency_s=0.3),
        limits=Limits(timeout_s=1),
    )
    assert ran.outcome == "forced"
    assert "timeout_s" in ran.reason
    ran = run_scripted(corpus, scripted(LOOK, many, answering("1")), limits=Limits(max_tokens=4_000))
    assert ran.view.totals().input_tokens <= 4_000
    assert ran.outcome in ("answered", "forced")


def test_the_answer_may_be_put_together_from_what_helpers_said(corpus: Corpus) -> None:
    """(m) The root does the work itself: what helpers said stays in the session and reaches the answer unread."""
    work = cell("parts = llm_query_batched([f'{doc.path}?' for doc in context])\nprint(len(parts))")
    ran = run_scripted(
        corpus, scripted(work, cell("FINAL('; '.join(parts))"), helper=lambda request: request.messages[0].text)
    )
    assert ran.answer == "march.txt?; may.txt?"


def test_an_item_that_is_recorded_twice_with_different_labels_is_named(corpus: Corpus) -> None:
    """Right totals from wrong labels: the model is told which items it has decided twice."""
    twice = cell("record('A12', 'yes', quote='dripped again')\nrecord('A12', 'no')\nprint(len(context))")
    ran = run_scripted(corpus, scripted(twice, answering("1")))
    assert "corrected, the last label stands: A12 (yes then no)" in ran.feedback(2)


def test_a_plan_is_not_taken_for_an_answer(corpus: Corpus) -> None:
    """A thought handed over as the final answer."""
    ran = run_scripted(corpus, scripted(LOOK, "FINAL(I will now go through every room and count.)", answering("1")))
    assert ran.answer == "1"
    assert ran.bodies(ev.TurnFinished)[1].refused
