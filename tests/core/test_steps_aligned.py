"""The steps of two runs side by side: what is the same, what differs, where they part first, and what one has alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.steps_aligned import Aligned, Row, align
from rlm_core.task import Fork, Message, Origin, Task, Usage
from rlm_core.trails import trail_of
from rlm_core.view import RunView, fold


@dataclass
class Turn:
    """A turn with one cell: its code, what it printed, and what helpers were asked in it and said."""

    code: str
    output: str = "done"
    asked: Sequence[tuple[str, str]] = ()
    words: str = "Next."
    replayed: bool = False
    children: list[list[Turn]] = field(default_factory=list)


def run(*turns: Turn, name: str = "r", prompt: str = "Which rooms?", fork: Fork | None = None) -> RunView:
    origin = Origin("r0", fork) if fork else None
    facts: list[tuple[str, str | None, ev.Body]] = [
        ("run", None, ev.RunStarted(Task("Which rooms?", "c-1"), origin=origin)),
        ("f1", "run", ev.FrameStarted(0, "rlm", "Which rooms?", {})),
    ]
    frame(facts, "f1", turns, prompt)
    return fold(ev.Event(name, seq, 100.0 + seq, *each) for seq, each in enumerate(facts))


def frame(facts: list[tuple[str, str | None, ev.Body]], span: str, turns: Sequence[Turn], prompt: str) -> None:
    for number, turn in enumerate(turns, 1):
        at, before = f"{span}.t{number}", f"{span}.t{number - 1}.k1" if number > 1 else None
        facts.append((at, span, ev.TurnStarted(number)))
        facts.append((f"{at}.k1", at, ev.CallStarted("root", "m", (Message("user", prompt),), before)))
        replayed = ev.Replayed("r0") if turn.replayed else None
        reply = f"{turn.words}\n```repl\n{turn.code}\n```"
        facts.append((f"{at}.k1", at, ev.CallFinished("ok", reply, Usage(1, 1), 0.0, "list", replayed=replayed)))
        cell = f"{at}.c1"
        facts.append((cell, at, ev.CellStarted(turn.code)))
        for place, (asked, said) in enumerate(turn.asked, 1):
            call = f"{cell}.k{place}"
            facts.append((call, cell, ev.CallStarted("sub", "h", (Message("user", asked),))))
            facts.append((call, cell, ev.CallFinished("ok", said, Usage(1, 1), 0.0, "list")))
        for place, inside in enumerate(turn.children, 1):
            child = f"{cell}.f{place}"
            facts.append((child, cell, ev.FrameStarted(1, "rlm", f"Part {place}?", {})))
            frame(facts, child, inside, f"Part {place}?")
            facts.append((child, cell, ev.FrameFinished("answered")))
        facts.append((cell, at, ev.CellFinished("ok", turn.output, len(turn.output))))
        facts.append((at, span, ev.TurnFinished()))


def aligned(one: RunView, other: RunView) -> Aligned:
    return align(trail_of(one), trail_of(other))


def told(rows: Sequence[Row]) -> list[tuple[str, str, str]]:
    return [(row.id, row.state, " ".join(row.differs)) for row in rows]


def questions(*names: str, reply: str = "dry") -> list[tuple[str, str]]:
    return [(f"Was the leak in room {name} back again?", reply) for name in names]


MANY = [f"A{number}" for number in range(12)]


def test_runs_that_did_the_same_have_one_row_a_cell_whatever_lies_in_it():
    one = run(Turn("a = 1"), Turn("ask()", asked=questions(*MANY)))
    found = aligned(one, one)
    assert told(found.rows) == [("A:f1.t1.c1", "same", ""), ("A:f1.t2.c1", "same", "")]
    assert [row.hidden for row in found.rows] == [0, 12]
    assert found.first is None
    assert found.counts == {"same": 14, "changed": 0, "only one": 0, "only other": 0}


def test_a_cell_that_one_run_has_more_does_not_shift_the_others():
    one = run(Turn("a = 1"), Turn("b = 2"), Turn("c = 3"))
    other = run(Turn("a = 1"), Turn("look()"), Turn("b = 2"), Turn("c = 3"))
    rows = aligned(one, other).rows
    assert told(rows)[1] == ("B:f1.t2.c1", "only other", "")
    assert [(row.one, row.other) for row in rows[2:]] == [
        (("f1.t2.c1",), ("f1.t3.c1",)),
        (("f1.t3.c1",), ("f1.t4.c1",)),
    ]


def test_cells_with_other_code_are_paired_by_their_first_line_and_then_by_order():
    one = run(Turn("# count\nx = 1"), Turn("y = 1"))
    other = run(Turn("z = 0"), Turn("# count\nx = 2"), Turn("w = 1"))
    found = aligned(one, other)
    assert told(found.rows) == [
        ("B:f1.t1.c1", "only other", ""),
        ("A:f1.t1.c1", "changed", "code"),
        ("A:f1.t2.c1", "changed", "code"),
    ]
    assert found.first is not None
    assert found.first.id == "B:f1.t1.c1"


def test_what_differs_is_named_and_words_are_where_the_code_is_the_same():
    one, other = run(Turn("a = 1", words="First.")), run(Turn("a = 1", "failed", words="I count."))
    assert told(aligned(one, other).rows) == [("A:f1.t1.c1", "changed", "output words")]
    assert told(aligned(one, run(Turn("a = 2", words="I count."))).rows) == [("A:f1.t1.c1", "changed", "code")]
    assert told(aligned(one, run(Turn("a = 1", words="First."), prompt="Else?")).rows)[0][2] == "prompt"


def test_calls_are_paired_by_what_was_asked_in_whatever_order_they_were_made():
    one = run(Turn("ask()", asked=questions("A1", "A2", "A3")))
    other = run(Turn("ask()", asked=[*questions("A3"), *questions("A1"), *questions("A2", reply="wet")]))
    found = aligned(one, other)
    assert told(found.rows) == [
        ("A:f1.t1.c1", "same", ""),
        ("A:f1.t1.c1.k1", "same", ""),
        ("A:f1.t1.c1.k2", "changed", "reply"),
        ("A:f1.t1.c1.k3", "same", ""),
    ]
    assert found.rows[2].other == ("f1.t1.c1.k3",)


def test_more_than_eight_alike_are_a_group_and_only_those_that_part_lie_in_it():
    one = run(Turn("ask()", asked=questions(*MANY)))
    other = run(Turn("ask()", asked=[*questions(*MANY[:10]), *questions("A10", reply="wet")]))
    found = aligned(one, other)
    cell, group, *members = found.rows
    assert (cell.state, cell.below) == ("same", 2)
    assert (group.id, group.state, group.members, group.hidden) == ("A:f1.t1.c1.k1+", "changed", (10, 1, 1, 0), 10)
    assert told(members) == [("A:f1.t1.c1.k11", "changed", "reply"), ("A:f1.t1.c1.k12", "only one", "")]
    assert found.shown(()) == [cell, group]
    assert found.shown([group.id]) == [cell, group, *members]
    assert found.counts == {"same": 11, "changed": 1, "only one": 1, "only other": 0}


def test_where_runs_part_first_is_the_call_and_not_the_cell_that_prints_what_it_said():
    one = run(Turn("ask()", "dry", asked=questions("A1")))
    other = run(Turn("ask()", "wet", asked=questions("A1", reply="wet")))
    first = aligned(one, other).first
    assert first is not None
    assert (first.id, first.differs) == ("A:f1.t1.c1.k1", ("reply",))


def test_steps_of_child_frames_are_laid_side_by_side_too():
    one = run(Turn("go()", children=[[Turn("a = 1"), Turn("b = 2")]]))
    other = run(Turn("go()", children=[[Turn("a = 1"), Turn("b = 3")]]))
    rows = aligned(one, other).rows
    assert [(row.depth, row.kind, row.state) for row in rows] == [
        (0, "cell", "same"),
        (1, "frame", "same"),
        (2, "cell", "same"),
        (2, "cell", "changed"),
    ]


def test_what_a_fork_has_from_the_run_before_is_the_same_and_replayed():
    one = run(Turn("a = 1"), Turn("b = 2"), name="r0")
    other = run(Turn("a = 1", replayed=True), Turn("b = 9"))
    first, second = aligned(one, other).rows
    assert (first.state, first.replayed) == ("same", True)
    assert (second.state, second.replayed) == ("changed", False)


def test_an_instruction_that_a_fork_adds_is_a_difference_in_its_turn():
    one = run(Turn("a = 1"), Turn("b = 2"), name="r0")
    other = run(Turn("a = 1", replayed=True), Turn("b = 2"), fork=Fork(2, instruction="Count each room once."))
    assert [row.differs for row in aligned(one, other).rows] == [(), ("instruction",)]
    after_code = run(Turn("a = 9"), Turn("b = 2"), fork=Fork(1, "a = 9", "Count each room once."))
    assert [row.differs for row in aligned(one, after_code).rows] == [("code",), ("instruction",)]


def test_a_turn_without_code_is_a_step_of_its_own():
    view = run(Turn("a = 1"))
    facts: list[tuple[str, str | None, ev.Body]] = [
        ("f1.t2", "f1", ev.TurnStarted(2)),
        ("f1.t2.k1", "f1.t2", ev.CallStarted("root", "m", (Message("user", "Go on."),), "f1.t1.k1")),
        ("f1.t2.k1", "f1.t2", ev.CallFinished("failed", error="No key.")),
        ("f1.t2", "f1", ev.TurnFinished()),
    ]
    for seq, each in enumerate(facts, view.last_seq + 1):
        view.apply(ev.Event("r", seq, 200.0, *each))
    assert told(aligned(view, run(Turn("a = 1"))).rows)[1] == ("A:f1.t2", "only one", "")


def test_a_run_that_has_not_begun_did_nothing():
    found = aligned(run(Turn("a = 1")), RunView())
    assert told(found.rows) == [("A:f1.t1.c1", "only one", "")]


@pytest.mark.parametrize("seed", range(12))
def test_every_step_of_both_runs_is_counted_once(seed):
    one = fold(stamped(random_run(seed, 400), "a"))
    other = fold(stamped(random_run(seed + 100, 400), "b"))
    found = aligned(one, other)
    rows = [row for row in found.rows if row.members is None]
    for side in ("one", "other"):
        spans = [span for row in rows for span in getattr(row, side)]
        assert len(spans) == len(set(spans))
    assert len({row.id for row in found.rows}) == len(found.rows)
    same = aligned(one, one)
    assert (same.first, {row.state for row in same.rows}) == (None, {"same"})
