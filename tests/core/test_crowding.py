"""Crowding: of very many turns some are closed, and nothing is lost."""

from __future__ import annotations

from event_streams import stamped
from test_folding import Fact, asked, begun, child_frames, failed, hidden, marks, replied

from rlm_core import events as ev
from rlm_core.folding import RUN, tree_of
from rlm_core.view import fold


def many_turns(count: int) -> list[Fact]:
    facts = begun()
    for number in range(2, count + 1):
        turn = f"f1.t{number}"
        facts += [
            (turn, "f1", ev.TurnStarted(number)),
            (f"{turn}.c1", turn, ev.CellStarted("ask()")),
            asked(f"{turn}.c1.k1", f"{turn}.c1", "Read this."),
            failed(f"{turn}.c1.k1", f"{turn}.c1") if number == 7 else replied(f"{turn}.c1.k1", f"{turn}.c1"),
            (f"{turn}.c1", turn, ev.CellFinished("ok")),
            (turn, "f1", ev.TurnFinished()),
        ]
    return facts


def test_of_very_many_turns_the_dull_ones_are_closed_and_say_how_much_is_in_them():
    view = fold(stamped(many_turns(60)))
    tree = tree_of(view, max_marks=100, selected="f1.t9.c1.k1", opened={"f1.t11": range(50)})
    assert len(tree.marks) <= 100
    assert tree.drawn + hidden(tree) == tree.nodes
    shown = {mark.id for mark in tree.marks}
    assert {"f1.t7.c1.k1", "f1.t9.c1.k1", "f1.t11.c1.k1"} <= shown
    closed = next(mark for mark in tree.marks if mark.kind == "turn" and mark.hidden)
    assert closed.hidden == 2
    assert tree.mark_of(f"{closed.id}.c1.k1") is closed


def failing_turns(count: int) -> list[Fact]:
    facts = begun()
    for number in range(2, count + 1):
        turn, cell, call = f"f1.t{number}", f"f1.t{number}.c1", f"f1.t{number}.c1.k1"
        facts += [(turn, "f1", ev.TurnStarted(number)), (cell, turn, ev.CellStarted("ask()"))]
        facts += [asked(call, cell, "Read this."), failed(call, cell)]
        facts += [(cell, turn, ev.CellFinished("ok")), (turn, "f1", ev.TurnFinished())]
    return facts


def test_of_thousands_of_turns_a_row_of_closed_ones_is_a_group_that_is_read_in_windows():
    view = fold(stamped(many_turns(2000)))
    tree = tree_of(view, selected="f1.t900.c1.k1")
    assert len(tree.marks) < 50
    assert tree.drawn + hidden(tree) == tree.nodes
    assert [mark.id for mark in tree.marks if mark.failed] == ["f1.t7.c1.k1"]
    row = tree.by_id["f1.t8.row"]
    assert (row.kind, row.is_group, len(row.members), row.parent) == ("turn", True, 892, RUN)
    assert tree.mark_of("f1.t500.c1.k1") is row
    unfolded = tree_of(view, opened={"f1.t8.row": range(50, 100), "f1.t60": range(1)})
    first, second = unfolded.by_id["f1.t8.row"], unfolded.by_id["f1.t61.row"]
    assert [len(each.members) for each in (first, second)] == [52, 1940]
    assert unfolded.by_id["f1.t60.c1.k1"].parent == "f1.t60.c1"
    assert [each.id for each in marks(unfolded, first.id)] == ["f1.t8.row.earlier", "f1.t58", "f1.t59"]
    assert unfolded.drawn + hidden(unfolded) == unfolded.nodes


def test_where_every_turn_has_a_failure_turns_are_closed_all_the_same_and_count_it():
    view = fold(stamped(failing_turns(1200)))
    tree = tree_of(view)
    assert len(tree.marks) <= 300
    assert tree.drawn + hidden(tree) == tree.nodes
    assert tree.by_id["f1.t2.row"].subtree.failed_calls > 1000


def test_the_innermost_turns_are_closed_first():
    facts = child_frames(8)
    for number in range(1, 9):
        facts += [asked(f"f1.t1.c1.f{number}.t1.c1.k{call}", f"f1.t1.c1.f{number}.t1.c1", "Read.") for call in (2, 3)]
        facts += [replied(f"f1.t1.c1.f{number}.t1.c1.k{call}", f"f1.t1.c1.f{number}.t1.c1") for call in (1, 2, 3)]
        facts.append((f"f1.t1.c1.f{number}.t1.c1", f"f1.t1.c1.f{number}.t1", ev.CellFinished("ok")))
        facts.append((f"f1.t1.c1.f{number}.t1", f"f1.t1.c1.f{number}", ev.TurnFinished()))
        facts.append((f"f1.t1.c1.f{number}", "f1.t1.c1", ev.FrameFinished("answered")))
    facts += [("f1.t1.c1", "f1.t1", ev.CellFinished("ok")), ("f1.t1", "f1", ev.TurnFinished())]
    tree = tree_of(fold(stamped(facts)), max_marks=30)
    closed = {mark.id for mark in tree.marks if mark.kind == "turn" and mark.hidden}
    assert closed
    assert "f1.t1" not in closed
    assert tree.drawn + hidden(tree) == tree.nodes
