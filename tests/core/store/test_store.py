"""The doors' side of the store: jobs, commands, corpora, the list of runs, deletion."""

import os
import re
import sqlite3
import threading
import time
from hashlib import sha256
from pathlib import Path

import pytest
from event_streams import random_run

from rlm_core.errors import StoreError
from rlm_core.events import Noted, RunFinished, RunStarted
from rlm_core.search import matcher
from rlm_core.store.blobs import ABANDONED_S
from rlm_core.store.connection import SCHEMA_VERSION, connect, transaction
from rlm_core.store.recorder import TEXT_FILE_CHARS, Recorder
from rlm_core.store.schema import migrations
from rlm_core.store.store import Store
from rlm_core.task import Answer, Limits, Task

TASK = Task("Which pumps leak?", "c1", options={"depth": 1}, limits=Limits(max_usd=2.0))
LARGE = "z" * (TEXT_FILE_CHARS + 1)


def record(home: Path, run: str, *texts: str, job: str | None = None, question: str = "q", answer: str = "a") -> None:
    with Recorder.open(home, run) as recorder:
        recorder.emit("run", None, RunStarted(Task(question, "c"), job=job))
        for text in texts:
            recorder.emit("run", None, Noted("n", text))
        recorder.emit("run", None, RunFinished("answered", Answer(answer)))


def count(home: Path, table: str) -> int:
    connection = sqlite3.connect(home / "store.db")
    try:
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    finally:
        connection.close()


def files(store: Store) -> list[Path]:
    return [path for path in store.blobs.folder.rglob("*") if path.is_file()]


# ---------------------------------------------------------------------- opening


def test_opening_makes_the_folders_closed_to_others_and_opening_again_changes_nothing(home, store):
    assert sorted(path.name for path in home.iterdir() if path.is_dir()) == ["blobs", "corpora", "locks"]
    assert (home / "locks").stat().st_mode & 0o077 == 0
    job = store.add_job(TASK)
    again = Store.open(home)
    assert [each.id for each in again.jobs()] == [job]
    again.close()


def test_the_schema_version_is_the_number_of_the_last_migration(store):
    names = [migration.name for migration in migrations.applied(store._db)]
    assert [int(name[1:4]) for name in names] == list(range(1, SCHEMA_VERSION + 1))
    assert store._db.conn.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION


