"""What people have changed in the story of a run is kept with the run, travels in its file, and goes with it."""

from __future__ import annotations

import json

import pytest

from rlm_core.errors import StoreError
from rlm_core.events import RunFinished, RunStarted
from rlm_core.exporters.jsonl import to_lines
from rlm_core.jobs.importing import import_runs
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.story_edits import StepEdit
from rlm_core.task import Task

EDITS = (StepEdit("answer", "Twenty-one rooms"), StepEdit("plan", body="It looks first.", left_out=True))


@pytest.fixture
def store(tmp_path) -> Store:
    opened = Store.open(tmp_path / "home")
    with Recorder.open(opened.home, "r1") as recorder:
        recorder.emit("run", None, RunStarted(Task("Why?", "c")))
        recorder.emit("run", None, RunFinished("failed"))
    return opened


def lines_of(store: Store) -> list[str]:
    return list(to_lines("r1", store.events("r1"), store.notes("r1"), store.stories.of("r1")))


def test_a_story_is_kept_changed_and_taken_back_and_goes_with_its_run(store):
    assert store.stories.of("r1") == ()
    store.stories.keep("r1", EDITS)
    store.stories.keep("r1", EDITS[:1])
    assert store.stories.of("r1") == EDITS[:1]
    store.stories.keep("r1", ())
    assert store.stories.of("r1") == ()
    store.stories.keep("r1", EDITS)
    store.delete_run("r1")
    assert store.stories.of("r1") == ()
    with pytest.raises(StoreError, match="no run"):
        store.stories.keep("r1", EDITS)


def test_a_story_travels_with_the_file_of_its_run(store, tmp_path):
    store.stories.keep("r1", EDITS)
    file = tmp_path / "run.jsonl"
    file.write_text("\n".join(lines_of(store)))
    other = Store.open(tmp_path / "other")
    assert [each.run for each in import_runs(other, file)] == ["r1"]
    assert other.stories.of("r1") == EDITS


@pytest.mark.parametrize(
    "body", [[{"step": 1}], [{"step": "a", "left_out": "no"}], [{"step": "a", "title": ["x"]}], [{"steps": "a"}], 3]
)
def test_a_story_of_another_shape_is_refused(store, tmp_path, body):
    file = tmp_path / "run.jsonl"
    file.write_text("\n".join([*lines_of(store), json.dumps({"run": "r1", "kind": "StoryEdit", "body": body})]))
    with pytest.raises(StoreError, match="Line 3 is no event"):
        list(import_runs(Store.open(tmp_path / "other"), file))
