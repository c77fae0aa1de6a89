"""Titles and tags of runs, the lists that they are found in, and the disk that runs take."""

from __future__ import annotations

import sqlite3
from dataclasses import fields
from pathlib import Path

import pytest
from event_streams import random_run
from sqlite_utils import Database

from rlm_core.errors import StoreError
from rlm_core.events import FrameStarted, Noted, RunFinished, RunStarted, TurnStarted
from rlm_core.store import schema
from rlm_core.store.annotations import Annotation
from rlm_core.store.connection import SCHEMA_VERSION, connect
from rlm_core.store.disk_use import bytes_of_folder
from rlm_core.store.listing import RunFilter
from rlm_core.store.recorder import TEXT_FILE_CHARS, Recorder
from rlm_core.store.rows import RunRow, SpanRow
from rlm_core.store.store import Store
from rlm_core.task import Answer, Outcome, Task

TASK = Task("Which pumps leak?", "corpus-1")


def record(home: Path, run: str, *texts: str, question: str = "?", outcome: Outcome | None = "answered") -> str:
    with Recorder.open(home, run) as recorder:
        recorder.emit("run", None, RunStarted(Task(question, "corpus-1")))
        for text in texts:
            recorder.emit("run", None, Noted("n", text))
        if outcome:
            recorder.emit("run", None, RunFinished(outcome, Answer("Pump 3")))
    return run


def ids(store: Store, search: str = "", state: str | None = None, tag: str | None = None) -> list[str]:
    return [run.id for run in store.runs(wanted=RunFilter(search, state, tag))]


# ---------------------------------------------------------------------- titles and tags


def test_a_title_is_kept_on_one_line_changed_and_taken_away(home, store):
    record(home, "r")
    for title, kept in (("  Pumps,\n  north  ", "Pumps, north"), ("Again", "Again"), ("\udcff", "?"), (" ", None)):
        store.rename("r", title)
        assert store.annotations().get("r", Annotation()).title == kept
    assert store.annotations() == {}


def test_tags_replace_each_other_and_are_listed_in_alphabetical_order_with_how_many_runs_have_them(home, store):
    for run in (record(home, "r1"), record(home, "r2")):
        store.set_tags(run, ["zinc", "old"])
    store.set_tags("r1", ["zinc", "Board  meeting", "BOARD meeting", " "])
    assert store.annotations()["r1"].tags == ("Board meeting", "zinc")
    assert store.tags_in_use() == {"Board meeting": 1, "old": 1, "zinc": 2}
    assert list(store.tags_in_use()) == ["Board meeting", "old", "zinc"]
    store.set_tags("r1", [])
    assert store.annotations() == {"r2": Annotation(None, ("old", "zinc"))}


def test_what_is_too_long_or_too_many_is_refused_with_the_limit_and_changes_nothing(home, store):
    record(home, "r")
    store.rename("r", "Pumps")
    store.set_tags("r", ["a"])
    with pytest.raises(StoreError, match="title has 201 characters, up to 200"):
        store.rename("r", "x" * 201)
    with pytest.raises(StoreError, match="tag has 41 characters, up to 40"):
        store.set_tags("r", ["b", "x" * 41])
    with pytest.raises(StoreError, match="up to 20 tags, these are 21"):
        store.set_tags("r", [str(number) for number in range(21)])
    assert store.annotations()["r"] == Annotation("Pumps", ("a",))


def test_a_run_that_is_not_there_has_no_title_and_no_tags(store):
    with pytest.raises(StoreError, match="no run gone"):
        store.rename("gone", "Pumps")
    with pytest.raises(StoreError, match="no run gone"):
        store.set_tags("gone", ["a"])


def test_the_title_of_a_job_is_that_of_its_first_run(home, store):
    job = store.add_job(TASK, title="Pumps")
    assert store.annotations()[job].title == store.job(job).title == "Pumps"
    store.rename(job, "Valves")
    assert [each.title for each in store.jobs()] == ["Valves"]
    record(home, job)
    assert store.annotations()[job].title == "Valves"


