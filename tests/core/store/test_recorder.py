"""What a recorder has taken is on disk, in order, and nobody else writes the run."""

import itertools
import sqlite3
import subprocess
import sys
import threading

import pytest
from event_streams import random_run

from rlm_core.errors import StoreError
from rlm_core.events import CallFinished, CallStarted, CellStarted, FrameStarted, Noted, RunStarted, TurnStarted
from rlm_core.store.recorder import TEXT_FILE_CHARS, Recorder
from rlm_core.task import Message, Task


def test_recorded_events_are_read_back_equal_whatever_they_hold(home, store):
    for seed in range(6):
        with Recorder.open(home, f"run-{seed}") as recorder:
            emitted = [recorder.emit(*step) for step in random_run(seed, hostile=True)]
        assert store.events(f"run-{seed}") == emitted
        assert [event.seq for event in emitted] == list(range(len(emitted)))


def test_times_never_run_backwards_and_a_reopened_run_goes_on_after_its_last_event(home, store):
    for _ in range(3):
        with Recorder.open(home, "r") as recorder:
            for _ in range(20):
                recorder.emit("f1", "run", Noted("n", "t"))
    events = store.events("r")
    assert [event.seq for event in events] == list(range(60))
    assert all(one.at <= next.at for one, next in itertools.pairwise(events))


def test_facts_recorded_together_are_all_there_or_none(home, store):
    with Recorder.open(home, "r") as recorder:
        events = recorder.emit_all([("f1", "run", Noted("n", text)) for text in ("a", "b" * 3_000, "c \udc80")])
        assert store.events("r") == events
        assert [event.seq for event in events] == [0, 1, 2]
        with pytest.raises(TypeError):
            recorder.emit_all([("f1", "run", Noted("n", "d")), ("f1", "run", Noted("n", "e", {"it": object()}))])
        with pytest.raises(sqlite3.Error):
            recorder.emit_all([("f1", "run", Noted("n", "d")), (object(), "run", Noted("n", "e"))])
        assert store.events("r") == events
        assert recorder.emit("f1", "run", Noted("n", "f")).seq == 3


def test_texts_of_every_size_are_read_back_and_large_ones_lie_in_files(home, store):
    texts = ["x" * 2000, "y" * 2001, "é\x00" * 40_000, "z" * TEXT_FILE_CHARS, "ü\r\n" * TEXT_FILE_CHARS]
    with Recorder.open(home, "r") as recorder:
        for text in texts:
            recorder.emit("f1", "run", Noted("n", text))
    assert [event.body.text for event in store.events("r")] == texts
    assert len([path for path in store.blobs.folder.rglob("*") if path.is_file()]) == 1
    unresolved = [event.body.text for event in store.events("r", resolve=False)]
    assert unresolved[0] == texts[0]
    assert [store.text(reference["$text"]) for reference in unresolved[1:]] == texts[1:]


def test_a_missing_large_text_is_named_in_plain_words(home, store):
    with Recorder.open(home, "r") as recorder:
        recorder.emit("f1", "run", Noted("n", "x" * (TEXT_FILE_CHARS + 1)))
    (file,) = [path for path in store.blobs.folder.rglob("*") if path.is_file()]
    file.unlink()
    assert store.events("r", resolve=False)[0].body.text["chars"] == TEXT_FILE_CHARS + 1
    with pytest.raises(StoreError, match="is gone"):
        store.events("r")


def test_the_emitted_event_is_what_will_be_read_back_even_with_lone_surrogates(home, store):
    with Recorder.open(home, "r") as recorder:
        event = recorder.emit("f1", "run", Noted("n", "broken \udc80"))
    assert event.body.text == "broken \ufffd"
    assert store.events("r") == [event]


