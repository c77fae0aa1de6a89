"""The generator that other tests build on keeps its word."""

from event_streams import random_run, stamped

from rlm_core.event_json import from_dict, to_dict
from rlm_core.events import BODIES


def test_random_runs_hold_every_kind_of_event():
    seen = {type(body).__name__ for seed in range(20) for _, _, body in random_run(seed)}
    assert seen == set(BODIES)


def test_the_same_seed_gives_the_same_run_and_another_seed_another():
    assert random_run(3) == random_run(3)
    assert random_run(3) != random_run(4)


def test_every_started_has_one_finished_and_every_parent_was_there_before():
    for seed in range(20):
        seen: set[str] = set()
        running: list[str] = []
        for span, parent, body in random_run(seed, hostile=True):
            name = type(body).__name__
            assert parent is None or parent in running
            if name.endswith("Started"):
                assert span not in seen
                running.append(span)
            elif name.endswith("Finished"):
                running.remove(span)
            seen.add(span)
        assert running == []


def test_random_events_survive_the_way_through_a_dict():
    for seed in range(5):
        for event in stamped(random_run(seed, hostile=True)):
            assert from_dict(to_dict(event)) == event
