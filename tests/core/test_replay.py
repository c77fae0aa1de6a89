"""A run that goes on from another one: what is replayed, what is asked anew, and what it says when the two part."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs import HELPERS, LOOK, Ran, answering, corpus_of, run_scripted

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.journal import child_key
from rlm_core.lm.client import Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Fork, Origin

TURNS = [LOOK, HELPERS, "```repl\nprint(len(replies), budget()['calls']['used'])\n```", answering("1")]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def lm_for(*turns: str) -> ScriptedLM:
    """A model that takes up a conversation where it is."""

    def reply(request: Request) -> str:
        if request.role != "root":
            return "yes" if "dripped" in request.messages[0].text else "no"
        return turns[sum(message.role == "assistant" for message in request.messages)]

    return ScriptedLM(reply)


def roles(lm: ScriptedLM) -> list[str]:
    return [request.role for request in lm.requests]


@pytest.fixture
def first(corpus: Corpus) -> Ran:
    return run_scripted(corpus, lm_for(*TURNS), run="first")


def test_a_fork_at_the_last_turn_asks_for_that_turn_only(corpus: Corpus, first: Ran) -> None:
    lm = lm_for(*TURNS[:3], answering("another"))
    ran = run_scripted(corpus, lm, origin=Origin("first", Fork(4)), earlier=[first], run="second")
    assert (ran.outcome, ran.answer) == ("answered", "another")
    assert roles(lm) == ["root"]
    assert lm.requests[0].messages == first.view.prompt("f1.t4.k1")
    started = ran.view.started
    assert started
    assert (started.parent_run, started.origin) == ("first", Origin("first", Fork(4)))
    ran.assert_balanced()


def test_what_was_replayed_is_marked_and_costs_nothing(corpus: Corpus, first: Ran) -> None:
    ran = run_scripted(corpus, lm_for(*TURNS), origin=Origin("first", Fork(4)), earlier=[first], run="second")
    replayed = [call for call in ran.bodies(ev.CallFinished) if call.replayed]
    assert len(replayed) == 3 + 2
    assert {call.replayed.run for call in replayed if call.replayed} == {"first"}
    assert ran.view.totals().input_tokens == ran.bodies(ev.CallFinished)[-1].usage.input_tokens
    assert ran.view.totals().calls_without_usage == 0
    assert replayed[0].replayed.usage == first.bodies(ev.CallFinished)[0].usage


def test_the_events_of_a_replayed_prefix_are_those_of_the_run_before(corpus: Corpus, first: Ran) -> None:
    ran = run_scripted(corpus, lm_for(*TURNS), origin=Origin("first", Fork(4)), earlier=[first], run="second")

    def told(run: Ran) -> dict[tuple[str, str], object]:
        """What is recorded of each span; two calls of a batch may begin and end in any order."""
        return {
            (event.span, event.kind): event.body.text if isinstance(event.body, ev.CallFinished) else event.body
            for event in run.events
            if event.span.startswith(("f1.t1", "f1.t2", "f1.t3"))
        }

    assert told(ran) == told(first)


def test_a_fork_with_edited_code_runs_it_and_sends_again_only_what_it_asks_anew(corpus: Corpus, first: Ran) -> None:
    code = "replies = [llm_query(f'Does it leak again? {context[0]}'), llm_query('A new question')]\nprint(replies)"
    lm = lm_for(*TURNS[:2], answering("done"))
    ran = run_scripted(corpus, lm, origin=Origin("first", Fork(2, code=code)), earlier=[first], run="second")
    assert (ran.outcome, ran.answer) == ("answered", "done")
    assert roles(lm) == ["sub", "root"]
    assert lm.requests[0].messages[0].text == "A new question"
    assert lm.requests[1].messages[-2].text == f"```repl\n{code}\n```"
    edited = next(call for call in ran.bodies(ev.CallFinished) if call.replayed and call.replayed.edited)
    assert edited.text == f"```repl\n{code}\n```"


def test_a_fork_with_an_instruction_tells_the_model_before_the_turn(corpus: Corpus, first: Ran) -> None:
    lm = lm_for(*TURNS)
    ran = run_scripted(
        corpus, lm, origin=Origin("first", Fork(3, instruction="Count twice.")), earlier=[first], run="second"
    )
    assert roles(lm) == ["root", "root"]
    assert lm.requests[0].messages[-1].text.endswith("Added by the person who asked:\nCount twice.")
    assert lm.requests[0].messages[:-1] == first.view.prompt("f1.t3.k1")[:-1]
    assert lm.requests[1].messages[: len(lm.requests[0].messages)] == lm.requests[0].messages
    assert ran.outcome == "answered"


def test_another_model_is_asked_from_the_fork_on_and_the_prefix_is_still_free(corpus: Corpus, first: Ran) -> None:
    lm = lm_for(*TURNS)
    origin = Origin("first", Fork(3))
    ran = run_scripted(
        corpus, lm, origin=origin, earlier=[first], run="second", root_model="other", helper_model="another"
    )
    assert [(request.role, request.model) for request in lm.requests] == [("root", "other"), ("root", "other")]
    assert ran.outcome == "answered"


@pytest.mark.parametrize("last", range(1, 40))
def test_whatever_event_is_the_last_the_next_life_gives_the_same_answer_and_pays_nothing_twice(
    corpus: Corpus, last: int
) -> None:
    lm = lm_for(*TURNS)
    dead = broken_off(corpus, lm, last)
    finished = [event for event in dead.events if isinstance(event.body, ev.CallFinished)]
    asked = len(lm.requests)
    ran = run_scripted(corpus, lm, origin=Origin("first"), earlier=[dead], run="first.2")
    assert (ran.outcome, ran.answer) == ("answered", "1")
    calls = [event for event in ran.events if isinstance(event.body, ev.CallFinished)]
    assert len([event for event in calls if event.body.replayed]) == len(finished)
    assert len(lm.requests) - asked == len(calls) - len(finished)
    ran.assert_balanced()


def broken_off(corpus: Corpus, lm: ScriptedLM, last: int) -> Ran:
    """A run whose events end after number `last`."""
    whole = run_scripted(corpus, lm, run="first")
    lm.requests.clear()
    return Ran(whole.events[: last + 1])


def test_a_cell_that_does_something_else_stops_the_run_and_says_what(corpus: Corpus) -> None:
    turns = ["```repl\nimport time\nseen = context[0].path\nprint('at', time.time_ns())\n```", LOOK, answering("1")]
    first = run_scripted(corpus, lm_for(*turns), run="first")
    lm = lm_for(*turns)
    ran = run_scripted(corpus, lm, origin=Origin("first", Fork(3)), earlier=[first], run="second")
    assert (ran.outcome, ran.view.finished.error_kind) == ("failed", "ReplayDiverged")
    (parted,) = ran.bodies(ev.ReplayDiverged)
    assert parted.expected != parted.got
    assert lm.requests == []
    ran.assert_balanced()
    again = run_scripted(corpus, lm_for(*turns), origin=Origin("second"), earlier=[ran, first], run="again")
    assert (again.outcome, again.view.finished.error_kind) == ("failed", "ReplayDiverged")
    accepted = Origin("first", Fork(3), accept_divergence=True)
    ran = run_scripted(corpus, lm, origin=accepted, earlier=[first], run="third")
    assert ran.outcome == "answered"
    assert len(ran.bodies(ev.ReplayDiverged)) == 1


def test_a_fork_of_a_fork_goes_back_to_both(corpus: Corpus, first: Ran) -> None:
    second = run_scripted(corpus, lm_for(*TURNS), origin=Origin("first", Fork(3)), earlier=[first], run="second")
    lm = lm_for(*TURNS)
    third = run_scripted(corpus, lm, origin=Origin("second", Fork(4)), earlier=[second, first], run="third")
    assert roles(lm) == ["root"]
    paid = {call.replayed.run for call in third.bodies(ev.CallFinished) if call.replayed}
    assert paid == {"first", "second"}


def test_a_failed_helper_stays_failed_in_the_replayed_prefix(corpus: Corpus) -> None:
    def reply(request: Request) -> str:
        if request.role == "root":
            return TURNS[sum(message.role == "assistant" for message in request.messages)]
        if "dripped" in request.messages[0].text:
            return ""
        return "yes"

    first = run_scripted(corpus, ScriptedLM(reply), run="first")
    assert first.view.totals().failed_calls == 1
    lm = lm_for(*TURNS)
    ran = run_scripted(corpus, lm, origin=Origin("first", Fork(4)), earlier=[first], run="second")
    assert roles(lm) == ["root"]
    assert ran.view.totals().failed_calls == 1
    assert ran.bodies(ev.ReplayDiverged) == []


def test_what_was_asked_is_found_again_as_the_store_gives_it_back() -> None:
    assert child_key("half of a pair: \ud83d", "x") == child_key("half of a pair: \ufffd", "x")
