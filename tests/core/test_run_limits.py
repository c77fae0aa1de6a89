"""What stops a run, or a part of it: limits, windows, foreign models, broken stores; and what the run says then."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from runs import HELPERS, LOOK, answering, corpus_of, run_scripted, scripted

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CallError, StoreError
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Limits, Usage


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def test_out_of_turns_the_model_is_asked_once_more_and_the_answer_is_marked_forced(corpus: Corpus) -> None:
    replies = iter([LOOK, LOOK, "Two documents, nothing decided."])
    ran = run_scripted(corpus, ScriptedLM(lambda request: next(replies)), limits=Limits(max_turns=2))
    assert (ran.outcome, ran.answer) == ("forced", "Two documents, nothing decided.")
    assert [body.limit for body in ran.bodies(ev.LimitReached)] == ["max_turns"]
    ran.assert_balanced()


def test_out_of_calls_helpers_fail_with_advice_and_the_root_still_answers(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK, HELPERS, answering("unknown")), limits=Limits(max_calls=3))
    assert ran.outcome == "answered"
    assert "max_calls" in ran.feedback(3)
    assert [body.limit for body in ran.bodies(ev.LimitReached)] == ["max_calls"]
    ran.assert_balanced()


def test_out_of_time_the_run_returns_what_was_recorded(corpus: Corpus) -> None:
    slow = "```repl\nrecord('A12', 'yes')\nimport time\ntime.sleep(0.6)\n```"
    ran = run_scripted(corpus, scripted(slow), limits=Limits(timeout_s=0.5))
    assert ran.outcome == "forced"
    assert "1 yes" in ran.answer
    ran.assert_balanced()


def test_a_model_that_is_silent_longer_than_the_run_may_last_ends_it_in_time(corpus: Corpus) -> None:
    began = time.monotonic()
    ran = run_scripted(corpus, ScriptedLM(lambda request: LOOK, latency_s=30), limits=Limits(timeout_s=0.2))
    assert ran.outcome == "forced"
    assert "timeout_s" in ran.answer
    assert time.monotonic() - began < 10
    ran.assert_balanced()


def test_a_call_of_a_thread_that_its_cell_left_behind_ends_within_the_cell(corpus: Corpus) -> None:
    stray = """```repl
import threading, time
threading.Thread(target=llm_query, args=("late?",)).start()
time.sleep(0.2)
print(len(context))
```"""
    lm = ScriptedLM({"root": [stray, answering("1")], "sub": lambda request: "late"}, latency_s=0.6)
    ran = run_scripted(corpus, lm)
    assert ran.outcome == "answered"
    ran.assert_balanced()
    assert ran.view.nodes["f1.t1.c1.k1"].status == "ok"


def test_a_cell_may_name_the_models_of_the_task_and_no_other(corpus: Corpus, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"sub": {"default": "the secret"}}')
    cell = f"```repl\nprint(llm_query('x', model='scripted:{secret}').error)\nprint(llm_query('x', model='demo'))\n```"
    ran = run_scripted(corpus, scripted(LOOK, cell, answering("1")))
    assert "There is no model" in ran.bodies(ev.CellFinished)[1].output
    assert "the secret" not in str(ran.events)
    assert ran.bodies(ev.CellFinished)[1].output.endswith("yes\n")


def test_a_store_that_fails_during_a_helper_call_ends_the_run_whatever_the_cell_does(corpus: Corpus) -> None:
    careless = "```repl\ntry:\n    llm_query('x')\nexcept Exception as e:\n    print('caught', len(context))\n```"
    with pytest.raises(StoreError, match="full"):
        run_scripted(
            corpus, scripted(careless, answering("1")), failing_on=lambda body: getattr(body, "text", "") == "yes"
        )


def test_arguments_that_are_no_strings_are_refused_in_words(corpus: Corpus) -> None:
    cell = """```repl
send = record.__closure__[0].cell_contents if record.__closure__ else None
try:
    record("x" * 2000, "yes")
except Exception as error:
    print(error, len(context))
```"""
    ran = run_scripted(corpus, scripted(cell, answering("1")))
    assert "item has 2,000 characters; at most 1,000 are kept" in ran.feedback(2)
    assert ran.view.findings() == []


def test_a_huge_batch_beyond_a_limit_is_not_tried_call_by_call(corpus: Corpus) -> None:
    cell = "```repl\nreplies = llm_query_batched(['x'] * 100_000)\nprint(sum(map(bool, replies)), len(context))\n```"
    ran = run_scripted(corpus, scripted(cell, answering("1")), limits=Limits(max_calls=10))
    assert ran.outcome == "answered"
    assert "99,992 of 100,000 failed" in ran.feedback(10)
    assert len(ran.bodies(ev.CallStarted)) == 10


def test_all_calls_count_against_max_calls_and_the_root_keeps_the_last_one(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK), limits=Limits(max_calls=3), options={"depth": 0})
    assert ran.outcome == "forced"
    assert len(ran.bodies(ev.CallStarted)) == 3
    assert [body.limit for body in ran.bodies(ev.LimitReached)] == ["max_calls"]
    assert "max_calls" in ran.reason


def test_a_spending_limit_stops_helpers_before_the_root(corpus: Corpus) -> None:
    class Priced(ScriptedLM):
        def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
            return 0.01

    def reply(request: Request) -> Reply:
        text = (
            {1: LOOK, 2: HELPERS, 3: answering("1")}[sum(m.role == "user" for m in request.messages)]
            if request.role == "root"
            else "yes"
        )
        return Reply(text, "m", Usage(1, 1), 0.01)

    ran = run_scripted(corpus, Priced(reply), limits=Limits(max_usd=0.04))
    assert ran.outcome == "answered"
    assert [body.limit for body in ran.bodies(ev.LimitReached)] == ["max_usd"]
    assert ran.view.totals().cost_usd <= 0.04 + 1e-9


def test_a_prompt_larger_than_the_window_is_refused_before_it_is_sent(corpus: Corpus) -> None:
    cell = "```repl\nprint(llm_query('x' * 400_000).error, len(context))\n```"
    lm = ScriptedLM({"root": [cell, answering("1")], "sub": lambda request: "yes"}, window_tokens=10_000)
    ran = run_scripted(corpus, lm)
    assert "takes 10,000" in ran.feedback(3)
    assert all(request.role == "root" for request in lm.requests)


def test_base_refuses_or_cuts_what_the_window_cannot_take_and_records_what_was_not_seen(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, {"a.txt": "a" * 4000, "b.txt": "b" * 4000})
    lm = ScriptedLM(lambda request: "seen", window_tokens=1500)
    refused = run_scripted(corpus, lm, strategy="base")
    assert (refused.outcome, lm.requests) == ("failed", [])
    assert "overflow = cut" in refused.reason
    cut = run_scripted(corpus, lm, strategy="base", options={"overflow": "cut"})
    assert cut.outcome == "answered"
    (note,) = [body for body in cut.bodies(ev.Noted) if body.topic == "context_cut"]
    unseen = sum(each["end"] - each["start"] for each in note.data["unseen"])
    documents, told = lm.requests[0].messages[0].text.split("\n\n[")
    shown = documents.split("### a.txt\n")[1].replace("\n\n### b.txt\n", "")
    assert unseen + len(shown) == 8000
    assert told.startswith(f"The documents are cut off here. {unseen:,} of 8,000 characters do not fit your window")


def test_out_of_turns_a_failing_last_call_still_returns_what_was_recorded(corpus: Corpus) -> None:
    cell = "```repl\nrecord('A12', 'no')\nrecord('A12', 'yes')\nrecord('B07', 'no')\nlen(context)\n```"
    ran = run_scripted(corpus, scripted(cell, CallError("slow down", "rate_limit")), limits=Limits(max_turns=1))
    assert ran.outcome == "forced"
    assert "1 yes, 1 no" in ran.answer
    assert "slow down" in ran.reason


def test_the_reason_of_a_forced_answer_is_told(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted("I think that one room leaks."))
    assert "neither code nor an answer" in ran.reason


def test_cells_after_a_failed_one_are_counted_and_a_final_variable_is_not_miscounted(corpus: Corpus) -> None:
    three = "```repl\n1 / 0\n```\n```repl\na = 1\n```\n```repl\nb = 1\n```"
    ran = run_scripted(
        corpus, scripted(three, "```repl\nprint(len(context))\nx = 1\n```\nFINAL_VAR(x)", answering("1"))
    )
    assert "2 further cell(s) of your reply were not run" in ran.feedback(2)
    assert "further cell" not in ran.feedback(3)


def test_long_errors_are_cut_like_long_outputs(corpus: Corpus) -> None:
    cell = "```repl\nraise ExceptionGroup('many', [ValueError('x' * 3_000_000)])\n```"
    ran = run_scripted(corpus, scripted(cell, LOOK, answering("1")))
    assert len(ran.feedback(2)) < 25_000


def test_a_cell_that_always_has_a_request_under_way_ends_with_the_run(corpus: Corpus) -> None:
    cell = """```repl
import threading, time
def ask():
    while True:
        try:
            llm_query_batched(["x"] * 2_000)
        except Exception:
            pass
for _ in range(6):
    threading.Thread(target=ask, daemon=True).start()
while True:
    time.sleep(1)
```"""
    limits = Limits(max_calls=5, cell_timeout_s=0.5, timeout_s=1)
    ran = run_scripted(corpus, scripted(cell, answering("done")), limits=limits)
    assert ran.outcome == "forced"
    assert "timeout_s" in ran.reason
    assert [each.status for each in ran.bodies(ev.CellFinished)] in (["timeout"], ["killed"])
    ran.assert_balanced()


def test_a_thread_left_behind_that_ends_the_session_between_cells_does_not_end_the_run(corpus: Corpus) -> None:
    leave = """```repl
import os, threading, time
kept = len(context)
here = os.getpid()
def end():
    time.sleep(0.2)
    os._exit(3)
threading.Thread(target=end, daemon=True).start()
```"""
    turns = iter([leave, "```repl\nprint('kept', kept)\n```", answering("done")])

    def reply(request: Request) -> str:
        time.sleep(0.4)
        return next(turns)

    ran = run_scripted(corpus, ScriptedLM(reply))
    assert ran.outcome == "answered", ran.reason
    said = [note.text for note in ran.bodies(ev.Noted) if note.topic == "session"]
    assert "was run again" in said[0]
    assert ran.bodies(ev.CellFinished)[1].output.startswith("kept ")
    ran.assert_balanced()
