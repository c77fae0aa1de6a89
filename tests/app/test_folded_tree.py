"""The rows of the folded tree."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import written_runs
from event_streams import random_run, stamped
from shown import component, everything
from written_runs import HOSTILE, Writer

from app.components import folded_tree
from rlm_core import events as ev
from rlm_core.evidence.citations import head
from rlm_core.looks import windows
from rlm_core.looks.boxes import faces
from rlm_core.looks.look import look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.store.store import Store
from rlm_core.task import Answer, Message
from rlm_core.view import fold


def look(home, run, node=None, **opened):
    store = Store.open(home)
    view = fold(store.events(run))
    store.close()
    return look_at(reading_of(view, head), Place(run, node, opened))


def rows(home, run, node=None, **opened):
    return {row.id: row for row in folded_tree.rows(look(home, run, node, **opened))}


def many_calls(home, run="many-1", cost_usd=0.01):
    with Writer(home, run) as life:
        life.turn(calls=20, failed_calls=1, cost_usd=cost_usd)
        life.finish()
    return run


def test_every_mark_has_a_row_at_its_level_below_its_parent(home):
    found = rows(home, written_runs.answered(home))
    assert [(row.id, row.level) for row in found.values()][:5] == [
        ("run", 1),
        ("f1.t1", 2),
        ("f1.t1.c1", 3),
        ("f1.t2", 2),
        ("f1.t2.c1", 3),
    ]
    assert (found["f1.t1"].title, found["f1.t1"].says, found["f1.t1"].shape) == (
        "turn 1",
        "I look at the rooms.",
        "root",
    )
    assert (found["answer"].title, found["answer"].figure, found["answer"].bar) == ("1 room: A12.", "", None)


def test_the_last_word_has_the_shape_of_the_root_model_for_it_is_its_own(home):
    asked = ev.CallStarted("root", "demo", (Message("user", "You are out of turns. What is your answer?"),))
    with Writer(home, "last-1") as life:
        life.turn(calls=1)
        life.emit("f1.k1", "f1", asked)
        life.emit("f1.k1", "f1", ev.CallFinished("ok", "A12, as far as I came."))
        life.finish("forced")
    found = rows(home, "last-1")
    assert (found["f1.k1"].title, found["f1.k1"].shape) == ("last word", "root")
    assert found["f1.t1.c1.k1"].shape == "call"
    boxes = {each.id: each.kind for each in faces(look(home, "last-1"))}
    assert (boxes["f1.k1"], boxes["f1.t1.c1.k1"]) == ("root", "call")


def test_costs_are_shares_of_the_run_and_an_unknown_one_is_no_zero(home):
    found = rows(home, many_calls(home))
    assert (found["run"].figure, found["run"].bar) == ("$0.21 + ?", (0.0, 100.0))
    assert (found["f1.t1"].figure, found["f1.t1"].bar) == ("$0.210 + ?", (4.8, 100.0))
    group = found["f1.t1.c1.g1"]
    assert (group.figure, group.bar, group.strong) == ("$0.200", (95.2, 95.2), True)
    failed = found["f1.t1.c1.k21"]
    assert (failed.figure, failed.unknown, failed.bar, failed.why) == ("unknown", True, (0.0, 0.0), ("failed",))
    assert failed.shape == "failed"


def test_where_nothing_is_charged_the_time_in_calls_is_compared(home):
    run = many_calls(home, cost_usd=0.0)
    shown = folded_tree.data(look(home, run))
    assert shown["columns"] == ("time", "own | subtree", "in calls")
    assert shown["hints"][2] == "Time of all calls in the node, in sum; calls that ran at once are each counted"
    assert all(re.fullmatch(r"<?0\.\d s", row["figure"]) for row in shown["rows"] if row.get("bar"))
    assert shown["rows"][0]["bar"][1] == 100.0


def test_how_long_a_node_took_is_said_and_nothing_of_what_is_under_way(home):
    found = rows(home, written_runs.answered(home))
    timed = [row.took for row in found.values() if row.id != "answer" and row.kind != "more"]
    assert all(took.endswith(" s") for took in timed)
    assert {row.took for row in found.values() if row.id == "answer" or row.kind == "more"} == {""}
    with written_runs.running(home) as _:
        under_way = rows(home, "running-1")
    assert (under_way["f1.t2"].took, under_way["f1.t2.c1.k3"].took) == ("", "")


def test_a_group_is_unfolded_by_a_row_that_says_how_many_more_and_folded_again_by_another(home):
    run = many_calls(home)
    found = rows(home, run)
    more = found["f1.t1.c1.g1.more"]
    assert (more.title, more.kind, more.opens, more.unfold) == ("18 more", "more", "server", "f1.t1.c1.g1:50")
    assert found["f1.t1.c1.g1"].opens == "here"
    assert "f1.t1.c1.g1.fewer" not in found
    unfolded = rows(home, run, **{"f1.t1.c1.g1": range(10)})
    assert unfolded["f1.t1.c1.g1.more"].unfold == "f1.t1.c1.g1:60"
    fewer = unfolded["f1.t1.c1.g1.fewer"]
    assert (fewer.kind, fewer.unfold, fewer.parent, fewer.level) == ("fewer", "f1.t1.c1.g1:0", "f1.t1.c1.g1", 5)
    assert list(unfolded).index("f1.t1.c1.g1.fewer") == list(unfolded).index("f1.t1.c1.g1.more") + 1


def test_a_long_group_is_read_in_windows_and_earlier_members_stay_in_reach(home):
    with Writer(home, "long-1") as life:
        life.turn(calls=300)
        life.finish()
    group = "f1.t1.c1.g1"
    asked, sent = windows.window("50"), []
    for _ in range(4):
        found = rows(home, "long-1", **{group: asked})
        sent.append(sum(row.parent == group for row in found.values()))
        asked = windows.window(found[f"{group}.more"].unfold.rpartition(":")[2])
    assert asked == range(150, 250)
    assert max(sent) <= windows.WINDOW + 6
    found = rows(home, "long-1", **{group: asked})
    assert re.fullmatch(r"1\d\d earlier", found[f"{group}.earlier"].title)
    assert found[f"{group}.earlier"].unfold == f"{group}:100-200"
    assert list(found).index(f"{group}.earlier") == list(found).index(group) + 1


def test_why_a_member_is_drawn_stands_after_its_name(home):
    found = rows(home, many_calls(home), node="f1.t1.c1.k7")
    assert found["f1.t1.c1.k7"].why == ()
    assert ("dearest",) in [row.why[:1] for row in found.values() if row.parent == "f1.t1.c1.g1"]


def test_a_closed_turn_is_opened_when_it_is_asked_for(home):
    shut = look(home, written_runs.answered(home))
    marks = tuple(
        replace(mark, hidden=2) if mark.id == "f1.t1" else mark for mark in shut.tree.marks if mark.id != "f1.t1.c1"
    )
    (turn,) = (
        row for row in folded_tree.rows(replace(shut, tree=replace(shut.tree, marks=marks))) if row.id == "f1.t1"
    )
    assert (turn.kind, turn.opens, turn.unfold) == ("", "server", "f1.t1:1")


def test_the_head_says_how_many_of_the_nodes_are_drawn(home):
    run = many_calls(home)
    folded = look(home, run)
    drawn = {5, 6}  # the call that took longest may be the dearest as well
    assert folded.tree.drawn in drawn
    assert folded_tree.data(folded)["count"] == f"{folded.tree.drawn} of 24 nodes"
    assert folded_tree.data(look(home, run, **{"f1.t1.c1.g1": range(50)}))["count"] == "24 nodes"


def test_what_is_under_way_says_so_and_what_it_cost_so_far(home):
    with written_runs.running(home) as _:
        found = rows(home, "running-1")
    assert [row.id for row in found.values() if row.running] == ["run", "f1.t2", "f1.t2.c1", "f1.t2.c1.k3"]
    assert (found["run"].figure, found["f1.t2.c1.k3"].figure) == ("$0.05", "")


def test_what_a_run_left_open_when_it_ended_is_not_under_way(home):
    with Writer(home, "left-1") as life:
        life.turn(open_cell=True)
        life.finish("cancelled", None)
    assert not any(row.running for row in rows(home, "left-1").values())


def test_the_selected_mark_is_named_also_where_a_finding_is_what_was_asked_for(home):
    run = written_runs.answered(home)
    assert folded_tree.data(look(home, run, "f1.t2.c1.r1"))["selected"] == "f1.t2.c1"
    assert folded_tree.data(look(home, run, "gone"))["selected"] is None


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_any_run_are_plain_and_each_after_its_parent(seed):
    view = fold(stamped(random_run(seed, 150, hostile=True)))
    found = folded_tree.rows(look_at(reading_of(view, head), Place("run-1")))
    seen = {None}
    for row in found:
        assert row.parent in seen
        assert row.bar is None or 0 <= row.bar[0] <= row.bar[1] <= 100.1
        seen.add(row.id)
    assert not {"\x00", "\u202e", "\n"}.intersection("".join(row.title + row.says + row.hint for row in found))


def test_hostile_names_reach_the_browser_as_plain_text(opened, home):
    page = opened("run", run=written_runs.hostile(home))
    sent = everything(component(page, "rows"))
    assert "<script>alert(1)</script>" in sent
    assert HOSTILE not in sent
    assert not {"\x1b", "\u202e", "\x00"}.intersection(sent)


def test_a_turn_whose_answer_was_sent_back_or_repaired_says_so():
    facts = [
        ("run", None, ev.RunStarted(written_runs.TASK)),
        ("f1", "run", ev.FrameStarted(0, "rlm", written_runs.QUESTION)),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1.t1", "f1", ev.TurnFinished("The archive has not been looked at yet.")),
        ("f1.t2", "f1", ev.TurnStarted(2)),
        ("f1.t2", None, ev.Noted("repaired", "guessed output left out")),
        ("f1.t2", "f1", ev.TurnFinished()),
    ]
    view = fold(stamped(facts))
    drawn = folded_tree.rows(look_at(reading_of(view, head), Place("run-1")))
    why = {each.id: each.why for each in drawn}
    assert (why["f1.t1"], why["f1.t2"]) == (("answer sent back",), ("repaired",))


def test_a_child_frame_that_answered_and_read_nothing_says_so_in_its_row_and_its_box(home):
    with Writer(home, "unread-1") as life:
        cell = life.turn(code="rlm_query('Which of the north?', north)")
        life.emit(f"{cell}.f1", cell, ev.FrameStarted(1, "rlm", "Which of the north?", {"chars": 900}))
        life.emit(f"{cell}.f1", cell, ev.FrameFinished("answered", "", Answer("0 rooms")))
        life.finish()
    found = look(home, "unread-1")
    row = next(row for row in folded_tree.rows(found) if row.id == f"{cell}.f1")
    box = next(face for face in faces(found) if face.id == f"{cell}.f1")
    assert (row.shape, row.why) == ("frame", ("read nothing",))
    assert box.lines == ("read nothing · 0 rooms",)
