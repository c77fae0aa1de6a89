"""Large runs written for tests and measurements are what they say: of the size asked for, the same each time, and real."""

from __future__ import annotations

from pathlib import Path

import pytest
from large_runs import SHAPES, Shape, begun_run, large_facts, write_large_run

from rlm_core import events as ev
from rlm_core.store.store import Store
from rlm_core.view import RunView, fold


def view_of(home: Path, run: str) -> RunView:
    store = Store.open(home)
    view = fold(store.events(run, resolve=False))
    store.close()
    return view


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("nodes", [100, 1000])
def test_a_large_run_has_as_many_nodes_as_it_was_asked_to_have(tmp_path: Path, shape: Shape, nodes: int):
    view = view_of(tmp_path, write_large_run(tmp_path, "large", nodes, shape))
    assert len(view.nodes) == nodes
    assert view.outcome == "answered"
    assert view.open_nodes() == []
    assert all(node.parent in view.nodes for node in view.nodes.values() if node.id != ev.RUN_SPAN)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_seed_gives_the_same_run_and_another_one_another(shape: Shape):
    assert large_facts(300, shape, seed=5) == large_facts(300, shape, seed=5)
    assert large_facts(300, shape, seed=5) != large_facts(300, shape, seed=6)


def test_nothing_happens_before_what_it_lies_in_or_after_its_end():
    view = fold(
        ev.Event("large", seq, at, span, parent, body)
        for seq, (at, span, parent, body) in enumerate(large_facts(3000, "mixed"))
    )
    for node in view.nodes.values():
        above = view.nodes.get(node.parent or "")
        assert above is None or (above.finished_at or 0) >= (node.finished_at or node.started_at) >= above.started_at


def test_the_shapes_hold_what_they_are_for(tmp_path: Path):
    views = {shape: view_of(tmp_path, write_large_run(tmp_path, shape, 2000, shape)) for shape in SHAPES}
    depths = {shape: {n.started.depth for n in v.nodes.values() if n.kind == "frame"} for shape, v in views.items()}
    assert depths["fan"] == {0}
    assert depths["deep"] == {0, 1, 2, 3}
    assert depths["mixed"] == {0, 1, 2, 3}
    assert max(len(node.children) for node in views["fan"].nodes.values()) > 400
    assert views["failing"].totals().failed_calls > 300
    assert {node.status for node in views["failing"].nodes.values()} >= {"ok", "failed", "timeout", "cancelled"}
    outputs = [node.finished.output for node in views["long"].nodes.values() if node.kind == "cell"]
    assert {output["chars"] for output in outputs} == {1_048_576}
    for view in views.values():
        calls = [node.finished for node in view.nodes.values() if node.kind == "call"]
        assert view.totals().calls_without_cost > 0
        assert any(done.replayed for done in calls)
        assert any(done.attempts > 1 for done in calls)
        assert len(view.findings()) > 20


def test_calls_of_a_cell_overlap(tmp_path: Path):
    view = view_of(tmp_path, write_large_run(tmp_path, "large", 1000, "fan"))
    calls = [node for node in view.nodes.values() if node.kind == "call" and node.parent == "f1.t1.c1"]
    at = sorted(node.started_at for node in calls)[len(calls) // 2]
    assert 20 < sum(node.started_at <= at < (node.finished_at or 0) for node in calls) <= 64


def test_a_large_run_can_be_gone_on_with(tmp_path: Path):
    with begun_run(tmp_path, "large", 100, "mixed") as recorder:
        recorder.emit("f1.t99", "f1", ev.TurnStarted(99))
    view = view_of(tmp_path, "large")
    assert len(view.nodes) == 101
    assert view.outcome is None