def test_eight_threads_leave_every_event_once_and_in_the_order_of_its_number(home, store):
    with Recorder.open(home, "r") as recorder:

        def write(thread: int) -> None:
            for number in range(50):
                recorder.emit(f"f1.t{thread}", "f1", Noted("n", f"{thread} {number}"))

        threads = [threading.Thread(target=write, args=(thread,)) for thread in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    events = store.events("r")
    assert [event.seq for event in events] == list(range(400))
    assert len({event.body.text for event in events}) == 400
    assert all(one.at <= next.at for one, next in itertools.pairwise(events))


def test_a_run_has_one_writer_at_a_time(home, store):
    first = Recorder.open(home, "r")
    with pytest.raises(StoreError, match="written by another process"):
        Recorder.open(home, "r")
    Recorder.open(home, "another").close()
    first.close()
    Recorder.open(home, "r").close()


def test_a_recorder_needs_a_store_and_a_usable_run_id(home, store, tmp_path):
    with pytest.raises(StoreError, match="no database"):
        Recorder.open(tmp_path / "elsewhere", "r")
    for run in ("../r", "", "a/b", ".hidden", "x" * 300):
        with pytest.raises(StoreError, match="cannot be the id of a run"):
            Recorder.open(home, run)


def test_a_closed_recorder_says_so_and_can_be_closed_again(home, store):
    recorder = Recorder.open(home, "r")
    recorder.close()
    recorder.close()
    with pytest.raises(StoreError, match="closed"):
        recorder.emit("f1", "run", Noted("n", "t"))
    with pytest.raises(StoreError, match="closed"):
        recorder.commands()


def test_what_cannot_be_stored_is_refused_whole_and_the_next_event_takes_its_number(home, store):
    with Recorder.open(home, "r") as recorder:
        recorder.emit("f1", "run", Noted("n", "first"))
        with pytest.raises(TypeError):
            recorder.emit("f1", "run", Noted("n", "t", {"path": home}))
        with pytest.raises(UnicodeEncodeError):
            recorder.emit("f1\ud800", "run", Noted("n", "x" * 5000))
        assert recorder.emit("f1", "run", Noted("n", "second")).seq == 1
    assert [event.body.text for event in store.events("r")] == ["first", "second"]


def test_the_run_process_reads_its_job_and_its_commands(home, store):
    task = Task("Why?", "c1", options={"depth": 2})
    job = store.add_job(task, title="a title")
    with Recorder.open(home, job) as recorder:
        assert recorder.load_job(job) == store.job(job)
        assert recorder.load_job(job).task == task
        assert recorder.load_job("none") is None
        assert recorder.commands() == []
        store.add_command(job, "cancel", {"why": "too dear"})
        store.add_command("another", "cancel")
        (command,) = recorder.commands()
        assert (command.kind, command.payload) == ("cancel", {"why": "too dear"})
        assert recorder.commands(after=command.id) == []


def test_open_spans_are_listed_innermost_first(home, store):
    steps = [
        ("run", None, RunStarted(Task("q", "c"))),
        ("f1", "run", FrameStarted(0, "rlm", "q")),
        ("f1.t1", "f1", TurnStarted(1)),
        ("f1.t1.k1", "f1.t1", CallStarted("root", "demo", (Message("user", "q"),))),
        ("f1.t1.k1", "f1.t1", CallFinished("ok", "print(1)")),
        ("f1.t1.c1", "f1.t1", CellStarted("print(1)")),
        ("f1.t1.c1.k1", "f1.t1.c1", CallStarted("sub", "demo", (Message("user", "q"),))),
    ]
    with Recorder.open(home, "r") as recorder:
        for step in steps:
            recorder.emit(*step)
    with Recorder.open(home, "r") as recorder:
        assert recorder.open_spans() == [
            ("f1.t1.c1.k1", "f1.t1.c1", "call", 0),
            ("f1.t1.c1", "f1.t1", "cell", 0),
            ("f1.t1", "f1", "turn", 0),
            ("f1", "run", "frame", 0),
            ("run", None, "run", None),
        ]


def test_full_durability_records_the_same(home, store):
    with Recorder.open(home, "r", durability="full") as recorder:
        event = recorder.emit("f1", "run", Noted("n", "t"))
    assert store.events("r") == [event]


def test_the_recorder_does_not_load_sqlite_utils():
    script = "import sys, rlm_core.store.recorder; print('sqlite_utils' in sys.modules, 'pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
