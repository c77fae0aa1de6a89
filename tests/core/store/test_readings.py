"""Reads and quotes of a run as rows: added as the run goes on, thrown away with it."""

from pathlib import Path

import pytest

from rlm_core.events import RunFinished, RunStarted
from rlm_core.store.readings import CoverageRow, QuoteRow, ReadRow
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


def test_how_much_was_shown_is_kept_with_the_run(store, finished_run):
    store.add_corpus("c-1", "Archive", None, {}, documents=2, chars=100)
    reads = [
        ReadRow("a", 0, 0, 10, "sent", False),
        ReadRow("b", 0, 5, 20, "printed", False),
        ReadRow("c", 0, 6, 7, "sent", False),
        ReadRow("d", 1, 10, 15, "sent", True),
        ReadRow("e", 1, 30, 40, "cited", False),
    ]
    assert store.coverage_of([finished_run]) == {}
    store.add_readings(finished_run, 1, -1, 0, reads, [])
    assert store.coverage_of([finished_run, "r-unknown"]) == {finished_run: CoverageRow(25, 100, complete=False)}
    store.add_readings(finished_run, 1, 0, 1, [ReadRow("f", 0, 15, 25, "sent", False)], [])
    store.delete_corpus("c-1")
    after = store.coverage_of([finished_run])[finished_run]
    assert (after, after.share) == (CoverageRow(30, 100, complete=True), 0.3)


def test_how_much_was_shown_of_an_archive_that_is_gone_is_not_known(store, finished_run):
    store.add_readings(finished_run, 1, -1, 1, [READ], [])
    assert store.coverage_of([finished_run])[finished_run].share is None


def test_they_are_thrown_away_when_the_projections_are_made_anew(store, finished_run):
    store.add_readings(finished_run, 1, -1, 1, [READ], [QUOTE])
    store.rebuild_projections()
    assert (store.reads(finished_run), store.quotes(finished_run)) == ([], [])
    assert store.read_so_far(finished_run, 1) == -1
