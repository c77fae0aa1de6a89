"""The recorded run that a first visit shows: it is there once, agrees with the archive, and stays away when deleted."""

from __future__ import annotations

import json
from pathlib import Path

from rlm_core.compare import compare
from rlm_core.jobs.recorded import COMPARISON, ensure_sample_run, recorded_comparison
from rlm_core.store.store import Store
from rlm_core.view import fold


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


def test_the_recorded_comparison_comes_when_it_is_asked_for_with_what_played_it(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    assert recorded_comparison(store) == COMPARISON == recorded_comparison(store)
    (archive,) = store.corpora()
    for run in COMPARISON:
        row = store.run(run)
        assert row is not None
        assert (row.outcome, row.corpus, row.root_model) == ("answered", archive.id, "openai/relayed")
        assert "manual relay" in store.notes(run)["run"].text
        assert "One run is an anecdote" in str(store.stories.of(run)[0].body)


def test_the_recorded_runs_tell_why_a_cut_prompt_and_an_rlm_come_to_different_ends(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    comparison = compare([fold(store.events(run)) for run in recorded_comparison(store)])
    truth = json.loads(Path("sample_data/truth/maintenance.json").read_text(encoding="utf-8"))["rooms"]
    assert comparison.told(1) == {room for room, each in truth.items() if each["label"] == "yes"}
    assert comparison.told(0) == {"F14"}
    assert comparison.runs[0].reach.chars_outside > 600_000
