"""What failed looks failed wherever it is drawn, and what was made good later is quieter and says so."""

from __future__ import annotations

import pytest
from shown import markdown
from written_runs import Writer

from app.components import folded_tree
from app.components.graph_table import rows
from app.components.icicle_boxes import boxes_of
from app.components.timeline_strips import strips_of
from rlm_core import events as ev
from rlm_core.evidence.citations import head
from rlm_core.looks.boxes import faces
from rlm_core.looks.look import look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.store.store import Store
from rlm_core.task import Message
from rlm_core.view import fold

STANDS, AGAIN = "f1.t1.c1.k2", "f1.t1.c1.k3"
LOST, REPAIRED = "f1.t2.c1", "f1.t3.c1"
GOOD = {AGAIN: "asked again in turn 4", REPAIRED: "repaired in turn 4"}


@pytest.fixture
def run(home):
    """Two calls fail, and one is asked again; two cells fail, and one is written anew."""
    with Writer(home, "mended-1") as life:
        life.turn(calls=1, failed_calls=2)
        life.turn(code="import os\nos.remove(everything)", error="NameError: name 'everything' is not defined")
        life.turn(code="print(first_of(rooms))", error="NameError: name 'first_of' is not defined")
        cell = life.turn(code="print(rooms[0] if rooms else None)")
        life.emit(f"{cell}.k9", cell, ev.CallStarted("sub", "demo", (Message("user", "Was room 3 wet again?"),)))
        life.emit(f"{cell}.k9", cell, ev.CallFinished("ok", "No."))
        life.finish()
    return "mended-1"


def view_of(home, run):
    store = Store.open(home)
    view = fold(store.events(run))
    store.close()
    return view


def look(home, run, **place):
    return look_at(reading_of(view_of(home, run), head), Place(run, **place))


def test_the_tree_tells_them_apart_by_shape_tone_and_words(home, run):
    found = {row.id: row for row in folded_tree.rows(look(home, run))}
    for span in (STANDS, LOST):
        assert (found[span].shape, found[span].failed, found[span].why[0]) == ("failed", True, "failed")
    for span, words in GOOD.items():
        assert (found[span].shape, found[span].failed, found[span].why[0]) == ("mended", False, words)
        assert found[span].says == ""


def test_so_does_the_graph_and_a_call_that_was_asked_again_has_no_box_of_its_own_size(home, run):
    found = {face.id: face for face in faces(look(home, run))}
    assert {(found[span].kind, found[span].tone) for span in (STANDS, LOST)} == {("failed", "failed")}
    for span, words in GOOD.items():
        assert (found[span].kind, found[span].tone, found[span].lines) == ("mended", "mended", (words,))
    assert (found[STANDS].form, found[AGAIN].form) == ("box", "row")
    assert [row["State"] for row in rows(look(home, run)) if "asked again" in row["State"]] == [
        "failed, asked again in turn 4"
    ]


def test_so_do_icicle_and_timeline(home, run):
    shown = look(home, run)
    boxes = {box.mark: box for box in boxes_of(shown, "calls").boxes}
    assert (boxes[STANDS].kind, boxes[AGAIN].kind) == ("failed", "mended")
    assert boxes[AGAIN].name.endswith("asked again in turn 4")
    strips = {strip.bar.span: strip for strip in strips_of(view_of(home, run), shown, None).strips}
    assert [strips[span].kind for span in (STANDS, AGAIN, LOST, REPAIRED)] == ["failed", "mended", "failed", "mended"]
    assert "asked again in turn 4" in strips[AGAIN].about
    assert strips[LOST].says.startswith("cell 2 failed")


def test_the_filters_tell_them_apart(home, run):
    assert {row.id for row in folded_tree.rows(look(home, run, only=("mended",)))} >= GOOD.keys()
    assert not {row.id for row in folded_tree.rows(look(home, run, only=("failed",)))} & GOOD.keys()


def test_of_a_group_that_failed_some_were_made_good(home):
    with Writer(home, "many-1") as life:
        life.turn(failed_calls=12)
        life.turn(calls=2)
        life.finish()
    found = look(home, "many-1")
    group = next(row for row in folded_tree.rows(found) if row.id == "f1.t1.c1.g1x")
    assert (group.shape, group.why[0]) == ("failed", "2 of 12 made good later")


def test_the_inspector_says_it_quietly_with_the_way_to_what_made_it_good(opened, run):
    page = opened("run", run=run, node=REPAIRED)
    assert ":gray-badge[✕ failed] :gray-badge[repaired in turn 4]" in markdown(page)
    (way,) = [each for each in page.button if each.label == "Repaired in turn 4"]
    way.click().run()
    assert page.query_params["node"] in ("f1.t4.c1", ["f1.t4.c1"])
    assert ":red-badge[✕ failed]" in markdown(opened("run", run=run, node=LOST))
