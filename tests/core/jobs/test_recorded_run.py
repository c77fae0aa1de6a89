"""The recorded run that a first visit shows: it is there once, agrees with the archive, and stays away when deleted."""

from __future__ import annotations

from pathlib import Path

from rlm_core.jobs.asking import ensure_sample_run
from rlm_core.store.store import Store


def test_the_recorded_run_is_put_into_a_new_data_folder_and_belongs_to_the_sample_archive(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    run = ensure_sample_run(store)
    assert run is not None
    row = store.run(run)
    assert row is not None
    assert (row.outcome, row.root_model) == ("answered", "demo")
    assert row.corpus == store.corpora()[0].id
    assert ensure_sample_run(store) == run


def test_a_recorded_run_that_was_deleted_does_not_come_back(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    run = ensure_sample_run(store)
    assert run is not None
    store.delete_run(run)
    assert ensure_sample_run(store) is None
