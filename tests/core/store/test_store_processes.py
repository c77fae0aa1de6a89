"""The store under several processes, sudden deaths and full disks. Real processes, real files."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from rlm_core.errors import StoreError
from rlm_core.events import Noted
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store

EMIT_FOREVER = """
import sys
from pathlib import Path
from rlm_core.events import Noted
from rlm_core.store.recorder import Recorder
recorder = Recorder.open(Path(sys.argv[1]), "r")
for number in range(int(sys.argv[2])):
    event = recorder.emit("f1", "run", Noted("n", "x" * (number % 4000)))
    if len(sys.argv) > 3:
        print(event.seq, flush=True)
"""
OPEN_TOGETHER = """
import sys
from pathlib import Path
from rlm_core.store.store import Store
from rlm_core.task import Task
print("ready", flush=True)
sys.stdin.readline()
store = Store.open(Path(sys.argv[1]))
print(store.add_job(Task("q", "c")))
"""
FILL_UP = """
import resource, sys
from pathlib import Path
from rlm_core.errors import StoreError
from rlm_core.events import Noted
from rlm_core.store.recorder import Recorder
recorder = Recorder.open(Path(sys.argv[1]), "r")
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
emitted = 0
try:
    while True:
        recorder.emit("f1", "run", Noted("n", f"{emitted} " + "x" * int(sys.argv[2])))
        emitted += 1
except StoreError as error:
    print(error)
try:
    recorder.emit("f1", "run", Noted("n", "y" * 1_500_000))
except StoreError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(recorder.emit("f1", "run", Noted("n", "room again")).seq, emitted)
"""
OPEN_AS_NOBODY = """
import os, sys
from pathlib import Path
from rlm_core.errors import StoreError
from rlm_core.store.store import Store
if os.getuid() == 0:
    os.seteuid(65534)
try:
    Store.open(Path(sys.argv[1]))
except StoreError as error:
    print(error)
"""


def start(script: str, *arguments: object, **options: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)


def test_four_processes_may_open_a_fresh_folder_at_once(home):
    processes = [start(OPEN_TOGETHER, home) for _ in range(4)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    jobs = [process.communicate(timeout=60)[0].strip() for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    store = Store.open(home)
    assert {job.id for job in store.jobs()} == set(jobs)
    store.close()


def test_a_reader_sees_every_event_in_order_while_another_process_writes(home, store):
    process = start(EMIT_FOREVER, home, 2000)
    seen, polls = [], 0
    while len(seen) < 2000:
        ended = process.poll() is not None
        new = store.events("r", after=seen[-1].seq if seen else -1)
        seen += new
        polls += 1
        if ended and not new:
            break
    assert process.communicate(timeout=60) == ("", None)
    assert [event.seq for event in seen] == list(range(2000))
    assert [len(event.body.text) for event in seen] == [number % 4000 for number in range(2000)]
    assert polls > 5


def test_runs_can_be_deleted_and_rebuilt_while_another_process_writes(home, store):
    for number in range(60):
        with Recorder.open(home, f"old-{number}") as recorder:
            recorder.emit("f1", "run", Noted("n", f"{number}" * 3000))
    process = start(EMIT_FOREVER, home, 10**6, "tell")
    process.stdout.readline()
    for number in range(60):
        store.rebuild_projections(f"old-{number}")
        store.delete_run(f"old-{number}")
    process.kill()
    process.communicate(timeout=60)
    assert store._db.execute("SELECT DISTINCT run FROM events").fetchall() == [("r",)]


def test_a_killed_writer_has_lost_nothing_it_was_told_is_recorded(home, store):
    process = start(EMIT_FOREVER, home, 10**6, "tell")
    told = [int(process.stdout.readline()) for _ in range(500)]
    with pytest.raises(StoreError, match="another process"):
        Recorder.open(home, "r")
    os.kill(process.pid, signal.SIGKILL)
    told += [
        int(line) for line in process.stdout.read().split()
    ]  # communicate() would miss what readline() has buffered
    process.communicate(timeout=60)
    assert told == list(range(len(told)))
    events = store.events("r")
    assert [event.seq for event in events] == list(range(len(events)))
    assert told[-1] <= events[-1].seq <= told[-1] + 1
    assert [len(event.body.text) for event in events] == [seq % 4000 for seq in range(len(events))]
    with Recorder.open(home, "r") as recorder:
        assert recorder.emit("f1", "run", Noted("n", "the next life")).seq == len(events)


@pytest.mark.parametrize("chars", [500, 5000])
def test_a_full_disk_is_said_plainly_and_leaves_nothing_half_written(home, store, chars):
    process = start(FILL_UP, home, chars)
    *messages, last = process.communicate(timeout=60)[0].splitlines()
    assert process.returncode == 0
    assert len(messages) == 2
    assert all("no room left" in message and str(home) in message for message in messages)
    next_seq, emitted = map(int, last.split())
    events = store.events("r")
    assert emitted > 10
    assert next_seq == emitted == len(events) - 1
    assert [event.body.text for event in events[:-1]] == [f"{number} " + "x" * chars for number in range(emitted)]
    assert events[-1].body.text == "room again"
    assert not [path for path in store.blobs.folder.rglob("*") if path.is_file()]
    store.rebuild_projections()
    assert store._db.conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


@pytest.mark.parametrize("existing", [False, True])
def test_a_folder_that_may_not_be_written_is_said_plainly(existing):
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        if existing:
            Store.open(home).close()
            home.chmod(0o555)
        Path(folder).chmod(0o555)
        process = start(OPEN_AS_NOBODY, home)
        complaint = process.communicate(timeout=60)[0]
        home.parent.chmod(0o755)
        if existing:
            home.chmod(0o755)
    assert "cannot be written" in complaint
    assert str(home) in complaint


def test_a_store_is_opened_without_loading_what_it_does_not_need(tmp_path):
    look = (
        "import sys\nfrom pathlib import Path\nfrom rlm_core.store.store import Store\n"
        "Store.open(Path(sys.argv[1])).close()\nprint(sorted({'numpy', 'pandas'} & set(sys.modules)))\n"
        "import pandas\nprint(pandas.DataFrame([1]).size)"
    )
    said = subprocess.run(
        [sys.executable, "-c", look, str(tmp_path / "home")], capture_output=True, text=True, check=True
    )
    assert said.stdout == "[]\n1\n"
