"""The facts of one node of a run, gathered from its view."""

from __future__ import annotations

import pytest
import written_runs

from rlm_core import events as ev
from rlm_core.looks.node_facts import facts_of, findings_of
from rlm_core.looks.node_places import beside, members_of, next_to, raw_of
from rlm_core.looks.node_shapes import (
    AnswerFacts,
    CallFacts,
    CellFacts,
    FindingFacts,
    FrameFacts,
    RunFacts,
    SearchFacts,
    TurnFacts,
)
from rlm_core.store.store import Store
from rlm_core.task import Answer, Finding, Message, Usage
from rlm_core.view import fold

CELL = "f1.t2.c1"


@pytest.fixture
def view(home):
    store = Store.open(home)
    found = fold(store.events(written_runs.answered(home)))
    store.close()
    return found


def test_a_call_has_its_prompt_reply_place_and_what_it_cost(view):
    call = facts_of(view, f"{CELL}.k3")
    assert isinstance(call, CallFacts)
    assert [(each.role, each.text.head) for each in call.messages] == [("user", "Was room 3 wet again?")]
    assert (call.reply.head, call.cost_usd, call.cost_source) == ("Room 3: no.", 0.0125, "list")
    assert (call.number, call.of) == (3, 10)
    assert call.cell
    assert (call.cell.span, call.cell.number) == (CELL, 2)
    assert call.cell.code.head == written_runs.CODE


def test_a_failed_call_says_why_and_that_it_may_have_been_charged(view):
    call = facts_of(view, f"{CELL}.k10")
    assert isinstance(call, CallFacts)
    assert (call.status, call.error.head, call.cost_usd, call.maybe_paid) == ("failed", "No reply in 60 s.", None, True)


def test_the_call_that_wrote_a_turn_is_given_as_the_turn(view):
    turn = facts_of(view, "f1.t2.k1")
    assert isinstance(turn, TurnFacts)
    assert turn == facts_of(view, "f1.t2")
    assert (turn.number, turn.of, [each.span for each in turn.cells]) == (2, 2, [CELL])
    assert turn.call
    assert turn.call.reply.head.startswith("I ask a helper about every room.")
    assert turn.totals.calls == 11


def test_a_cell_has_its_findings_variables_and_what_became_of_its_calls(view):
    cell = facts_of(view, CELL)
    assert isinstance(cell, CellFacts)
    assert (cell.number, cell.turn_number, cell.output.head) == (2, 2, written_runs.OUTPUT)
    assert (cell.calls, cell.failed_calls, cell.running_calls) == (10, 1, 0)
    assert [(each.item, each.label) for each in cell.findings] == [("A12", "yes"), ("B07", "no"), ("C02", "unknown")]
    assert all(each.cell and each.cell.number == 2 for each in cell.findings)
    first = facts_of(view, "f1.t1.c1")
    assert isinstance(first, CellFacts)
    assert [each["name"] for each in first.variables] == ["rooms"]


def test_a_finding_names_the_call_whose_reply_holds_its_quote(view):
    finding = facts_of(view, f"{CELL}.r1", {f"{CELL}.r1": f"{CELL}.k1"})
    assert isinstance(finding, FindingFacts)
    assert (finding.item, finding.call, finding.stands) == ("A12", f"{CELL}.k1", True)
    call = facts_of(view, f"{CELL}.k1", {f"{CELL}.r1": f"{CELL}.k1"})
    assert isinstance(call, CallFacts)
    assert [each.span for each in call.findings] == [f"{CELL}.r1"]


def test_a_corrected_finding_does_not_stand(home):
    with written_runs.Writer(home, "corrected") as life:
        life.turn(findings=((Finding("A12", "no"), None), (Finding("A12", "yes"), None)))
        life.finish()
    store = Store.open(home)
    view = fold(store.events("corrected"))
    store.close()
    first = facts_of(view, "f1.t1.c1.r1")
    assert isinstance(first, FindingFacts)
    assert not first.stands
    assert [each.span for each in findings_of(view)] == ["f1.t1.c1.r2"]


def test_the_run_is_counted_by_kind(view):
    run = facts_of(view, "run")
    assert isinstance(run, RunFacts)
    assert run == facts_of(view, "f1")
    assert (run.turns, run.turns_with_code, run.cells, run.sub_calls, run.failed_calls) == (2, 2, 2, 10, 1)
    assert (run.frames, run.findings, run.has_answer) == (0, 3, True)


