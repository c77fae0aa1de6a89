"""Real processes for tests of the engine: workers on a data folder, and what they leave behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rlm_core.corpus.ingest import Source
from rlm_core.jobs.asking import load_archive
from rlm_core.store.store import Store
from rlm_core.task import Limits, Task

EVERY_EVENT = bool(os.environ.get("RLM_STUDIO_EVERY_EVENT"))
"""Kill after every event of a run, and not only after some."""
LOOK = "```repl\nprint([doc.path for doc in context])\n```"
SPIN = "```repl\nwhile True:\n    pass\n```"
ANSWER = '```repl\nanswer["content"] = "done"\nanswer["ready"] = True\n```'
HELPERS = """```repl
for n in range(4):
    llm_query_batched([f'{n} {i}' for i in range(2)])
record('A12', 'yes', quote='wet')
```"""


def script_file(folder: Path, root: list[str], latency_s: float = 0.0) -> str:
    """The name of a scripted model whose root says `root`, one reply a turn."""
    file = folder / f"script-{len(list(folder.glob('script-*')))}.json"
    file.write_text(json.dumps({"root": root, "sub": {"default": "yes"}, "latency_s": latency_s}))
    return f"scripted:{file}"


def new_task(store: Store, model: str, **limits: Any) -> Task:
    sources = [Source("a.txt", b"Room A12: wet again.\n"), Source("b.txt", b"Room B07: dry.\n")]
    corpus, _ = load_archive(store, sources, name="two rooms")
    return Task("Which rooms?", corpus.id, root_model=model, helper_model=model, limits=Limits(**limits))


def start_worker(home: Path) -> subprocess.Popen[bytes]:
    log = (home / "worker.log").open("ab")
    with log:
        return subprocess.Popen(
            [sys.executable, "-m", "rlm_core.jobs.worker", "--home", str(home)],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
        )


def stop_worker(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdin
    worker.stdin.close()
    worker.wait(15)


def kill_worker(worker: subprocess.Popen[bytes]) -> None:
    kill(worker.pid)
    worker.wait()
    assert worker.stdin
    worker.stdin.close()


@contextmanager
def working(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    worker = start_worker(home)
    try:
        yield worker
    finally:
        if worker.poll() is None:
            stop_worker(worker)


def wait_until(true: Callable[[], Any], timeout_s: float = 20.0, what: str = "it") -> Any:
    """The first truthy value of `true()`. Fails the test if there is none in time."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        value = true()
        if value:
            return value
        time.sleep(0.005)
    raise AssertionError(f"{what} did not come true within {timeout_s} s")


def outcome_of(store: Store, run: str) -> str | None:
    row = store.run(run)
    return row.outcome if row else None


def processes_of(home: Path) -> dict[int, str]:
    """Pids and command lines of all processes that belong to runs of this data folder: run processes and their sandboxes."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if str(home) in line and "rlm_core" in line and state != "Z":
            found[int(entry.name)] = line
    return found


def sandbox_pids(of_group: int) -> list[int]:
    """Living processes of a run's process group."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == of_group and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def run_process_pid(home: Path, run: str) -> int | None:
    """The process that holds the run's lock: its command line may not name the run, for it may have waited for one."""
    lock = home / "locks" / f"{run}.lock"
    return next(
        (pid for pid, line in processes_of(home).items() if "run_process" in line and _has_open(pid, lock)), None
    )


def _has_open(pid: int, file: Path) -> bool:
    try:
        return any(each.readlink() == file.resolve() for each in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False  # it has ended, or the descriptor was closed


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
