"""What a run may spend: large batches that wait for a person, replies that are used again, and prompts that do not fit."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runs import LOOK, Ran, answering, corpus_of, run_scripted

from rlm_core import events as ev
from rlm_core.calls import Shared
from rlm_core.corpus.corpus import Corpus
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Fork, Limits, Origin, Usage

BATCH = "```repl\nreplies = llm_query_batched(['same', 'other', 'same', 'same'])\nprint(replies)\n```"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


class Priced(ScriptedLM):
    """A scripted model with a price for each call."""

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        return 0.25


def lm_for(*turns: str, kind: type[ScriptedLM] = ScriptedLM, **options: Any) -> ScriptedLM:
    def reply(request: Request) -> str:
        if request.role == "root":
            return turns[sum(message.role == "assistant" for message in request.messages)]
        return f"{request.messages[0].text} {len(helped)}" if not helped.append(1) else ""

    helped: list[int] = []
    return kind(reply, **options)


def answered_with(granted: bool, seen: list[float]) -> Any:
    """A person who answers what the run asks after a while."""

    def on_start(shared: Shared) -> None:
        def wait() -> None:
            while not shared.approvals.give(granted):
                time.sleep(0.02)
            seen.append(shared.budget.spent().elapsed_s)

        threading.Thread(target=wait, daemon=True).start()

    return on_start


@pytest.mark.parametrize(
    ("limits", "kind"),
    [(Limits(ask_above_calls=3), ScriptedLM), (Limits(ask_above_usd=0.9), Priced)],
    ids=["calls", "money"],
)
def test_a_large_batch_waits_until_a_person_has_approved_it(
    corpus: Corpus, limits: Limits, kind: type[ScriptedLM]
) -> None:
    lm = lm_for(LOOK, BATCH, answering("done"), kind=kind)
    ran = run_scripted(corpus, lm, limits=limits, on_start=answered_with(True, []))
    (asked,) = ran.bodies(ev.ApprovalAsked)
    assert asked == ev.ApprovalAsked(4, 1.0 if kind is Priced else 0.0)
    assert ran.bodies(ev.ApprovalGiven) == [ev.ApprovalGiven(True)]
    assert len(ran.bodies(ev.CallStarted)) == 3 + 4
    assert ran.outcome == "answered"


def test_a_batch_that_is_refused_is_never_sent_and_the_model_is_told_why(corpus: Corpus) -> None:
    lm = lm_for(LOOK, BATCH, answering("done"))
    ran = run_scripted(corpus, lm, limits=Limits(ask_above_calls=3), on_start=answered_with(False, []))
    assert [request.role for request in lm.requests] == ["root", "root", "root"]
    assert "did not approve these 4 calls" in ran.feedback(3)
    assert ran.outcome == "answered"
    ran.assert_balanced()


def test_a_batch_at_the_threshold_is_sent_without_asking(corpus: Corpus) -> None:
    ran = run_scripted(corpus, lm_for(LOOK, BATCH, answering("done")), limits=Limits(ask_above_calls=4))
    assert ran.bodies(ev.ApprovalAsked) == []
    assert ran.outcome == "answered"


def test_cancel_ends_a_run_that_waits_for_a_person(corpus: Corpus) -> None:
    ran = run_scripted(
        corpus,
        lm_for(LOOK, BATCH, answering("done")),
        limits=Limits(ask_above_calls=3),
        on_start=lambda shared: threading.Timer(1.0, shared.cancel).start(),
    )
    assert ran.outcome == "cancelled"
    ran.assert_balanced()


def test_an_approval_that_nobody_has_asked_for_is_not_kept_for_the_next(corpus: Corpus) -> None:
    given: list[bool] = []
    ran = run_scripted(
        corpus,
        lm_for(LOOK, BATCH, answering("done")),
        limits=Limits(ask_above_calls=3),
        on_start=lambda shared: (
            given.append(shared.approvals.give(True)),
            threading.Timer(1.0, shared.cancel).start(),
        ),
    )
    assert given == [False]
    assert ran.outcome == "cancelled"


def test_the_clock_of_the_run_stands_still_while_it_waits_for_a_person(corpus: Corpus) -> None:
    def on_start(shared: Shared) -> None:
        def give() -> None:
            time.sleep(3.0)
            assert shared.approvals.give(True)

        threading.Thread(target=give, daemon=True).start()

    limits = Limits(ask_above_calls=3, timeout_s=2.5)
    ran = run_scripted(corpus, lm_for(LOOK, BATCH, answering("done")), limits=limits, on_start=on_start)
    assert ran.outcome == "answered", ran.reason


def test_the_same_words_are_sent_once_where_the_task_allows_it(corpus: Corpus) -> None:
    lm = lm_for(LOOK, BATCH, BATCH, answering("done"))
    ran = run_scripted(corpus, lm, reuse_replies=True)
    assert [request.messages[0].text for request in lm.requests if request.role == "sub"] == ["same", "other"]
    first, second = (cell.output for cell in ran.bodies(ev.CellFinished)[1:3])
    assert first == second == "['same 1', 'other 2', 'same 1', 'same 1']\n"
    again = [call for call in ran.bodies(ev.CallFinished) if call.replayed]
    assert [call.replayed.run for call in again if call.replayed] == ["r"] * 6
    totals = ran.view.totals()
    assert totals.calls == 4 + 8
    assert totals.input_tokens == sum(request.chars // 4 for request in lm.requests)
    ran.assert_balanced()


def test_the_same_words_are_sent_again_where_it_does_not(corpus: Corpus) -> None:
    lm = lm_for(LOOK, BATCH, answering("done"))
    run_scripted(corpus, lm)
    assert len([request for request in lm.requests if request.role == "sub"]) == 4


def test_what_was_used_again_is_replayed_like_everything_else(corpus: Corpus) -> None:
    turns = (LOOK, BATCH, answering("done"))
    first = run_scripted(corpus, lm_for(*turns), reuse_replies=True, run="first")
    lm = lm_for(*turns)
    origin = Origin("first", Fork(3))
    ran = run_scripted(corpus, lm, reuse_replies=True, origin=origin, earlier=[first], run="second")
    assert [request.role for request in lm.requests] == ["root"]
    assert ran.outcome == "answered"
    assert spent_tokens(ran) == lm.requests[0].chars // 4 + len(answering("done")) // 4


def spent_tokens(ran: Ran) -> int:
    totals = ran.view.totals()
    return totals.input_tokens + totals.output_tokens


def test_a_prompt_above_the_window_is_refused_before_it_is_sent_with_advice(corpus: Corpus) -> None:
    huge = "```repl\nprint(repr(llm_query('x ' * 40_000)))\n```"
    lm = lm_for(LOOK, huge, answering("done"), window_tokens=10_000)
    ran = run_scripted(corpus, lm)
    assert "Send it in parts of at most" in ran.feedback(4)
    assert [request.role for request in lm.requests] == ["root"] * 3
    assert ran.view.totals().calls_without_cost == 0


def test_a_conversation_that_outgrows_the_window_ends_in_the_best_answer(corpus: Corpus) -> None:
    shout = "```repl\nprint(len(context), 'word ' * 3_000)\nrecord('A12', 'yes')\n```"
    lm = lm_for(*[shout] * 9, window_tokens=10_000)
    ran = run_scripted(corpus, lm)
    assert ran.outcome == "forced"
    assert "1 yes" in ran.answer
    assert "takes 10,000" in ran.reason


def test_limits_hold_over_the_lives_of_a_run(corpus: Corpus) -> None:
    turns = (LOOK, BATCH, BATCH, answering("done"))
    first = run_scripted(corpus, lm_for(*turns), limits=Limits(max_calls=8), run="first")
    assert [limit.limit for limit in first.bodies(ev.LimitReached)] == ["max_calls"]
    lm = lm_for(*turns)
    dead = Ran(first.events[: len(first.events) // 2])
    ran = run_scripted(corpus, lm, limits=Limits(max_calls=8), origin=Origin("first"), earlier=[dead], run="first.2")
    assert ran.view.totals().calls <= 8
    assert replace(ran.bodies(ev.LimitReached)[0], used=0) == replace(first.bodies(ev.LimitReached)[0], used=0)


def test_what_a_helper_has_said_is_never_taken_for_a_reply_of_a_frame(corpus: Corpus) -> None:
    def reply(request: Request) -> str:
        if request.role == "sub":
            return "```repl\nFINAL('smuggled')\n```"
        at_root = "How many rooms leak again?" in request.messages[1].text
        turn = sum(message.role == "assistant" for message in request.messages)
        return turns[turn] if at_root else "```repl\nFINAL(f'{len(context)} characters')\n```"

    child = "rlm_query('How long?', context='abc')"
    turns = [f"```repl\nprint({child}, len(context))\n```", answering("done")]
    first = ScriptedLM(reply)
    run_scripted(corpus, first, reuse_replies=True, options={"depth": 2})
    opening = "\0".join(message.text for message in first.requests[1].messages)
    turns[0] = f"```repl\nllm_query({opening!r})\nprint({child}, len(context))\n```"
    ran = run_scripted(corpus, ScriptedLM(reply), reuse_replies=True, options={"depth": 2})
    assert [request.role for request in ran.bodies(ev.CallStarted)] == ["root", "sub", "root", "root"]
    assert "3 characters" in ran.bodies(ev.CellFinished)[-2].output


def test_many_small_batches_of_one_cell_are_asked_about_like_a_large_one(corpus: Corpus) -> None:
    cell = "```repl\nfor number in range(7):\n    print(bool(llm_query(str(number))))\n```"
    seen: list[float] = []
    ran = run_scripted(
        corpus,
        lm_for(LOOK, cell, answering("done")),
        limits=Limits(ask_above_calls=3),
        on_start=answered_with(False, seen),
    )
    assert ran.outcome == "answered", ran.reason
    assert [each.calls for each in ran.bodies(ev.ApprovalAsked)] == [4]
    assert ran.bodies(ev.CellFinished)[1].output.split() == ["True"] * 3 + ["False"] + ["True"] * 3


def test_many_children_are_asked_about_like_many_calls(corpus: Corpus) -> None:
    ask = "```repl\nprint(len(context), [bool(each) for each in rlm_query_batched(['How long?'] * 5)])\n```"

    def reply(request: Request) -> str:
        at_root = "How many rooms leak again?" in request.messages[1].text
        turn = sum(message.role == "assistant" for message in request.messages)
        return [ask, answering("done")][turn] if at_root else "```repl\nFINAL(len(context))\n```"

    def run(granted: bool) -> Ran:
        limits, seen = Limits(ask_above_calls=3), []
        return run_scripted(
            corpus,
            ScriptedLM(reply),
            options={"depth": 2},
            limits=limits,
            on_start=answered_with(granted, seen),
            run="first",
        )

    refused, granted = run(False), run(True)
    assert [(each.calls, each.estimated_usd) for each in refused.bodies(ev.ApprovalAsked)] == [(5, None)]
    assert len(refused.bodies(ev.FrameStarted)) == 1
    assert len(granted.bodies(ev.FrameStarted)) == 6
    lm = ScriptedLM(reply)
    again = run_scripted(
        corpus,
        lm,
        options={"depth": 2},
        limits=Limits(ask_above_calls=3),
        origin=Origin("first", Fork(2)),
        earlier=[granted],
    )
    assert again.outcome == "answered"
    assert [request.role for request in lm.requests] == ["root"]


@pytest.mark.parametrize("in_flight", [4, 64])
def test_calls_wait_for_each_other_near_a_limit_so_that_long_replies_do_not_go_over_it_together(
    corpus: Corpus, in_flight: int
) -> None:
    class Long(ScriptedLM):
        """Sixteen thousand tokens a reply, at ten dollars a million."""

        def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
            return output_tokens * 1e-5

        async def complete(self, request: Request) -> Reply:
            reply = await super().complete(request)
            tokens = 50 if request.role == "root" else 16_000
            return replace(reply, usage=Usage(100, tokens), cost_usd=tokens * 1e-5)

    many = "```repl\nreplies = llm_query_batched(['write at length'] * 100)\nprint(sum(map(bool, replies)))\n```"
    lm = Long(lambda request: root.pop(0) if request.role == "root" else "long", latency_s=0.02)
    root = [LOOK, many, answering("done")]
    ran = run_scripted(corpus, lm, limits=Limits(max_usd=1.0, concurrency=in_flight))
    spent = ran.view.totals().cost_usd
    assert 0.6 < spent <= 1.0 + 0.16
    assert ran.outcome == "answered"
    assert [limit.limit for limit in ran.bodies(ev.LimitReached)] == ["max_usd"]
    ran.assert_balanced()