def test_the_answer_is_there_only_when_there_is_one(view, home):
    answer = facts_of(view, "answer")
    assert isinstance(answer, AnswerFacts)
    assert (answer.text.head, answer.outcome) == ("1 room: A12.", "answered")
    store = Store.open(home)
    failed = fold(store.events(written_runs.ended(home, "failed", "No key.")))
    store.close()
    assert facts_of(failed, "answer") is None


def test_what_is_not_there_has_no_facts(view):
    assert facts_of(view, "f9.t1") is None
    assert next_to(view, "f9.t1", 1) is None
    assert raw_of(view, "f9.t1") == []


def nested(home):
    """A cell with a search and a child frame, which is asked once."""
    with written_runs.Writer(home, "nested") as life:
        cell = life.turn(open_cell=True)
        life.emit(f"{cell}.s1", cell, ev.Searched("leak", ({"document": "a.txt", "line": 3},)))
        life.emit(f"{cell}.f1", cell, ev.FrameStarted(1, "rlm", "Is A12 wet?", {"kind": "text", "chars": 99}))
        life.emit(f"{cell}.f1.t1", f"{cell}.f1", ev.TurnStarted(1))
        prompt = (Message("system", "You answer."), Message("user", "Is A12 wet?"))
        life.emit(f"{cell}.f1.t1.k1", f"{cell}.f1.t1", ev.CallStarted("root", "demo", prompt))
        life.emit(f"{cell}.f1.t1.k1", f"{cell}.f1.t1", ev.CallFinished("ok", "Yes.", Usage(20, 2), 0.01, "list"))
        life.emit(f"{cell}.f1.t1", f"{cell}.f1", ev.TurnFinished())
        life.emit(f"{cell}.f1", cell, ev.FrameFinished("answered"))
        life.emit("run", None, ev.RunFinished("answered", Answer("Yes.")))
    store = Store.open(home)
    view = fold(store.events("nested"))
    store.close()
    return view


def test_child_frames_and_searches_know_the_cell_that_made_them(home):
    view = nested(home)
    frame, search = facts_of(view, "f1.t1.c1.f1"), facts_of(view, "f1.t1.c1.s1")
    assert isinstance(frame, FrameFacts)
    assert (frame.depth, frame.turns, frame.totals.calls, frame.question.head) == (1, 1, 1, "Is A12 wet?")
    assert isinstance(search, SearchFacts)
    assert len(search.hits) == 1
    assert frame.cell
    assert search.cell
    assert frame.cell.span == search.cell.span == "f1.t1.c1"
    turn = facts_of(view, "f1.t1.c1.f1.t1")
    assert isinstance(turn, TurnFacts)
    assert turn.call
    assert turn.call.added == 2


def test_next_and_previous_stay_among_what_is_alike_and_end_at_the_ends(view):
    assert next_to(view, f"{CELL}.k3", 1) == f"{CELL}.k4"
    assert next_to(view, f"{CELL}.k1", -1) is None
    assert next_to(view, "f1.t1.c1", 1) == CELL
    assert next_to(view, "f1.t2.k1", -1) == "f1.t1"
    assert next_to(view, f"{CELL}.r3", -1) == f"{CELL}.r2"
    assert beside(view, f"{CELL}.k1") == [f"{CELL}.k{number}" for number in range(1, 11)]


def test_members_have_the_name_of_the_item_that_they_decided_or_their_number(view):
    members = members_of(view, (f"{CELL}.k3", f"{CELL}.k10"), {f"{CELL}.k3": "A12"})
    assert [(each.name, each.status) for each in members] == [("A12", "ok"), ("call 10", "failed")]
    assert members[0].asked.head == "Was room 3 wet again?"


def test_raw_events_are_those_of_the_node_and_of_a_turn_with_its_call(view):
    assert [each["kind"] for each in raw_of(view, f"{CELL}.k1")] == ["CallStarted", "CallFinished"]
    assert [each["kind"] for each in raw_of(view, "f1.t1")] == [
        "TurnStarted",
        "CallStarted",
        "CallFinished",
        "TurnFinished",
    ]
    assert [each["kind"] for each in raw_of(view, f"{CELL}.r1")] == ["FindingRecorded", "QuoteChecked"]