def test_a_rebuild_leaves_titles_and_tags_alone_and_a_deletion_takes_them(home, store):
    for run in (record(home, "r1"), record(home, "r2")):
        store.rename(run, "Pumps")
        store.set_tags(run, ["a", "b"])
    before = store.annotations()
    store.rebuild_projections()
    assert store.annotations() == before
    store.delete_run("r1")
    assert store.annotations() == {"r2": before["r2"]}
    assert store.tags_in_use() == {"a": 1, "b": 1}


# ---------------------------------------------------------------------- lists


def test_runs_are_found_by_title_and_tag_as_well(home, store):
    for run in ("r1", "r2", "r3"):
        record(home, run, question=f"Question {run}")
    store.rename("r1", "Pumps 100%")
    store.set_tags("r2", ["board_meeting"])
    assert ids(store, "pumps") == ids(store, "100%") == ["r1"]
    assert ids(store, "BOARD_") == ["r2"]
    assert ids(store, "boardxmeeting") == []
    assert ids(store, "question") == ["r3", "r2", "r1"]
    assert [run.id for run in store.runs(search="board")] == ["r2"]


def test_a_state_and_a_tag_narrow_the_list_and_states_are_counted_over_all(home, store):
    for number, outcome in enumerate(("answered", "answered", "failed", None)):
        record(home, f"r{number}", question="Pumps?" if number else "Valves?", outcome=outcome)
    store.set_tags("r0", ["a"])
    store.set_tags("r2", ["a"])
    assert ids(store, state="running") == ["r3"]
    assert ids(store, state="answered") == ["r1", "r0"]
    assert ids(store, "pumps", "answered") == ["r1"]
    assert ids(store, tag="a") == ["r2", "r0"]
    assert ids(store, "pumps", "failed", "a") == ["r2"]
    assert store.count_states(RunFilter()) == {"answered": 2, "failed": 1, "running": 1}
    assert store.count_states(RunFilter("pumps", tag="a")) == {"failed": 1}
    assert store.count_states(RunFilter("nothing")) == {}


def test_the_turn_of_a_run_is_that_of_its_first_frame(home, store):
    with Recorder.open(home, "r") as recorder:
        recorder.emit("run", None, RunStarted(TASK))
        recorder.emit("f1", "run", FrameStarted(0, "rlm", "?", {}))
        assert store.turns_under_way() == {}
        for number in (1, 2, 3):
            recorder.emit(f"f1.t{number}", "f1", TurnStarted(number))
        recorder.emit("f2", "f1.t3", FrameStarted(1, "rlm", "?", {}))
        recorder.emit("f2.t1", "f2", TurnStarted(1))
        assert store.turns_under_way() == {"r": 3}
        recorder.emit("run", None, RunFinished("failed"))
    assert store.turns_under_way() == {}


# ---------------------------------------------------------------------- disk


def test_a_run_takes_its_events_and_its_texts_and_always_has_one_size(home, store):
    own, shared, in_a_file = "ü" * 5_000, "shared " * 1_000, "f" * (TEXT_FILE_CHARS + 1)
    record(home, "r1")
    record(home, "r2", own, shared)
    record(home, "r3", shared, in_a_file)
    found = store.bytes_of_runs()
    bodies = dict(store._db.conn.execute("SELECT run, sum(length(CAST(body AS BLOB))) FROM events GROUP BY run"))
    assert found == {
        "r1": bodies["r1"],
        "r2": bodies["r2"] + 2 * len(own) + len(shared),
        "r3": bodies["r3"] + len(shared) + len(in_a_file),
    }
    assert store.bytes_together(["r2"]) == found["r2"] - len(shared)
    assert store.bytes_together(["r2", "r3"]) == found["r2"] + found["r3"] - len(shared)
    assert store.bytes_together([]) == 0
    store.delete_run("r2")
    assert store.bytes_of_runs()["r3"] == found["r3"]


