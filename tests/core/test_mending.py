"""Mending: which failures of a run were made good later, and which stand."""

from __future__ import annotations

import pytest
from event_streams import stamped

from rlm_core import events as ev
from rlm_core.mending import mended
from rlm_core.outline import RUN
from rlm_core.task import Answer, Message, Task
from rlm_core.view import fold

BEGUN = [
    (RUN, None, ev.RunStarted(Task("Which rooms?", "corpus-1", "rlm", {}, "demo", "demo"))),
    ("f1", RUN, ev.FrameStarted(0, "rlm", "Which rooms?")),
]


def cell(turn: int, code: str, *inside: tuple, status: ev.Status = "ok", frame: str = "f1") -> list[tuple]:
    span = f"{frame}.t{turn}"
    return [
        (span, frame, ev.TurnStarted(turn)),
        (f"{span}.c1", span, ev.CellStarted(code)),
        *inside,
        (f"{span}.c1", span, ev.CellFinished(status, "", 0, "NameError" if status == "failed" else None)),
        (span, frame, ev.TurnFinished()),
    ]


def call(span: str, asked: str, status: ev.Status = "ok", role: ev.CallRole = "sub") -> list[tuple]:
    parent = span.rpartition(".")[0]
    return [
        (span, parent, ev.CallStarted(role, "demo", (Message("user", asked),))),
        (span, parent, ev.CallFinished(status, "no" if status == "ok" else None)),
    ]


def child(span: str, outcome: str, *inside: tuple, key: str | None = "q") -> list[tuple]:
    parent = span.rpartition(".")[0]
    answer = Answer("2 rooms") if outcome == "answered" else None
    return [
        (span, parent, ev.FrameStarted(1, "rlm", "Which rooms?", key=key)),
        *inside,
        (span, parent, ev.FrameFinished(outcome, "", answer)),  # type: ignore[arg-type]
    ]


def found(*parts: list[tuple]) -> dict[str, tuple[str, str]]:
    view = fold(stamped([*BEGUN, *(step for part in parts for step in part)]))
    return {span: (good.by, good.says) for span, good in mended(view).items()}


def test_a_call_is_made_good_by_the_next_that_asks_the_same_and_is_answered():
    asked = cell(1, "ask()", *call("f1.t1.c1.k1", "Room 1?", "failed"), *call("f1.t1.c1.k2", "Room 2?", "timeout"))
    again = cell(2, "again()", *call("f1.t2.c1.k1", "Room 1?"), *call("f1.t2.c1.k2", "Room 2?", "failed"))
    assert found(asked, again) == {"f1.t1.c1.k1": ("f1.t2.c1.k1", "asked again in turn 2")}


def test_an_answer_before_the_failure_makes_nothing_good():
    assert found(cell(1, "ask()", *call("f1.t1.c1.k1", "Room?"), *call("f1.t1.c1.k2", "Room?", "failed"))) == {}


def test_within_one_turn_no_turn_is_named():
    both = (*call("f1.t1.c1.k1", "Room?", "failed"), *call("f1.t1.c1.k2", "Room?"))
    assert found(cell(1, "ask()", *both)) == {"f1.t1.c1.k1": ("f1.t1.c1.k2", "asked again")}


@pytest.mark.parametrize(
    ("later", "repairs"),
    [
        ("from collections import Counter\nprint(Counter(room for room in rooms))", True),
        ("print(context[0].text[:400])", False),
    ],
)
def test_a_cell_is_repaired_by_one_that_has_most_of_its_words(later: str, repairs: bool):
    failed = cell(1, "print(Counter(room for room in rooms))", status="failed")
    between = cell(2, "import datetime")
    good = {"f1.t1.c1": ("f1.t3.c1", "repaired in turn 3")} if repairs else {}
    assert found(failed, between, cell(3, later)) == good


def test_a_cell_that_fails_again_repairs_nothing():
    assert found(*(cell(turn, "print(rooms)", status="failed") for turn in (1, 2))) == {}


def test_a_child_frame_is_asked_again_and_with_it_stands_what_failed_in_it():
    lost = child("f1.t1.c1.f1", "failed", *cell(1, "x", status="failed", frame="f1.t1.c1.f1"))
    told = child("f1.t2.c1.f1", "answered")
    good = ("f1.t2.c1.f1", "asked again in turn 2")
    assert found(cell(1, "ask()", *lost), cell(2, "ask()", *told)) == {
        "f1.t1.c1.f1": good,
        "f1.t1.c1.f1.t1.c1": good,
    }
    assert found(cell(1, "ask()", *child("f1.t1.c1.f1", "failed", key=None)), cell(2, "ask()", *told)) == {}


def test_in_a_child_frame_its_own_turns_are_named_and_siblings_are_asked_alike_for_themselves():
    one = child(
        "f1.t1.c1.f1",
        "answered",
        *cell(
            1,
            "print(rooms)",
            *call("f1.t1.c1.f1.t1.k1", "Begin.", "failed", "root"),
            status="failed",
            frame="f1.t1.c1.f1",
        ),
        *cell(2, "print(rooms or 0)", frame="f1.t1.c1.f1"),
    )
    other = child(
        "f1.t1.c1.f2",
        "answered",
        *cell(1, "x", *call("f1.t1.c1.f2.t1.k1", "Begin.", role="root"), frame="f1.t1.c1.f2"),
        key="p",
    )
    assert found(cell(1, "ask()", *one, *other)) == {"f1.t1.c1.f1.t1.c1": ("f1.t1.c1.f1.t2.c1", "repaired in turn 2")}


def test_what_was_stopped_with_its_run_did_not_fail():
    asked = cell(1, "ask()", *call("f1.t1.c1.k1", "Room?", "cancelled"), *call("f1.t1.c1.k2", "Room?"))
    assert found(asked) == {}


def test_many_failures_and_many_that_went_well_are_compared_one_by_one():
    """Not each with each: the words of two thousand cells would be compared a million times."""
    failed = [cell(turn, f"print(rooms[{turn}])", status="failed") for turn in range(1, 1001)]
    good = [cell(turn, f"print(rooms[{turn}])") for turn in range(1001, 2001)]
    assert len(found(*failed, *good)) == 1000
