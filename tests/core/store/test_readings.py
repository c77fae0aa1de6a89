"""Reads and quotes of a run as rows: added as the run goes on, thrown away with it."""

from pathlib import Path

import pytest

from rlm_core.events import RunFinished, RunStarted
from rlm_core.store.readings import QuoteRow, ReadRow
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Answer, Task

READ = ReadRow("f1.t1.c1", 3, 10, 20, "printed", False)
OTHER = ReadRow("f1.t1.c1.k1", 0, 0, 5, "sent", True)
QUOTE = QuoteRow("answer", 4, "Dry.", "exact", "a.txt", 1, 5, 1, None, 1)


@pytest.fixture
def finished_run(home: Path, store: Store) -> str:
    with Recorder.open(home, "r-1") as recorder:
        recorder.emit("run", None, RunStarted(Task("Why?", "c-1")))
        recorder.emit("run", None, RunFinished("answered", Answer("Because.")))
    return "r-1"


def test_they_are_added_in_steps_by_the_one_who_knows_how_far_it_got(store, finished_run):
    assert store.read_so_far(finished_run, 1) == -1
    assert store.add_readings(finished_run, 1, -1, 7, [READ], [])
    assert store.read_so_far(finished_run, 1) == 7
    assert not store.add_readings(finished_run, 1, 5, 9, [OTHER], [])
    assert store.add_readings(finished_run, 1, 7, 9, [OTHER], [QUOTE])
    assert store.reads(finished_run) == [READ, OTHER]
    assert store.quotes(finished_run) == [QUOTE]


def test_another_version_of_the_search_begins_anew(store, finished_run):
    store.add_readings(finished_run, 1, -1, 7, [READ], [QUOTE])
    assert store.read_so_far(finished_run, 2) == -1
    assert store.add_readings(finished_run, 2, -1, 9, [OTHER], [])
    assert (store.reads(finished_run), store.quotes(finished_run)) == ([OTHER], [])


def test_they_go_with_their_run(store, finished_run):
    store.add_readings(finished_run, 1, -1, 7, [READ], [QUOTE])
    store.delete_run(finished_run)
    assert (store.reads(finished_run), store.quotes(finished_run)) == ([], [])
    assert store.read_so_far(finished_run, 1) == -1
    assert not store.add_readings(finished_run, 1, -1, 7, [READ], [])