def test_the_folder_takes_all_its_files(home, store):
    before = bytes_of_folder(home)
    (home / "corpora" / "c1").mkdir()
    (home / "corpora" / "c1" / "text").write_bytes(b"x" * 12_345)
    assert bytes_of_folder(home) == before + 12_345


def test_several_runs_go_together_or_not_at_all(home, store):
    for run in ("r1", "r2", "r3"):
        record(home, run)
    with Recorder.open(home, "live") as recorder:
        recorder.emit("run", None, RunStarted(TASK))
        with pytest.raises(StoreError, match="run live is being written"):
            store.delete_runs(["r1", "live"])
    with pytest.raises(StoreError, match="no run gone"):
        store.delete_runs(["r1", "gone"])
    assert ids(store) == ["live", "r3", "r2", "r1"]
    store.delete_runs(["r1", "r3", "r1"])
    assert ids(store) == ["live", "r2"]


def test_the_database_shrinks_when_runs_go(home, store):
    record(home, "small")
    before = store._db.conn.execute("PRAGMA page_count").fetchone()[0]
    record(home, "large", *(f"{number} " + "x" * 50_000 for number in range(60)))
    assert store._db.conn.execute("PRAGMA page_count").fetchone()[0] > before + 700
    store.delete_run("large")
    assert store._db.conn.execute("PRAGMA page_count").fetchone()[0] <= before + 5
    assert store._db.conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


# ---------------------------------------------------------------------- a store of version 1


COLUMNS_OF_VERSION_1 = {
    "events": "run, seq, at, span, parent, kind, body",
    "texts": "sha, text",
    "text_refs": "run, sha",
    "runs": ", ".join(each.name for each in fields(RunRow)),
    "spans": f"run, {', '.join(each.name for each in fields(SpanRow))}",
}


def version_1(home: Path) -> None:
    """A data folder as schema 1 left it, empty."""
    for name in ("blobs", "corpora", "locks"):
        (home / name).mkdir(parents=True)
    connection = connect(home)
    connection.execute("PRAGMA application_id = 0x524C4D53")
    connection.execute("PRAGMA journal_mode = WAL")
    schema.migrations.apply(Database(connection), stop_before="m002_titles_tags_and_sizes_of_texts")
    assert connection.execute("PRAGMA user_version").fetchone()[0] == 1
    connection.close()


def test_a_store_of_version_1_is_brought_up_to_date_with_its_data(home):
    version_1(home)
    made = Store.open(home.parent / "made")
    with Recorder.open(made.home, "r") as recorder:
        for step in random_run(3, events=80):
            recorder.emit(*step)
    old = sqlite3.connect(home / "store.db")
    for table, columns in COLUMNS_OF_VERSION_1.items():
        for row in made._db.conn.execute(f"SELECT {columns} FROM {table}"):
            old.execute(f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(row))})", row)
    for job, title in (("titled", "Pumps"), ("plain", None), ("blank", " ")):
        old.execute(
            "INSERT INTO jobs VALUES (?, 1.0, ?, ?, 'queued')", (job, '{"question": "?", "corpus": "c"}', title)
        )
    old.commit()
    old.close()
    kept = (made.events("r"), made.runs(), made.spans("r"), made.bytes_of_runs())
    made.close()

    store = Store.open(home)
    assert store._db.conn.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
    assert (store.events("r"), store.runs(), store.spans("r"), store.bytes_of_runs()) == kept
    assert {job.id: job.title for job in store.jobs()} == {"titled": "Pumps", "plain": None, "blank": None}
    store.rename("r", "Kept")
    with Recorder.open(home, "new") as recorder:
        recorder.emit("run", None, RunStarted(TASK))
    assert [run.id for run in store.runs(search="kept")] == ["r"]
    store.delete_runs(["r"])
    assert store.bytes_of_runs().keys() == {"new"}
    store.close()
