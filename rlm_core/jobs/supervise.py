"""Start the process of a run, watch over it, and see to it that the run says how it ended.

Used by the worker and by the foreground alike. A run that does not obey a cancel, or overstays its time, is killed with
its whole group; a run whose process died is closed as interrupted.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

from rlm_core.jobs.lives import STOPPED, close_life, next_life
from rlm_core.lm.scrub import scrub
from rlm_core.store.rows import Job
from rlm_core.store.store import Store
from rlm_core.waiting import waited_s

POLL_S = 0.1
CANCEL_GRACE_S = 5.0
"""How long a run may take to end itself after a cancel before its group is killed."""
OVERTIME_S = 60.0
"""How long a run may go on beyond its own limits, which it enforces itself, before it counts as hung."""
LOOK_AGAIN_S = 30.0
"""How long a run that waits for a person past that time is left alone before it is looked at again."""


def start_run_process(store: Store, run: str) -> subprocess.Popen[bytes]:
    """The process of `run`, leading its own group. Closing its standard input ends the group.

    `-P`: the folder that one works in may hold an upload, and nothing of it may be imported where the keys are.
    """
    logs = store.home / "logs"
    logs.mkdir(mode=0o700, exist_ok=True)
    with (logs / f"{run}.log").open("wb") as log:
        return _process([str(store.home), run], log.fileno())


def _process(arguments: list[str], output: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "rlm_core.jobs.run_process", *arguments],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


class ReadyProcess:
    """Starts the processes of runs, each from one that has everything loaded and waits for its run: that saves each half a
    second. From any thread."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._waiting: subprocess.Popen[bytes] | None = None
        self._closed = False

    def prepare(self, store: Store) -> None:
        """See to it that a process is loaded and waits."""
        with self._one_at_a_time:
            if self._waiting is None and not self._closed:
                self._waiting = _process([str(store.home)], subprocess.DEVNULL)

    def start(self, store: Store, run: str) -> subprocess.Popen[bytes]:
        """As `start_run_process`, which it falls back to."""
        with self._one_at_a_time:
            process, self._waiting = self._waiting, None
        if process is not None and process.stdin is not None:
            try:
                (store.home / "logs").mkdir(mode=0o700, exist_ok=True)
                process.stdin.write(f"{run}\n".encode())
            except OSError:  # it is gone; why is of interest only if the next one goes as well
                kill_group(process)
                process = None
        self.prepare(store)
        return process or start_run_process(store, run)

    def close(self) -> None:
        """End the process that waits."""
        with self._one_at_a_time:
            self._closed = True
            if self._waiting is not None:
                kill_group(self._waiting)


def live(
    store: Store,
    job: Job,
    run: str | None,
    *,
    start: Callable[[Store, str], subprocess.Popen[bytes]] = start_run_process,
    on_poll: Callable[[str], None] = lambda run: None,
    stopping: Callable[[], bool] = lambda: False,
) -> None:
    """Live a job from `run` on: after a crash once more, in a run that goes on from the one before."""
    while run is not None:
        supervise(store, job, run, start(store, run), on_poll=partial(on_poll, run), stopping=stopping)
        run = None if is_cancelled(store, run) else next_life(store, job)


def supervise(
    store: Store,
    job: Job,
    run: str,
    process: subprocess.Popen[bytes],
    *,
    on_poll: Callable[[], None] = lambda: None,
    stopping: Callable[[], bool] = lambda: False,
) -> None:
    """Wait until a life of the job has ended, and write its end if its process could not.

    Once `stopping()`, the run is killed and closed as interrupted. In the foreground Ctrl-C asks the run to cancel itself;
    a second one kills it.
    """
    limits = job.task.limits
    hung_at = time.monotonic() + limits.timeout_s + limits.call_timeout_s + limits.cell_timeout_s + OVERTIME_S
    waited = 0.0  # for a person: the run's own clock stands still then
    kill_at: float | None = None
    try:
        while process.poll() is None and not stopping():
            try:
                on_poll()
                time.sleep(POLL_S)
                if kill_at is None and is_cancelled(store, run):
                    kill_at = time.monotonic() + CANCEL_GRACE_S
            except KeyboardInterrupt:
                kill_at = time.monotonic() if kill_at else kill_at
                store.add_command(run, "cancel")
            if time.monotonic() > hung_at + waited and kill_at is None:
                waited = waited_s(store.events(run, resolve=False), time.time() + LOOK_AGAIN_S)
            if time.monotonic() > min(hung_at + waited, kill_at or hung_at + waited):
                kill_group(process)
    finally:
        stopped = process.poll() is None and stopping()
        kill_group(process)
    _close(store, job, run, process, hung=time.monotonic() > hung_at + waited, stopped=stopped)
    on_poll()


def _close(store: Store, job: Job, run: str, process: subprocess.Popen[bytes], *, hung: bool, stopped: bool) -> None:
    if stopped:
        close_life(store.home, run, "interrupted", STOPPED, job.task)
    elif hung:
        close_life(store.home, run, "failed", "The run went on beyond its time and was killed.", job.task)
    elif is_cancelled(store, run):
        close_life(store.home, run, "cancelled", "Cancelled on request; the run had to be killed.", job.task)
    elif close_life(store.home, run, "interrupted", _how_it_died(store, run, process), job.task):
        return
    log = store.home / "logs" / f"{run}.log"
    if log.exists() and not log.stat().st_size:
        log.unlink()


def _how_it_died(store: Store, run: str, process: subprocess.Popen[bytes]) -> str:
    code = process.returncode
    how = f"was killed by {signal.Signals(-code).name}" if code is not None and code < 0 else f"ended with code {code}"
    log = store.home / "logs" / f"{run}.log"
    said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() if log.exists() else []
    last = f" It said: {scrub(said[-1][:500])}" if said else ""
    return f"The process of this run {how}. What had finished is kept; calls in flight may have been paid.{last}"


def is_cancelled(store: Store, run: str) -> bool:
    return any(command.kind == "cancel" for command in store.commands(run))


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the run's process and everything it started, and reap it. Quiet when it is gone already."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # nothing is left of the group
    process.wait()
    if process.stdin:
        process.stdin.close()
