"""The timeline of a run, as data and on its page."""

from __future__ import annotations

from itertools import pairwise

import written_runs
from large_runs import large_facts
from shown import markdown

from app.components.timeline import Made, figure, notes
from app.components.timeline_strips import TITLES, clock, headline, shares, strips_of, table
from rlm_core import events as ev
from rlm_core.evidence.citations import head
from rlm_core.looks.look import look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.store.store import Store
from rlm_core.task import Message, Task
from rlm_core.view import fold

CELL = "f1.t1.c1"


def made(view, node=None, now=None):
    look = look_at(reading_of(view, head), Place(view.run, node))
    return strips_of(view, look, now), look


def stored(home, run):
    store = Store.open(home)
    view = fold(store.events(run))
    store.close()
    return view


def large(nodes=1000, shape="fan"):
    facts = large_facts(nodes, shape)
    return fold(ev.Event("r", seq, at, span, parent, body) for seq, (at, span, parent, body) in enumerate(facts))


def one_slow_call(*, ended=True, by_other_tool=False):
    """A turn of 10 s and a cell that waits 40 s for the last of ten calls."""
    versions = {"fast-rlm": "not recorded"} if by_other_tool else {}
    steps = [
        (0, ev.RUN_SPAN, None, ev.RunStarted(Task("Which?", "c1"), versions=versions)),
        (0, "f1", "run", ev.FrameStarted(0, "rlm", "Which?")),
    ]
    steps += [(0, "f1.t1", "f1", ev.TurnStarted(1)), (0, "f1.t1.k1", "f1.t1", ev.CallStarted("root", "demo", ()))]
    steps += [(10, "f1.t1.k1", "f1.t1", ev.CallFinished("ok", "I ask.")), (10, CELL, "f1.t1", ev.CellStarted("1"))]
    for number in range(10):
        span, end = f"{CELL}.k{number}", 60 if number == 3 else 20
        asked = (Message("user", f"Was room {number} wet?"),)
        steps += [(12, span, CELL, ev.CallStarted("sub", "demo", asked, batch=10, index=number))]
        if ended or number != 3:
            steps.append((end, span, CELL, ev.CallFinished("ok", "No.", attempts=2 if number == 3 else 1)))
    if ended:
        steps += [(61, CELL, "f1.t1", ev.CellFinished("ok")), (61, ev.RUN_SPAN, None, ev.RunFinished("answered"))]
    steps.sort(key=lambda each: each[0])
    return fold(
        ev.Event("r", seq, 1000.0 + at, span, parent, body) for seq, (at, span, parent, body) in enumerate(steps)
    )


def test_the_headline_is_what_there_is_to_see():
    strips, look = made(one_slow_call())
    assert headline(strips) == "One call held cell 1 for 40 s"
    assert shares(strips.time) == "61 s: 79 % helper calls, 16 % root model, 5 % code alone. 10 calls at once at most."
    assert any("1 call was tried more than once; when is not recorded" in each for each in notes(strips, look))
    live, _ = made(one_slow_call(ended=False), now=1050.0)
    assert headline(live) == "One call holds cell 1 for 30 s"
    assert shares(live.time).endswith("1 call under way.")
    assert headline(made(large())[0]).startswith("64 calls at once at most, ")


def test_each_strip_has_a_name_a_row_and_what_it_selects():
    strips, _ = made(one_slow_call())
    by_span = {each.bar.span: each for each in strips.strips}
    assert (by_span["f1.t1.k1"].mark, by_span["f1.t1.k1"].says, by_span["f1.t1.k1"].kind) == (
        "f1.t1",
        "turn 1, 10 s",
        "root",
    )
    assert (by_span[CELL].says, by_span[CELL].top) == ("cell 1, 51 s", 1.5)
    slow = by_span[f"{CELL}.k3"]
    assert (slow.name, slow.about[-1]) == ("3 wet", "slowest")
    band = next(each for each in strips.strips if each.bar.is_band)
    assert (band.mark, band.says) == (f"{CELL}.g1", "×9 calls in 8.0 s, 9 at once at most")
    assert [title for title, _ in strips.titles] == ["root model", "cells", "helper calls"]


