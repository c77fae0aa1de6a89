"""Which child frames answered without having read anything of their context."""

from __future__ import annotations

import pytest
from event_streams import stamped

from rlm_core import events as ev
from rlm_core.outline import RUN
from rlm_core.task import Answer, Message, Task
from rlm_core.unread import read_nothing
from rlm_core.view import fold

CHILD = "f1.t1.c1.f1"
CELL = f"{CHILD}.t1.c1"
BEGUN = [
    (RUN, None, ev.RunStarted(Task("Which rooms?", "corpus-1", "rlm", {}, "demo", "demo"))),
    ("f1", RUN, ev.FrameStarted(0, "rlm", "Which rooms?", {"chars": 5000})),
    ("f1.t1", "f1", ev.TurnStarted(1)),
    ("f1.t1.c1", "f1.t1", ev.CellStarted("rlm_query('Which of the north?', north)")),
]
CALL = [(f"{CELL}.k1", CELL, ev.CallStarted("sub", "demo", (Message("user", "Was it wet?"),)))]
SEARCH = [(f"{CELL}.s1", CELL, ev.Searched("leak"))]


def found(
    code: object = "answer = 0",
    printed: int = 0,
    *more: tuple,
    strategy: str = "rlm",
    chars: int | None = 900,
    outcome: str = "answered",
) -> frozenset[str]:
    """Of a child frame with a turn, and a cell if there is any code."""
    steps = [
        (CHILD, "f1.t1.c1", ev.FrameStarted(1, strategy, "Which of the north?", {"chars": chars} if chars else {})),
        (f"{CHILD}.t1", CHILD, ev.TurnStarted(1)),
        (f"{CHILD}.t1.k1", f"{CHILD}.t1", ev.CallStarted("root", "demo", (Message("user", "Begin."),))),
        (f"{CHILD}.t1.k1", f"{CHILD}.t1", ev.CallFinished("ok", "FINAL(0 rooms)")),
    ]
    if code:
        steps += [(CELL, f"{CHILD}.t1", ev.CellStarted(code)), *more]  # type: ignore[arg-type]
        steps += [(CELL, f"{CHILD}.t1", ev.CellFinished("ok", "x" * printed, printed))]
    answer = Answer("0 rooms") if outcome == "answered" else None
    steps += [(CHILD, "f1.t1.c1", ev.FrameFinished(outcome, "", answer))]  # type: ignore[arg-type]
    return read_nothing(fold(stamped([*BEGUN, *steps])))


@pytest.mark.parametrize("code", ["", "answer = 0"])
def test_a_child_that_answers_and_neither_names_its_context_nor_prints_nor_asks_has_read_nothing(code: str):
    assert found(code) == {CHILD}


@pytest.mark.parametrize(
    ("code", "printed", "more"),
    [
        ("n = len([each for each in context if 'leak' in each])", 0, ()),
        ("print(hidden)", 12, ()),
        ({"$text": "0" * 64, "chars": 3000, "head": "import re"}, 0, ()),
        ("answer = llm_query('Was it wet?')", 0, CALL),
        ("answer = search('leak')", 0, SEARCH),
    ],
)
def test_one_that_may_have_is_not_named(code: object, printed: int, more: tuple):
    assert found(code, printed, *more) == frozenset()


def test_where_the_prompt_may_hold_the_context_or_nothing_is_known_of_it_nothing_is_said():
    assert found(strategy="base") == found(chars=None) == found(chars=5) == frozenset()


def test_a_child_that_failed_has_no_answer_to_be_wary_of():
    assert found(outcome="failed") == frozenset()
