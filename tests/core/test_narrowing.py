"""Narrowing: which nodes of a run each word holds of."""

from __future__ import annotations

import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.narrowing import KINDS, MOST, STATES, facets_of, matching, sort_of
from rlm_core.outline import RUN, Outline
from rlm_core.task import Finding, Message, Task, Usage
from rlm_core.view import RunView, fold

CELL = "f1.t1.c1"
TASK = Task("Which rooms?", "corpus-1", "rlm", {}, "demo", "demo")
BEGUN = [
    (RUN, None, ev.RunStarted(TASK)),
    ("f1", RUN, ev.FrameStarted(0, "rlm", TASK.question)),
    ("f1.t1", "f1", ev.TurnStarted(1)),
    ("f1.t1.k1", "f1.t1", ev.CallStarted("root", "demo", (Message("user", "Look."),))),
    ("f1.t1.k1", "f1.t1", ev.CallFinished("ok", "ask()", Usage(10, 5), 0.5, "list")),
    (CELL, "f1.t1", ev.CellStarted("ask()")),
]


def of_calls(*ended: ev.CallFinished | None, more: tuple = ()) -> RunView:
    """A cell whose calls ended so, or not."""
    facts = [*BEGUN]
    for number, done in enumerate(ended, 1):
        facts.append((f"{CELL}.k{number}", CELL, ev.CallStarted("sub", "demo", (Message("user", "Room?"),))))
        facts += [(f"{CELL}.k{number}", CELL, done)] if done else []
    return fold(stamped([*facts, *more]))


def calls(spans: frozenset[str]) -> list[int]:
    return sorted(int(span.removeprefix(f"{CELL}.k")) for span in spans if span.startswith(f"{CELL}.k"))


def test_an_empty_view_can_be_narrowed_to_nothing():
    assert facets_of(RunView(), ()) == {}


def test_what_failed_is_not_what_was_stopped_and_a_turn_fails_with_the_call_that_wrote_it():
    ended = (ev.CallFinished("failed"), ev.CallFinished("timeout"), ev.CallFinished("cancelled"), None)
    assert calls(facets_of(of_calls(*ended), ())["failed"]) == [1, 2]
    refused = [*BEGUN[:4], ("f1.t1.k1", "f1.t1", ev.CallFinished("failed", error="No reply."))]
    assert facets_of(fold(stamped(refused)), ())["failed"] == {"f1.t1"}


def test_what_the_answer_rests_on_is_cited():
    view = of_calls(
        ev.CallFinished("ok", "no", Usage(1, 1), 0.1),
        more=((f"{CELL}.r1", CELL, ev.FindingRecorded(Finding("A", "yes"))),),
    )
    assert facets_of(view, {f"{CELL}.k1", "f1.t1.k1"})["cited"] == {f"{CELL}.k1", "f1.t1"}


def test_a_reply_from_a_journal_or_a_cache_is_cached_and_was_not_paid():
    view = of_calls(
        ev.CallFinished("ok", "no", replayed=ev.Replayed("run-0"), cost_source="journal"),
        ev.CallFinished("ok", "no", Usage(100, 1, cached_input_tokens=90), 0.01, "list"),
        ev.CallFinished("ok", "no", Usage(100, 1, cached_input_tokens=0), 0.01, "list"),
    )
    facets = facets_of(view, ())
    assert calls(facets["cached"]) == [1, 2]
    assert "paid" not in facets


def test_a_call_of_unknown_cost_or_without_usage_was_possibly_paid():
    ended = (
        ev.CallFinished("ok", "no", Usage(100, 1)),
        ev.CallFinished("ok", "no", None, 0.01, "provider"),
        ev.CallFinished("failed", error="No reply in 60 s.", maybe_paid=True),
        ev.CallFinished("failed", error="There is no such model."),
        ev.CallFinished("ok", "no", None, 0.0, "free"),
        None,
    )
    assert calls(facets_of(of_calls(*ended), ())["paid"]) == [1, 2, 3]
    died = (RUN, None, ev.RunFinished("interrupted"))
    assert calls(facets_of(of_calls(*ended, more=(died,)), ())["paid"]) == [1, 2, 3, 6]


def test_dear_is_a_twentieth_and_no_fewer_than_three():
    view = of_calls(*(ev.CallFinished("ok", "no", Usage(1, 1), 0.001 * (number % 90), "list") for number in range(100)))
    assert calls(facets_of(view, ())["dear"]) == [88, 89, 90]
    assert "f1.t1" in facets_of(view, ())["dear"]
    few = of_calls(*(ev.CallFinished("ok", "no", Usage(1, 1), cost, "list") for cost in (0.0, 0.1, 0.2, 0.3)))
    assert facets_of(few, ())["dear"] == {"f1.t1", f"{CELL}.k3", f"{CELL}.k4"}
    many = of_calls(*(ev.CallFinished("ok", "no", Usage(1, 1), 0.1, "list") for _ in range(1200)))
    assert len(facets_of(many, ())["dear"]) == MOST


def test_slow_is_what_took_long_in_its_own_calls_or_computed_long():
    facts = [*BEGUN, (CELL, "f1.t1", ev.CellFinished("ok"))]
    assert facets_of(fold(stamped(facts)), ())["slow"] == {"f1.t1", CELL}
    view = of_calls(ev.CallFinished("ok", "no"), more=((CELL, "f1.t1", ev.CellFinished("ok")),))
    assert facets_of(view, ())["slow"] == {"f1.t1", f"{CELL}.k1"}


def test_kinds_and_depths_are_those_that_are_drawn():
    child = [
        (f"{CELL}.f1", CELL, ev.FrameStarted(1, "rlm", "Part 1?")),
        (f"{CELL}.f1.t1", f"{CELL}.f1", ev.TurnStarted(1)),
        (f"{CELL}.s1", CELL, ev.Searched("leak")),
    ]
    facets = facets_of(fold(stamped([*BEGUN, *child])), ())
    assert {word: facets[word] for word in facets if sort_of(word) != "state"} == {
        "turn": {"f1.t1", f"{CELL}.f1.t1"},
        "cell": {CELL},
        "search": {f"{CELL}.s1"},
        "frame": {f"{CELL}.f1"},
        "depth0": {"f1.t1", CELL, f"{CELL}.s1"},
        "depth1": {f"{CELL}.f1", f"{CELL}.f1.t1"},
    }


def test_of_one_sort_any_word_holds_of_several_sorts_each():
    facets = {
        word: frozenset(spans) for word, spans in {"failed": "ab", "slow": "bc", "call": "bcd", "depth1": "c"}.items()
    }
    assert matching(facets, ()) is None
    assert matching(facets, ("nonsense", "depthx")) is None
    assert matching(facets, ("failed", "slow")) == {"a", "b", "c"}
    assert matching(facets, ("failed", "slow", "call")) == {"b", "c"}
    assert matching(facets, ("failed", "slow", "call", "depth1")) == {"c"}
    assert matching(facets, ("failed", "frame")) == frozenset()


@pytest.mark.parametrize("seed", range(8))
def test_of_any_run_every_node_has_a_kind_and_a_depth(seed):
    view = fold(stamped(random_run(seed, 200)))
    facets = facets_of(view, ())
    nodes = set(Outline(view).nodes) - {RUN}
    kinds = [facets[kind] for kind in KINDS if kind in facets]
    depths = [spans for word, spans in facets.items() if sort_of(word) == "depth"]
    for sort in (kinds, depths):
        assert set().union(*sort) == nodes
        assert sum(map(len, sort)) == len(nodes)
    assert all(facets[word] <= nodes for word in STATES if word in facets)
