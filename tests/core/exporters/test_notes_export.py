"""Notes on nodes go along with the file of a run, and come back with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rlm_core.errors import StoreError
from rlm_core.events import FrameStarted, RunFinished, RunStarted
from rlm_core.exporters.jsonl import to_lines
from rlm_core.importers.jsonl import read_lines
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.importing import NothingNew, import_runs
from rlm_core.notes import Note
from rlm_core.settings import Settings
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Task

NOTES = {"f1": Note("Too early", "Looks at one\nfile only. 🜁", "wrong"), "answer": Note(judged="right")}


def exported(store: Store, file: Path, *runs: str) -> Path:
    lines = [line for run in runs for line in to_lines(run, store.events(run), store.notes(run))]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture
def noted(tmp_path: Path) -> Store:
    """Two runs, the first of them with notes."""
    store = open_store(Settings(tmp_path / "one"))
    for run in ("r1", "r2"):
        with Recorder.open(store.home, run) as recorder:
            recorder.emit("run", None, RunStarted(Task("Which pumps leak?", "corpus-1")))
            recorder.emit("f1", "run", FrameStarted(0, "rlm", "Which pumps leak?"))
            recorder.emit("run", None, RunFinished("failed"))
    for span, note in NOTES.items():
        store.set_note("r1", span, note)
    return store


def test_notes_come_back_with_the_run_that_they_are_of(tmp_path: Path, noted: Store) -> None:
    other = open_store(Settings(tmp_path / "two"))
    file = exported(noted, tmp_path / "runs.jsonl", "r1", "r2")
    assert [each.run for each in import_runs(other, file)] == ["r1", "r2"]
    assert (other.notes("r1"), other.notes("r2")) == (NOTES, {})
    assert list(read_lines(file.read_text(encoding="utf-8").splitlines())) == [*noted.events("r1"), *noted.events("r2")]


def test_notes_on_a_run_that_is_here_already_stay_as_they_are(tmp_path: Path, noted: Store) -> None:
    file = exported(noted, tmp_path / "run.jsonl", "r1")
    noted.set_note("r1", "f1", Note("Changed since"))
    noted.set_note("r1", "answer", Note())
    with pytest.raises(NothingNew):
        list(import_runs(noted, file))
    assert noted.notes("r1") == {"f1": Note("Changed since")}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"run": "r2"}, "Line 4 is no event of a run: a note comes after the end of its run"),
        ({"span": 7}, "Line 4 is no event of a run: span, label and text of a note must be texts"),
        ({"body": {"label": "", "text": "x" * 4_001, "judged": None}}, "note has 4,001 characters, up to 4,000"),
        ({"body": {"label": "", "text": "", "judged": "maybe"}}, "'maybe' is no judgement"),
        ({"body": {"label": ""}}, "Line 4 is no event of a run"),
    ],
)
def test_a_note_that_is_none_is_refused_and_its_run_is_kept(
    tmp_path: Path, noted: Store, changed: dict[str, object], said: str
) -> None:
    other = open_store(Settings(tmp_path / "two"))
    lines = exported(noted, tmp_path / "run.jsonl", "r1").read_text(encoding="utf-8").splitlines()
    lines[3] = json.dumps(json.loads(lines[3]) | changed)
    file = tmp_path / "changed.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(StoreError, match=said):
        list(import_runs(other, file))
    assert other.notes("r1") == {}
    assert other.run("r1")
