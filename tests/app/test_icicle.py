"""The icicle of a run, as data."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
import written_runs

from app.components.icicle import figure, says, table
from app.components.icicle_boxes import Box, boxes_of, label
from rlm_core.looks.look import look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.passages import passage
from rlm_core.store.store import Store
from rlm_core.view import fold

CELL = "f1.t2.c1"


def look_of(home, run, node=None):
    store = Store.open(home)
    view = fold(store.events(run))
    store.close()
    return look_at(reading_of(view, lambda text: passage(text.head).head), Place(run, node))


def by_id(drawn):
    return {each.id: each for each in drawn.boxes}


def test_every_mark_that_took_something_has_a_box_in_what_it_belongs_to(home):
    drawn = by_id(boxes_of(look_of(home, written_runs.answered(home)), "calls", by_weight=False))
    levels = {box: (each.level, each.says) for box, each in drawn.items()}
    assert {box: told for box, told in levels.items() if not box.startswith(f"{CELL}.")} == {
        "run": (0, "12"),
        "f1.t1": (1, "1"),
        "f1.t2": (1, "11"),
        "f1.t2/model": (2, "1"),
        CELL: (2, "10"),
    }
    assert levels[f"{CELL}.g1"] == (3, "9")
    assert levels[f"{CELL}.k10"] == (3, "1")
    assert "f1.t1.c1" not in levels  # no call fell on it
    assert drawn[CELL].start == pytest.approx(drawn["f1.t2/model"].start + drawn["f1.t2/model"].width)
    assert drawn["f1.t2/model"].mark == "f1.t2"


def test_boxes_of_a_level_lie_in_their_parents_and_never_overlap(home):
    for metric in ("cost", "tokens", "calls"):
        drawn = boxes_of(look_of(home, written_runs.answered(home, f"run-{metric}")), metric)
        for level in range(6):
            row = sorted((each for each in drawn.boxes if each.level == level), key=lambda each: each.start)
            assert all(one.start + one.width <= two.start + 1e-9 for one, two in pairwise(row))
            assert all(each.start >= -1e-9 and each.start + each.width <= 1 + 1e-9 for each in row)


def test_heaviest_first_puts_the_dearest_at_the_left_and_in_time_the_first(home):
    run = look_of(home, written_runs.answered(home))
    turns = [each.id for each in boxes_of(run, "cost").boxes if each.level == 1]
    assert turns == ["f1.t2", "f1.t1"]
    assert [each.id for each in boxes_of(run, "cost", by_weight=False).boxes if each.level == 1] == ["f1.t1", "f1.t2"]


def test_an_unknown_cost_has_a_narrow_hatched_box_and_is_named_in_words(home):
    drawn = boxes_of(look_of(home, written_runs.answered(home)), "cost")
    failed = by_id(drawn)[f"{CELL}.k10"]
    assert failed.unknown
    assert failed.kind == "failed"
    assert 0.005 < failed.width < 0.02
    assert failed.says == failed.share == "unknown"
    assert by_id(drawn)["run"].says == "$0.14 + ?"
    assert any("cost unknown, drawn at a fixed width" in note for note in drawn.notes)
    chart = figure(drawn.boxes, None).data[0]
    assert chart.marker.pattern.shape[list(chart.ids).index(failed.id)] == "/"


def test_what_is_selected_has_a_frame_and_what_has_no_box_is_named(home):
    run = written_runs.answered(home)
    drawn = boxes_of(look_of(home, run, CELL), "cost")
    frame = figure(drawn.boxes, CELL).layout.shapes[0]
    assert (frame.x0, frame.y0) == (by_id(drawn)[CELL].start, by_id(drawn)[CELL].level - 0.46)
    assert (
        boxes_of(look_of(home, run, "f1.t1.c1"), "cost").notes[-1]
        == "cell 1 is selected and has no box: no cost fell on it."
    )


def test_without_anything_to_measure_there_is_no_box(home):
    with written_runs.Writer(home, "unknown") as life:
        life.turn(cost_usd=None)
        life.finish()
    drawn = boxes_of(look_of(home, "unknown"), "cost")
    assert (drawn.boxes, drawn.total, drawn.unknown_calls) == ((), 0.0, 1)


def test_text_that_a_chart_would_read_as_tags_comes_out_as_it_is(home):
    box = Box("a", "a", '<a href="http://evil.example">x</a> &amp;', "call", 0, 0.0, 1.0, "$0.10", "10 %")
    assert "<a" not in label(box, None)
    assert label(box, 80) == ' <b>&lt;a href="http://evil.example"&gt;x&lt;/a&gt; &amp;amp;</b>  $0.10'
    assert label(replace(box, width=0.05), 80) == ""
    drawn = boxes_of(look_of(home, written_runs.hostile(home)), "cost")
    texts = [*figure(drawn.boxes, None).data[0].text, *figure(drawn.boxes, None).data[0].hovertext]
    assert not any("<script" in each or "<a" in each for each in texts)


def test_a_name_that_has_no_room_is_cut_and_never_squeezed():
    box = Box("a", "a", "turn 3 classify every room", "root", 0, 0.0, 0.2, "$0.269", "66 %")
    assert label(box, 200) == " <b>turn 3 classify every room</b>  $0.269"
    assert label(box, 140) == " <b>turn 3 classify every room</b>"
    assert label(box, 80) == " <b>turn 3 classif…</b>"


def test_the_table_has_every_box_with_its_value_and_share(home):
    drawn = boxes_of(look_of(home, written_runs.answered(home)), "cost")
    rows = table(drawn.boxes, "cost")
    assert len(rows) == len(drawn.boxes)
    assert rows[0] == {"What": "run", "cost": "$0.14 + ?", "Share": "100 %"}
    assert rows[1]["What"].startswith("\u2003turn 2")


def test_the_selected_box_is_pointed_at_in_the_table_too(home):
    drawn = boxes_of(look_of(home, written_runs.answered(home)), "cost")
    rows = table(drawn.boxes, "cost", "f1.t2")
    assert [row["What"].strip() for row in rows if "▸" in row["What"]] == ["▸ turn 2"]


def test_where_nothing_is_charged_it_is_said_why_time_is_shown():
    assert says("time", free=True, as_table=False).startswith("Cost is \\$0 here, so time is shown. A box is as wide")
    assert says("time", free=True, as_table=True) == "Cost is \\$0 here, so time is shown."
    assert says("tokens", free=True, as_table=True) == ""


def test_the_view_is_a_chart_and_a_table_and_moves_with_its_address(opened, home):
    page = opened("run", run=written_runs.answered(home), view="Icicle", metric="tokens")
    assert page.get("plotly_chart")
    assert "Where the tokens went" in "".join(each.value for each in page.markdown)
    page.toggle(key="icicle-table").set_value(True).run()
    assert not page.get("plotly_chart")
    assert "tokens" in page.dataframe[0].value.columns


def test_a_free_run_is_not_measured_by_its_cost(opened, home):
    with written_runs.Writer(home, "free") as life:
        life.turn(calls=2, cost_usd=0.0)
        life.finish()
    page = opened("run", run="free", view="Icicle")
    controls = page.get("button_group")
    assert not any("cost" in str(each.proto) for each in controls)
