"""A run over time: lanes, bands, waiting, and what is not known."""

from __future__ import annotations

from itertools import pairwise

import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.task import Message, Task
from rlm_core.timeline import MOST_LANES, NARROWEST, ROOM, WORKS, timeline_of
from rlm_core.view import fold

CELL = "f1.t1.c1"


def run_of(*steps, finished_at=None):
    """A run of steps with their times, in the order of these."""
    begin = [
        (0, ev.RUN_SPAN, None, ev.RunStarted(Task("Which?", "c1"))),
        (0, "f1", "run", ev.FrameStarted(0, "rlm", "Which?")),
    ]
    end = [] if finished_at is None else [(finished_at, ev.RUN_SPAN, None, ev.RunFinished("answered"))]
    timed = [*begin, *sorted(steps, key=lambda each: each[0]), *end]
    return fold(
        ev.Event("r", seq, 1000.0 + at, span, parent, body) for seq, (at, span, parent, body) in enumerate(timed)
    )


def turn(number, start, replied):
    span = f"f1.t{number}"
    return [
        (start, span, "f1", ev.TurnStarted(number)),
        (start, f"{span}.k1", span, ev.CallStarted("root", "demo", ())),
        (replied, f"{span}.k1", span, ev.CallFinished("ok", "I look.")),
    ]


def cell(span, start, end, status="ok"):
    begun = [(start, span, span.rpartition(".")[0], ev.CellStarted("1"))]
    return begun if end is None else [*begun, (end, span, None, ev.CellFinished(status))]


def call(span, start, end, status="ok", **how):
    parent = span.rpartition(".")[0]
    begun = [(start, span, parent, ev.CallStarted("sub", "demo", (Message("user", "Room?"),), **how))]
    return begun if end is None else [*begun, (end, span, parent, ev.CallFinished(status, "yes"))]


def batch(count, start, takes, at_once, cell=CELL):
    """So many calls of which some are under way at once, as a limiter starts them."""
    found = []
    for number in range(count):
        begun = start + number // at_once * takes
        found += call(f"{cell}.k{number + 1}", begun, begun + takes, batch=count, index=number)
    return found


def section(found, work):
    return next(each for each in found.sections if each.work == work)


def spans(found, work):
    return [each.span for each in section(found, work).bars]


def test_replies_cells_frames_and_calls_have_sections_of_their_own():
    view = run_of(
        *turn(1, 1, 5),
        *cell(CELL, 5, 30),
        *call(f"{CELL}.k1", 6, 10),
        (12, f"{CELL}.f1", CELL, ev.FrameStarted(1, "rlm", "And here?")),
        (12, f"{CELL}.f1.t1", f"{CELL}.f1", ev.TurnStarted(1)),
        (12, f"{CELL}.f1.t1.k1", f"{CELL}.f1.t1", ev.CallStarted("root", "demo", ())),
        (14, f"{CELL}.f1.t1.k1", f"{CELL}.f1.t1", ev.CallFinished("ok", "x")),
        *cell(f"{CELL}.f1.t1.c1", 14, 15),
        (20, f"{CELL}.f1", CELL, ev.FrameFinished("answered")),
        finished_at=40,
    )
    found = timeline_of(view)
    assert {work: spans(found, work) for work in WORKS} == {
        "reply": ["f1.t1.k1"],
        "cell": [CELL, f"{CELL}.f1.t1.c1"],
        "frame": [f"{CELL}.f1"],
        "call": [f"{CELL}.k1", f"{CELL}.f1.t1.k1"],
    }
    assert [each.lane for each in section(found, "cell").bars] == [0, 1]
    assert (found.length_s, found.helpers_s, found.root_s, found.code_s) == (40, 6, 4, 19)
    assert (found.drawn, found.total, found.running) == (6, 6, False)


def test_when_a_cell_worked_and_when_it_waited_for_its_calls():
    view = run_of(
        *turn(1, 0, 5), *cell(CELL, 5, 30), *call(f"{CELL}.k1", 10, 20), *call(f"{CELL}.k2", 12, 24), finished_at=40
    )
    assert timeline_of(view).working == ((5, 10), (24, 30))
    only_waits = run_of(*turn(1, 0, 5), *cell(CELL, 5, 30), *call(f"{CELL}.k1", 5, 30), finished_at=40)
    assert timeline_of(only_waits).working == ()


def test_a_large_batch_is_a_band_that_says_how_many_were_at_once_and_how_long_they_waited():
    found = timeline_of(run_of(*turn(1, 0, 10), *cell(CELL, 10, 60), *batch(310, 12, 1.0, 16), finished_at=61))
    (slowest, band) = section(found, "call").bars
    assert (slowest.why, band.is_band, len(band.members)) == (("slowest",), True, 309)
    assert (band.start_s, band.end_s, band.peak, max(band.curve)) == (12, 32, 16, 16)
    assert (band.waited_s, band.failed, band.status) == (19, 0, "ok")
    assert (found.peak, found.drawn, found.total) == (16, 3, 312)


