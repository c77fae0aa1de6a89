"""What people say of single nodes of runs: kept beside the events, through rebuilds, and gone with the run."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlite_utils import Database

from rlm_core.errors import StoreError
from rlm_core.events import Noted, RunFinished, RunStarted
from rlm_core.notes import LABEL_CHARS, NOTE_CHARS, Note
from rlm_core.store import schema
from rlm_core.store.connection import SCHEMA_VERSION, connect
from rlm_core.store.listing import RunFilter
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Task


def record(home: Path, run: str = "r") -> str:
    with Recorder.open(home, run) as recorder:
        recorder.emit("run", None, RunStarted(Task("Which pumps leak?", "corpus-1")))
        recorder.emit("run", None, Noted("n", "t"))
        recorder.emit("run", None, RunFinished("failed"))
    return run


def test_a_note_is_kept_changed_and_taken_away(home, store):
    record(home)
    store.set_note("r", "f1.t1.c1", Note("  Too\n early ", " Looks at one\nfile only. ", "wrong"))
    store.set_note("r", "f1.t2", Note(judged="right"))
    assert store.notes("r") == {
        "f1.t1.c1": Note("Too early", "Looks at one\nfile only.", "wrong"),
        "f1.t2": Note(judged="right"),
    }
    store.set_note("r", "f1.t1.c1", Note("\udcff"))
    assert store.notes("r")["f1.t1.c1"] == Note("?")
    for span in ("f1.t1.c1", "f1.t2"):
        store.set_note("r", span, Note("  "))
    assert store.notes("r") == store.notes("gone") == {}


def test_what_is_too_long_no_judgement_or_of_no_run_is_refused(home, store):
    record(home)
    with pytest.raises(StoreError, match="label has 61 characters, up to 60"):
        store.set_note("r", "f1", Note("x" * (LABEL_CHARS + 1)))
    with pytest.raises(StoreError, match="note has 4,001 characters, up to 4,000"):
        store.set_note("r", "f1", Note(text="x" * (NOTE_CHARS + 1)))
    with pytest.raises(StoreError, match="'maybe' is no judgement"):
        store.set_note("r", "f1", Note(judged="maybe"))
    with pytest.raises(StoreError, match="no run gone"):
        store.set_note("gone", "f1", Note("x"))
    assert store.notes("r") == {}


def test_notes_are_written_while_the_run_is_being_recorded(home, store):
    with Recorder.open(home, "live") as recorder:
        recorder.emit("run", None, RunStarted(Task("?", "corpus-1")))
        store.set_note("live", "run", Note("x"))
        recorder.emit("run", None, RunFinished("failed"))
    assert store.notes("live") == {"run": Note("x")}


def test_a_rebuild_leaves_notes_alone_and_a_deletion_takes_those_of_its_run(home, store):
    for run in (record(home, "r1"), record(home, "r2")):
        store.set_note(run, "f1", Note("kept"))
    store.rebuild_projections()
    assert store.notes("r1") == store.notes("r2") == {"f1": Note("kept")}
    store.delete_run("r1")
    assert (store.notes("r1"), store.notes("r2")) == ({}, {"f1": Note("kept")})


def test_runs_are_found_by_what_is_said_of_their_nodes(home, store):
    for run in ("r1", "r2"):
        record(home, run)
    store.set_note("r1", "f1", Note("Board meeting"))
    store.set_note("r2", "f1", Note(text="100% wrong"))
    assert [run.id for run in store.runs(wanted=RunFilter("board"))] == ["r1"]
    assert [run.id for run in store.runs(wanted=RunFilter("100%"))] == ["r2"]
    assert store.runs(wanted=RunFilter("walrus")) == []


def test_a_store_without_notes_is_brought_up_to_date_with_its_runs(home):
    for name in ("blobs", "corpora", "locks"):
        (home / name).mkdir(parents=True)
    connection = connect(home)
    connection.execute("PRAGMA application_id = 0x524C4D53")
    connection.execute("PRAGMA journal_mode = WAL")
    schema.migrations.apply(Database(connection), stop_before="m005_notes_on_nodes")
    assert connection.execute("PRAGMA user_version").fetchone()[0] == 4
    connection.execute("INSERT INTO run_titles (run, title) VALUES ('r', 'Kept')")
    connection.close()
    store = Store.open(home)
    assert store._db.conn.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
    record(home)
    store.set_note("r", "f1", Note("new"))
    assert (store.annotations()["r"].title, store.notes("r")) == ("Kept", {"f1": Note("new")})
    store.close()