def test_connections_are_in_wal_mode_wait_for_locks_and_keep_foreign_keys(store):
    read = {name: store._db.conn.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")}
    assert read == {"journal_mode": "wal", "synchronous": 1}
    assert store._db.conn.execute("PRAGMA busy_timeout").fetchone()[0] == 10_000
    assert store._db.conn.execute("PRAGMA foreign_keys").fetchone()[0] == 1


def test_a_transaction_that_begins_by_reading_may_still_write(home, store):
    one, other = connect(home), connect(home)
    other.execute("PRAGMA busy_timeout = 1")
    with transaction(one):
        assert one.execute("SELECT count(*) FROM corpora").fetchone() == (0,)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("INSERT INTO commands (run, kind, payload, at) VALUES ('r', 'cancel', '{}', 0)")
        one.execute("INSERT INTO commands (run, kind, payload, at) VALUES ('r', 'cancel', '{}', 0)")
    assert len(store.commands("r")) == 1
    one.close()
    other.close()


def test_a_file_that_is_no_database_or_anothers_is_refused_and_left_alone(tmp_path):
    (tmp_path / "store.db").write_bytes(b"a letter to grandmother, long enough to be no header " * 20)
    with pytest.raises(StoreError, match="not a database of RLM Studio"):
        Store.open(tmp_path)
    (tmp_path / "store.db").unlink()
    connection = sqlite3.connect(tmp_path / "store.db")
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = (tmp_path / "store.db").read_bytes()
    with pytest.raises(StoreError, match="not a database of RLM Studio"):
        Store.open(tmp_path)
    assert (tmp_path / "store.db").read_bytes() == before


def test_a_database_of_a_newer_version_is_refused_by_store_and_recorder(home, store):
    store._db.conn.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(StoreError, match="newer version"):
        Store.open(home)
    with pytest.raises(StoreError, match="newer version"):
        Recorder.open(home, "r")


def test_a_recorder_refuses_a_database_that_is_not_up_to_date_and_leaves_the_run_free(home, store):
    store._db.conn.execute("PRAGMA user_version = 0")
    with pytest.raises(StoreError, match="up to date"):
        Recorder.open(home, "r")
    store._db.conn.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    Recorder.open(home, "r").close()


def test_a_file_where_the_data_folder_should_be_is_named(tmp_path):
    (tmp_path / "home").write_text("I am a file")
    with pytest.raises(StoreError, match=r"home cannot be written.*RLM_STUDIO_HOME"):
        Store.open(tmp_path / "home")


def test_threads_come_and_go_without_leaving_connections_behind(home, store):
    record(home, "r", "x" * 5000)
    results: list[int] = []
    descriptors = Path("/proc/self/fd")
    counts = []
    for _ in range(12):
        threads = [threading.Thread(target=lambda: results.append(len(store.events("r")))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counts.append(len(list(descriptors.iterdir())))
    assert results == [3] * 36
    assert counts[-1] == counts[0]


# ---------------------------------------------------------------------- jobs, commands, corpora


def test_a_job_is_queued_found_and_moved_on(store):
    job = store.add_job(TASK, title="Pumps")
    assert re.fullmatch(r"\d{6}-\d{6}-[0-9a-f]{4}", job)
    found = store.job(job)
    assert (found.id, found.task, found.state, found.title) == (job, TASK, "queued", "Pumps")
    store.set_job_state(job, "running")
    assert [each.id for each in store.jobs("running")] == [job]
    assert store.jobs("queued") == []
    assert store.job("none") is None


def test_jobs_are_listed_oldest_first_and_have_ids_of_their_own(store):
    jobs = [store.add_job(TASK) for _ in range(40)]
    assert [job.id for job in store.jobs()] == jobs
    assert len(set(jobs)) == 40


def test_unknown_jobs_states_and_commands_are_refused_with_what_is_allowed(store):
    job = store.add_job(TASK)
    with pytest.raises(StoreError, match=r"'lost' is no state of a job\. Use one of: queued, running, finished"):
        store.set_job_state(job, "lost")
    with pytest.raises(StoreError, match="no job none"):
        store.set_job_state("none", "running")
    with pytest.raises(StoreError, match="'explode' is no command"):
        store.add_command(job, "explode")


def test_commands_are_read_in_order_and_only_once_with_after(store):
    for number in range(3):
        store.add_command("r", "cancel", {"number": number})
    store.add_command("other", "cancel")
    commands = store.commands("r")
    assert [command.payload["number"] for command in commands] == [0, 1, 2]
    assert store.commands("r", after=commands[1].id) == commands[2:]


def test_a_corpus_is_listed_replaced_and_deleted(store):
    store.add_corpus("c1", "mails.zip", None, {"items": [{"path": "broken\udcff name"}]}, 3, 900)
    store.add_corpus("c2", "logs\udcff.zip", 12, {}, 1, 10)
    store.add_corpus("c1", "mails again.zip", 77, {"items": []}, 4, 901)
    corpus = store.corpus("c1")
    assert (corpus.name, corpus.folder_bytes, corpus.report, corpus.documents, corpus.chars) == (
        "mails again.zip",
        77,
        {"items": []},
        4,
        901,
    )
    assert [each.id for each in store.corpora()] == ["c1", "c2"]
    assert store.corpus("c2").name == "logs\ufffd.zip"
    store.delete_corpus("c1")
    assert store.corpus("c1") is None


# ---------------------------------------------------------------------- runs


def test_runs_are_listed_newest_first_and_found_by_what_was_asked_or_answered(home, store):
    record(home, "r1", question="Which pumps leak?", answer="Pump 3")
    record(home, "r2", question="100% sure?", answer="a_b")
    record(home, "r3", question="Who\\what?", answer="nobody")
    assert [run.id for run in store.runs()] == ["r3", "r2", "r1"]
    assert [run.id for run in store.runs(limit=1)] == ["r3"]
    found = {
        text: [run.id for run in store.runs(search=text)]
        for text in ("PUMPS", "pump 3", "0%", "a_b", "axb", "o\\w", "r2", "'", "nothing")
    }
    assert found == {
        "PUMPS": ["r1"],
        "pump 3": ["r1"],
        "0%": ["r2"],
        "a_b": ["r2"],
        "axb": [],
        "o\\w": ["r3"],
        "r2": ["r2"],
        "'": [],
        "nothing": [],
    }


def test_unfinished_runs_are_those_without_an_end(home, store):
    record(home, "done")
    with Recorder.open(home, "cut") as recorder:
        recorder.emit("run", None, RunStarted(TASK))
    assert store.unfinished_runs() == ["cut"]
    assert store.run("cut").outcome is None


def test_events_after_a_number_are_the_rest(home, store):
    with Recorder.open(home, "r") as recorder:
        emitted = [recorder.emit(*step) for step in random_run(2, events=60)]
    assert store.events("r", after=20) == emitted[21:]
    assert store.events("r", after=len(emitted)) == []
    assert store.events("none") == []


def test_an_event_of_an_unknown_kind_is_refused_in_plain_words(home, store):
    record(home, "r")
    store._db.execute("UPDATE events SET kind = 'Teleported' WHERE seq = 1")
    with pytest.raises(StoreError, match="newer version"):
        store.events("r")


def test_an_unknown_text_is_refused_in_plain_words(store):
    with pytest.raises(StoreError, match="no text"):
        store.text("ab" * 32)


# ---------------------------------------------------------------------- deletion


def test_a_deleted_run_leaves_nothing_but_what_others_refer_to(home, store):
    own, shared = "own " * 1000, "shared " * 1000
    record(home, "r1", own, shared, LARGE, LARGE + "only r1")
    record(home, "r2", shared, LARGE)
    store.add_command("r1", "cancel")
    store.delete_run("r1")
    assert (store.events("r1"), store.run("r1"), store.spans("r1"), store.commands("r1")) == ([], None, [], [])
    assert [event.body.text for event in store.events("r2")[1:3]] == [shared, LARGE]
    assert (count(home, "texts"), len(files(store))) == (2, 1)
    store.delete_run("r2")
    tables = ("events", "texts", "text_refs", "runs", "spans", "commands")
    assert [count(home, table) for table in tables] == [0] * 6
    assert (files(store), list((home / "locks").iterdir())) == ([], [])


def test_a_run_that_is_being_written_is_not_deleted(home, store):
    with Recorder.open(home, "r") as recorder:
        recorder.emit("run", None, RunStarted(TASK))
        with pytest.raises(StoreError, match="being written"):
            store.delete_run("r")
        recorder.emit("run", None, RunFinished("failed"))
    store.delete_run("r")
    with pytest.raises(StoreError, match="no run r to delete"):
        store.delete_run("r")


def test_a_text_whose_file_went_with_another_run_while_recording_is_written_again(home, store):
    record(home, "old", LARGE)
    with Recorder.open(home, "new") as recorder:
        recorder.emit("run", None, RunStarted(TASK))
        store.delete_run("old")
        recorder.emit("run", None, Noted("n", LARGE))
    assert store.events("new")[1].body.text == LARGE


def test_files_that_a_dead_process_left_behind_go_with_the_next_deletion(home, store):
    record(home, "r1")
    record(home, "r2", LARGE)
    folder = store.blobs.folder / "ab"
    folder.mkdir()
    for name, age_s in (("ab" * 32, 0), ("cd.part", 0), ("ef.part", 2 * ABANDONED_S)):
        (folder / name).write_text("left behind")
        os.utime(folder / name, (time.time() - age_s,) * 2)
    store.delete_run("r1")
    assert [path.name for path in folder.iterdir()] == ["cd.part"]
    assert store.events("r2")[1].body.text == LARGE


def test_a_job_goes_with_its_last_run_once_it_has_ended(home, store):
    job = store.add_job(TASK)
    record(home, job, job=job)
    record(home, f"{job}.2", job=job)
    store.set_job_state(job, "finished")
    store.delete_run(job)
    assert store.job(job) is not None
    store.delete_run(f"{job}.2")
    assert store.job(job) is None


def test_a_job_that_never_ran_can_be_deleted_once_it_has_ended(store):
    job = store.add_job(TASK)
    with pytest.raises(StoreError, match="no run"):
        store.delete_run(job)
    store.set_job_state(job, "finished")
    store.delete_run(job)
    assert store.jobs() == []


def test_texts_that_hold_words_are_named_wherever_they_are_kept(home, store):
    long = "y" * 3_999_990 + " the LEAK is here " + "y" * 500_000
    short, dry = "x" * 2_500 + " Leak ", "z" * 5_000
    record(home, "r1", short, long, dry)
    of = {text: sha256(text.encode()).hexdigest() for text in (short, long, dry)}
    assert store.holding([*of.values(), "gone"], matcher("leak")) == {of[short], of[long]}
    assert store.holding([of[dry]], matcher("leak")) == set()
    store.blobs.path(of[long]).unlink()
    assert store.holding(of.values(), matcher("leak")) == {of[short]}