def test_what_failed_is_cited_or_selected_is_never_in_a_band_with_others():
    steps = [*turn(1, 0, 10), *cell(CELL, 10, 90), *batch(300, 12, 1.0, 20)]
    steps += [*call(f"{CELL}.k400", 12, 72, "failed"), *call(f"{CELL}.k401", 12, 14, "cancelled")]
    found = timeline_of(run_of(*steps, finished_at=91), selected=f"{CELL}.k7", cited={f"{CELL}.k9": 1})
    single = {bar.span: bar.why for bar in section(found, "call").bars if not bar.is_band}
    assert single == {f"{CELL}.k400": ("failed", "slowest"), f"{CELL}.k7": ("selected",), f"{CELL}.k9": ("cited",)}
    (band,) = (bar for bar in section(found, "call").bars if bar.is_band)
    assert len(band.members) == 299
    assert band.failed == 0


def test_of_very_many_failures_the_longest_stand_alone_and_the_band_counts_the_others():
    steps = [step for number in range(1, 201) for step in call(f"{CELL}.k{number}", 10, 11 + number / 10, "failed")]
    found = timeline_of(run_of(*turn(1, 0, 10), *cell(CELL, 10, 90), *steps, finished_at=91))
    (band,) = (bar for bar in section(found, "call").bars if bar.is_band)
    assert (len(band.members), band.failed, band.status) == (192, 192, "failed")


def test_one_call_that_holds_its_cell_is_named_with_the_time():
    steps = [*turn(1, 0, 10), *cell(CELL, 10, 72), *batch(20, 12, 4.0, 20), *call(f"{CELL}.k21", 12, 71)]
    held = timeline_of(run_of(*steps, finished_at=80)).held
    assert (held.cell, held.by, held.for_s, held.running) == (CELL, f"{CELL}.k21", 55, False)
    one_by_one = [*turn(1, 0, 10), *cell(CELL, 10, 72), *call(f"{CELL}.k1", 10, 20), *call(f"{CELL}.k2", 20, 70)]
    assert timeline_of(run_of(*one_by_one, finished_at=80)).held is None
    still = timeline_of(
        run_of(*turn(1, 0, 10), *cell(CELL, 10, None), *batch(20, 12, 4.0, 20), *call(f"{CELL}.k21", 12, None)),
        now=1050.0,
    )
    assert (still.held.for_s, still.held.running) == (34, True)


def test_a_run_under_way_ends_now_and_has_room_to_go_on():
    view = run_of(*turn(1, 0, 5), *cell(CELL, 5, None), *call(f"{CELL}.k1", 6, None))
    found, later = timeline_of(view, now=1041.0), timeline_of(view, now=1044.0)
    (bar,) = section(found, "call").bars
    assert (bar.end_s, bar.status, bar.running, found.in_flight, found.running) == (41, "running", 1, 1, True)
    assert (found.length_s, found.axis_s, later.axis_s) == (41, 50, 50)
    over = timeline_of(run_of(*turn(1, 0, 5), finished_at=41), now=2000.0)
    assert (over.running, over.in_flight, over.length_s) == (False, 0, 41)
    died = timeline_of(view)
    assert (died.length_s, died.running, died.in_flight) == (6, False, 0)


def test_what_a_log_gives_no_time_and_what_was_tried_again_is_counted():
    again = (5, "f1.t1.k9", "f1.t1", ev.CallFinished("ok", "x", attempts=3))
    replayed = ev.CallFinished("ok", "x", replayed=ev.Replayed("r0"))
    view = run_of(
        *turn(1, 0, 5),
        *call("f1.t1.k2", 5, 5),
        (1, "f1.t1.k9", "f1.t1", ev.CallStarted("sub", "demo", ())),
        again,
        (6, "f1.t1.k10", "f1.t1", ev.CallStarted("sub", "demo", ())),
        (6, "f1.t1.k10", "f1.t1", replayed),
        finished_at=7,
    )
    found = timeline_of(view)
    assert (found.untimed, found.retried) == (1, 1)
    assert timeline_of(run_of(*turn(1, 0, 0), finished_at=0)).length_s == 0


def test_ten_thousand_turns_are_few_bars_that_never_overlap_in_a_lane():
    steps = [step for number in range(1, 5001) for step in turn(number, number * 2, number * 2 + 1)]
    steps += [step for number in range(1, 5001) for step in cell(f"f1.t{number}.c1", number * 2 + 1, number * 2 + 2)]
    found = timeline_of(run_of(*steps, finished_at=10_005), selected="f1.t77.k1")
    assert found.total == 10_000
    assert sum(len(each.bars) for each in found.sections) < 200
    assert any(bar.span == "f1.t77.k1" and not bar.is_band for bar in section(found, "reply").bars)


@pytest.mark.parametrize("seed", range(6))
def test_any_prefix_of_any_run_is_drawn_whole_and_within_its_room(seed):
    events = stamped(random_run(seed, 300))
    for length in (1, 2, 40, len(events) // 2, len(events)):
        found = timeline_of(fold(events[:length]), now=events[length - 1].at + 5)
        for each in found.sections:
            members = [member for bar in each.bars for member in bar.members]
            assert len(members) == len(set(members)) == each.total
            assert len(each.bars) <= ROOM[each.work] + 20
            assert each.lanes <= MOST_LANES[each.work] + 20
            for lane in range(each.lanes):
                row = [bar for bar in each.bars if bar.lane == lane]
                narrowest = NARROWEST * found.axis_s
                assert all(one.end_s <= two.start_s or one.took_s < narrowest for one, two in pairwise(row))
            assert all(0 <= bar.start_s <= bar.end_s <= found.length_s for bar in each.bars)


def test_nothing_has_no_time():
    assert timeline_of(fold([])).sections == ()
