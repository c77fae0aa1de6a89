"""The engine: whatever a model writes and whatever fails, a run says how it ended and leaves nothing open."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from runs import HELPERS, LOOK, answering, corpus_of, run_scripted, scripted

from rlm_core import events as ev
from rlm_core.calls import Shared
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CallError
from rlm_core.lm.client import Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Limits, Usage


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def test_a_run_looks_asks_helpers_records_and_answers(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK, HELPERS, answering("1 room: A12")))
    assert (ran.outcome, ran.answer) == ("answered", "1 room: A12")
    ran.assert_balanced()
    total = ran.view.totals()
    assert (total.calls, total.failed_calls, total.cells) == (5, 0, 3)
    assert [verdict.document for _, _, verdict in ran.view.findings() if verdict] == ["may.txt", "may.txt"]
    assert {ran.view.nodes[span].parent for span in ran.view.nodes if ".c1.k" in span} == {"f1.t2.c1"}


def test_the_conversation_is_stored_once_and_can_be_put_together_again(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK, LOOK, answering("1")))
    roots = [node for node in ran.view.nodes.values() if isinstance(node.started, ev.CallStarted)]
    assert [len(node.started.messages) for node in roots] == [2, 1, 1]  # type: ignore[union-attr]
    roles = [message.role for message in ran.view.prompt(roots[-1].id)]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]


def test_a_failed_helper_is_a_value_that_cannot_pass_for_a_reply(corpus: Corpus) -> None:
    def helper(request: Request) -> str:
        if "B07" in request.messages[0].text:
            raise CallError("no reply in time", "timeout", maybe_paid=True)
        return "yes"

    ask = (
        "```repl\nreplies = llm_query_batched(list(context))\nprint([bool(r) for r in replies], replies[0].error)\n```"
    )
    ran = run_scripted(corpus, scripted(ask, answering("1"), helper=helper))
    assert "[False, True] no reply in time" in ran.feedback(4)
    assert "1 of 2 failed (number 0, counted from 0)" in ran.feedback(4)
    ran.assert_balanced()


@pytest.mark.parametrize("failing", range(5))
def test_whichever_call_fails_every_pair_is_closed_and_the_run_ends(corpus: Corpus, failing: int) -> None:
    script, number = [LOOK, HELPERS, answering("1 room")], iter(range(100))
    turns = iter(range(100))

    def reply(request: Request) -> str:
        text = script[next(turns)] if request.role == "root" else "yes"
        if next(number) == failing:
            raise CallError("broken", "server")
        return text

    ran = run_scripted(corpus, ScriptedLM(reply))
    assert ran.outcome == ("answered" if failing in (2, 3) else "failed")
    ran.assert_balanced()


def test_a_bug_in_a_client_fails_the_run_and_leaves_nothing_open(corpus: Corpus) -> None:
    def reply(request: Request) -> str:
        raise ZeroDivisionError("oops")

    ran = run_scripted(corpus, ScriptedLM(reply))
    assert ran.outcome == "failed"
    assert "ZeroDivisionError" in ran.reason
    ran.assert_balanced()


def test_an_answer_beside_unseen_output_is_sent_back_once(corpus: Corpus) -> None:
    hasty = '```repl\nprint(len(context))\nanswer["content"] = "2"\nanswer["ready"] = True\n```'
    ran = run_scripted(corpus, scripted(hasty, "```repl\nanswer['ready'] = True\n```"))
    assert (ran.outcome, ran.answer) == ("answered", "2")
    refused = [body.refused for body in ran.bodies(ev.TurnFinished)]
    assert refused[0] is not None
    assert "had not seen" in refused[0]
    assert refused[1] is None


def test_a_refused_answer_does_not_count_until_it_is_given_again(corpus: Corpus) -> None:
    hasty = '```repl\nprint(len(context))\nanswer["content"] = "2"\nanswer["ready"] = True\n```'
    ran = run_scripted(corpus, scripted(hasty, LOOK, answering("3")))
    assert ran.answer == "3"


def test_an_answer_before_looking_is_sent_back_once(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(answering("42"), answering("42")))
    assert (ran.outcome, ran.answer, len(ran.bodies(ev.TurnStarted))) == ("answered", "42", 2)
    assert "has not been looked at" in ran.feedback(2)


def test_a_final_in_prose_is_an_answer(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK, "I am done.\nFINAL(1 room (A12))"))
    assert (ran.answer, ran.view.answer and ran.view.answer.how) == ("1 room (A12)", "FINAL")


def test_a_final_var_in_prose_hands_over_the_variable(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted("```repl\nx = len(context)\n```\nFINAL_VAR(x)"))
    assert (ran.outcome, ran.answer) == ("answered", "2")


def test_replies_without_code_are_pointed_out_and_the_third_is_taken_for_the_answer(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted("I think that one room leaks."))
    assert (ran.outcome, ran.answer, len(ran.bodies(ev.TurnStarted))) == ("forced", "I think that one room leaks.", 3)
    assert "neither a cell of code" in ran.feedback(2)


def test_an_error_in_a_cell_is_shown_and_the_variables_before_it_stay(corpus: Corpus) -> None:
    broken = "```repl\nrooms = len(context)\nprint(1 / 0)\n```"
    ran = run_scripted(corpus, scripted(broken, "```repl\nFINAL(rooms)\n```"))
    assert ran.answer == "2"
    assert "ZeroDivisionError" in ran.feedback(2)


def test_a_cell_that_never_ends_is_interrupted_and_the_run_goes_on(corpus: Corpus) -> None:
    spin = "```repl\nkept = 7\nwhile True:\n    pass\n```"
    ran = run_scripted(corpus, scripted(spin, LOOK, "```repl\nFINAL(kept)\n```"), limits=Limits(cell_timeout_s=0.3))
    assert (ran.outcome, ran.answer) == ("answered", "7")
    assert ran.bodies(ev.CellFinished)[0].status == "timeout"


def test_a_cell_that_kills_its_session_costs_that_cell_and_the_variables_before_it_are_there(corpus: Corpus) -> None:
    made = "```repl\nfirst = context[0].path\nprint(first, budget()['calls']['used'], llm_query('yes?'))\n```"
    dies = "```repl\nfirst = 'lost'\nimport os\nos._exit(3)\n```"
    ran = run_scripted(corpus, scripted(made, dies, "```repl\nprint(first)\n```", answering("march.txt")))
    assert (ran.outcome, ran.answer) == ("answered", "march.txt")
    assert [cell.status for cell in ran.bodies(ev.CellFinished)] == ["ok", "killed", "ok", "ok"]
    assert "your 1 earlier cell was run again: the variables from before this cell are there" in ran.feedback(4)
    assert ran.bodies(ev.CellFinished)[2].output == "march.txt\n"
    assert len([call for call in ran.bodies(ev.CallStarted) if call.role == "sub"]) == 1
    assert [note.topic for note in ran.bodies(ev.Noted)].count("session") == 1
    ran.assert_balanced()


@pytest.mark.parametrize(
    "root",
    ["```repl\nwhile True:\n    pass\n```", "```repl\nllm_query_batched(['a', 'b'])\n```"],
    ids=["spinning cell", "waiting for helpers"],
)
def test_cancel_ends_the_run_at_once_whatever_it_does(corpus: Corpus, root: str) -> None:
    def cancel_soon(shared: Shared) -> None:
        threading.Timer(0.7, shared.cancel).start()

    lm = ScriptedLM(lambda request: root, latency_s=0.0 if "while" in root else 0.5)
    began = time.monotonic()
    ran = run_scripted(corpus, lm, on_start=cancel_soon)
    assert ran.outcome == "cancelled"
    assert time.monotonic() - began < 5
    ran.assert_balanced()


def test_base_sends_everything_in_one_prompt(corpus: Corpus) -> None:
    lm = ScriptedLM(lambda request: "One room.")
    ran = run_scripted(corpus, lm, strategy="base")
    assert (ran.outcome, ran.answer) == ("answered", "One room.")
    prompt = lm.requests[0].messages[0].text
    assert "### may.txt\nRoom A12: dripped again" in prompt
    assert "How many rooms leak again?" in prompt


def test_an_unknown_option_fails_the_run_with_the_known_ones(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK), options={"depth": 9})
    assert ran.outcome == "failed"
    assert "must be one of 1, 0" in ran.reason


def test_depth_0_offers_no_helpers(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted("```repl\nllm_query('x')\n```", LOOK, answering("1")), options={"depth": 0})
    assert "NameError" in ran.feedback(2)
    assert "llm_query" not in ran.bodies(ev.CallStarted)[0].messages[0].text


def test_an_empty_question_is_refused_in_plain_words(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK), question="  ")
    assert (ran.outcome, "empty" in ran.reason) == ("failed", True)


@pytest.mark.parametrize("api_base", ["foo", "ftp://host", "http://", "http://user:pw@host/v1", "http://host:99999/v1"])
def test_an_api_base_that_is_no_address_is_refused(corpus: Corpus, api_base: str) -> None:
    ran = run_scripted(corpus, scripted(LOOK), api_base=api_base)
    assert ran.outcome == "failed"
    assert "API base" in ran.reason


def test_missing_usage_stays_unknown_in_the_totals(corpus: Corpus) -> None:
    ran = run_scripted(corpus, ScriptedLM([LOOK, answering("1")], usage="none"))
    total = ran.view.totals()
    assert total.calls_without_usage == 2
    assert ran.bodies(ev.CallFinished)[0].usage in (None, Usage())


def test_the_model_is_told_what_became_of_its_findings(corpus: Corpus) -> None:
    cell = """```repl
record("A12", "no")
record("A12", "yes", quote="dripped again after heavy rain", source="may.txt")
record("B07", "no", quote="words that stand nowhere")
i = 3
```"""
    ran = run_scripted(corpus, scripted(LOOK, cell, answering("1")))
    told = ran.feedback(3)
    assert "Findings: 2 items from 3 records (1 yes, 1 no); quotes not found in the archive: B07; corrected" in told
    assert "A12 (no then yes)" in told
    assert "Variables" not in told


def test_an_answer_of_a_cell_that_failed_is_not_taken(corpus: Corpus) -> None:
    broken = '```repl\nanswer["ready"] = True\nanswer["content"] = f"{len(missing)}"\n```'
    ran = run_scripted(corpus, scripted(LOOK, broken, answering("2")))
    assert (ran.outcome, ran.answer, len(ran.bodies(ev.TurnStarted))) == ("answered", "2", 3)


def test_an_empty_answer_is_sent_back_every_time(corpus: Corpus) -> None:
    empty = '```repl\nanswer["ready"] = True\n```'
    ran = run_scripted(corpus, scripted(LOOK, empty, empty, answering("2")))
    assert (ran.answer, len(ran.bodies(ev.TurnStarted))) == ("2", 4)
    assert "it is empty" in ran.feedback(3)


def test_a_final_that_was_sent_back_stands_once_it_is_made_ready_again(corpus: Corpus) -> None:
    hasty = "```repl\nprint(len(context))\nFINAL('two')\n```"
    ran = run_scripted(corpus, scripted(hasty, '```repl\nanswer["ready"] = True\n```'))
    assert (ran.outcome, ran.answer) == ("answered", "two")
