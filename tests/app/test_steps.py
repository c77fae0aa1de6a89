"""How the events of a run become the steps that are read."""

from __future__ import annotations

import pytest
from event_streams import random_run, stamped

from app.sheet import sheet_of
from app.steps import CallsStep, CellStep, FindingsStep, FrameStep, RemarkStep, TurnStep, quantile, steps_of
from rlm_core import events as ev
from rlm_core.passages import Passage, passage, short, spoken
from rlm_core.task import Answer, Finding, Message, Task
from rlm_core.view import fold

TASK = Task("Which rooms?", "c1")


def run_of(*steps):
    return fold(
        stamped([(ev.RUN_SPAN, None, ev.RunStarted(TASK)), ("f1", "run", ev.FrameStarted(0, "rlm", "Which?")), *steps])
    )


def call(span, parent, role="sub", status="ok", text="yes"):
    return [
        (span, parent, ev.CallStarted(role, "demo", (Message("user", "Room A12?"),))),
        (
            span,
            parent,
            ev.CallFinished(status, text if status == "ok" else None, error=None if status == "ok" else "No."),
        ),
    ]


def test_a_turn_is_followed_by_its_cell_then_by_the_cells_calls_and_findings():
    view = run_of(
        ("f1.t1", "f1", ev.TurnStarted(1)),
        *call("f1.t1.k1", "f1.t1", "root", text="I ask.\n```repl\nllm_query('x')\n```"),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("llm_query('x')")),
        *call("f1.t1.c1.k1", "f1.t1.c1"),
        *call("f1.t1.c1.k2", "f1.t1.c1", status="failed"),
        ("f1.t1.c1.r1", "f1.t1.c1", ev.FindingRecorded(Finding("A12", "yes"))),
        ("f1.t1.c1", "f1.t1", ev.CellFinished("ok", "done", 4)),
    )
    turn, cell, calls, findings = steps_of(view)
    assert isinstance(turn, TurnStep)
    assert (turn.number, turn.call.reply.head[:6], turn.elapsed_s) == (1, "I ask.", None)
    assert isinstance(cell, CellStep)
    assert (cell.number, cell.output.head, cell.status) == (1, "done", "ok")
    assert isinstance(calls, CallsStep)
    assert (len(calls.rows), calls.ok, calls.failed) == (2, 1, 1)
    assert calls.rows[1].error.head == "No."
    assert isinstance(findings, FindingsStep)
    assert findings.labels == (("yes", 1),)


def test_cells_are_numbered_through_a_frame_and_a_child_frame_counts_its_own():
    view = run_of(
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("1")),
        ("f1.t1.c2", "f1.t1", ev.CellStarted("2")),
        ("f1.t1.c2.f1", "f1.t1.c2", ev.FrameStarted(1, "rlm", "And here?")),
        ("f1.t1.c2.f1.t1", "f1.t1.c2.f1", ev.TurnStarted(1)),
        ("f1.t1.c2.f1.t1.c1", "f1.t1.c2.f1.t1", ev.CellStarted("3")),
        ("f1.t2", "f1", ev.TurnStarted(2)),
        ("f1.t2.c1", "f1.t2", ev.CellStarted("4")),
    )
    steps = steps_of(view)
    assert [(step.code.head, step.number, step.depth) for step in steps if isinstance(step, CellStep)] == [
        ("1", 1, 0),
        ("2", 2, 0),
        ("3", 1, 1),
        ("4", 3, 0),
    ]
    (child,) = (step for step in steps if isinstance(step, FrameStep))
    assert (child.depth, child.question.head) == (1, "And here?")


def test_notes_come_before_what_they_explain_and_limits_after_what_they_ended():
    view = run_of(
        ("f1", "run", ev.Noted("context_cut", "Half was not shown.")),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1", "run", ev.LimitReached("max_turns", 1, 1)),
    )
    note, turn, limit = steps_of(view)
    assert isinstance(note, RemarkStep)
    assert isinstance(turn, TurnStep)
    assert (note.text.head, limit.text.head) == ("Half was not shown.", "Limit on turns reached: 1 of 1.")


@pytest.mark.parametrize("seed", range(6))
def test_any_prefix_of_any_run_can_be_laid_out(seed):
    events = stamped(random_run(seed, 120, hostile=True))
    for length in (1, 2, len(events) // 3, len(events) // 2, len(events)):
        view = fold(events[:length])
        sheet = sheet_of(view)
        ids = [step.id for step in sheet.steps]
        assert len(ids) == len(set(ids))
        shown = {row.id for step in sheet.steps if isinstance(step, CallsStep) for row in step.rows}
        shown |= {step.call.id for step in sheet.steps if isinstance(step, TurnStep) and step.call}
        assert shown == {node.id for node in view.nodes.values() if node.kind == "call"}


def test_a_sheet_holds_what_the_head_of_the_page_says():
    view = run_of(*call("f1.k1", "f1"), ("run", None, ev.RunFinished("answered", Answer("Two."), "")))
    sheet = sheet_of(view)
    assert (sheet.state, sheet.answer.head, sheet.active, sheet.totals.calls) == ("answered", "Two.", False, 1)


def test_the_words_of_a_reply_are_what_stands_around_its_cells():
    reply = "First I look.\n\n```repl\nprint(1)\n```\n\nThen:\n```python\nprint(2)\n```\nDone."
    assert spoken(reply, ["print(1)", "print(2)\n"]) == "First I look.\n\nThen:\n\nDone."


def test_a_code_that_does_not_stand_in_a_fence_of_its_own_is_left_where_it_is():
    reply = "The call `print(1)` prints. print(1)"
    assert spoken(reply, ["print(1)", ""]) == reply


def test_a_long_text_is_passed_around_by_its_head():
    assert passage({"$text": "abc", "chars": 5000, "head": "x" * 200}) == Passage("x" * 200, 5000, "abc")
    assert short(Passage("xxx", 5003, "abc")) == "xxx … (5,000 more characters)"
    assert short(passage("whole")) == "whole"
    assert passage(None).chars == 0


def test_a_quantile_is_one_of_the_values():
    assert quantile([1.0, 2.0, 3.0, 10.0], 0.5) == 3.0
    assert quantile([1.0, 2.0, 3.0, 10.0], 0.95) == 10.0
    assert quantile([], 0.5) is None