def test_strips_of_a_section_never_overlap_and_no_chart_has_more_than_four_hundred():
    for shape in ("fan", "deep", "mixed"):
        strips, _ = made(large(1000, shape))
        assert len(strips.strips) <= 400
        rows = sorted(strips.strips, key=lambda each: (each.top, each.start_s))
        for one, two in pairwise(rows):
            assert one.top != two.top or one.end_s <= two.start_s + 1e-6
        drawn = figure(strips)
        assert len(drawn.data) == 1
        assert len(drawn.data[0].x) + len(drawn.layout.shapes) < 500


def test_what_is_selected_has_a_frame_a_turn_a_cell_a_group_or_a_call_within_it():
    view = one_slow_call()
    for node, span in (("f1.t1", "f1.t1.k1"), (CELL, CELL), (f"{CELL}.g1", None), (f"{CELL}.k7", f"{CELL}.k7")):
        strips, _ = made(view, node)
        (chosen,) = (each for each in strips.strips if each.selected)
        assert chosen.bar.is_band if span is None else chosen.bar.span == span
        frame = next(each for each in figure(strips).layout.shapes if each.type == "rect")
        assert (frame.x0, frame.x1) == (chosen.start_s, chosen.end_s)
    assert not any(each.selected for each in made(view)[0].strips)


def test_what_a_log_does_not_say_is_said_as_such():
    view = one_slow_call(by_other_tool=True)
    view.nodes[f"{CELL}.k5"].finished_at = view.nodes[f"{CELL}.k5"].started_at
    strips, look = made(view, f"{CELL}.k5")
    said = " ".join(notes(strips, look))
    assert "where it gives none, a step stands at the time of the one before it" in said
    assert "How long 1 call took is not recorded: hatched" in said
    place = next(place for place, each in enumerate(strips.strips) if each.bar.span == f"{CELL}.k5")
    assert figure(strips).data[0].marker.pattern.shape[place] == "/"
    assert table(strips)[place]["Took"] == "time unknown"


def test_the_table_has_the_same_strips_and_points_at_the_selected_one():
    strips, _ = made(one_slow_call(), CELL)
    rows = table(strips)
    assert len(rows) == len(strips.strips)
    assert [row["What"] for row in rows if "▸" in row["What"]] == ["▸ cell 1"]
    assert {row["Lane"] for row in rows} <= set(TITLES.values())


def test_text_that_a_chart_would_read_as_tags_comes_out_as_it_is(home):
    strips, _ = made(stored(home, written_runs.hostile(home)))
    drawn = figure(strips).data[0]
    assert not any("<script" in each or "<a" in each or "<img" in each for each in [*drawn.text, *drawn.hovertext])


def test_strips_of_a_run_under_way_are_made_anew_once_that_can_be_seen_or_something_else_is_looked_at():
    view = one_slow_call(ended=False)
    reading = reading_of(view, head)
    look = look_at(reading, Place("r"))
    drawn = Made(strips_of(view, look, 1060.0), look, 1060.0)
    assert drawn.still_shows(look, 1060.5)
    assert not drawn.still_shows(look, 1061.0)
    assert not drawn.still_shows(look_at(reading, Place("r", CELL)), 1060.5)
    assert not drawn.still_shows(look_at(reading_of(view, head), Place("r")), 1060.5)


def test_strips_of_a_run_that_has_ended_are_made_once():
    look = look_at(reading_of(one_slow_call(), head), Place("r"))
    assert Made(None, look, 1061.0).still_shows(look, 9999.0)


def test_a_clock_has_as_many_digits_as_its_steps_need():
    assert [clock(each) for each in (0, 45, 75, 3605)] == ["0:00", "0:45", "1:15", "1:00:05"]
    assert clock(2.5, 0.5) == "2.5 s"


def test_the_view_is_a_chart_and_a_table_and_says_when_there_is_nothing(opened, home):
    page = opened("run", run=written_runs.answered(home), view="Timeline")
    assert page.get("plotly_chart")
    assert "of the time" in markdown(page)
    page.toggle(key="timeline-table").set_value(True).run()
    assert not page.get("plotly_chart")
    assert list(page.dataframe[0].value.columns) == ["What", "Lane", "Began", "Took", "Waited", "State"]
