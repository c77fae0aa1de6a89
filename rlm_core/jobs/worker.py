"""The background worker beside the app: `python -m rlm_core.jobs.worker --home HOME`.

One a data folder: a second one waits until the first is gone. It hands queued jobs to DBOS, which limits how many run at
once and remembers over a crash which were under way; the body of a job is one step that starts the run's process and
watches over it. Model calls are no DBOS steps: their order comes out of model-written code. When standard input closes,
the app is gone, and the worker ends with everything that it started.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from dbos import DBOS, SetWorkflowID
from filelock import FileLock, Timeout

from rlm_core.errors import StoreError
from rlm_core.jobs.lives import DIED, close_abandoned, close_life, job_of, next_life
from rlm_core.jobs.supervise import ReadyProcess, live
from rlm_core.settings import load_settings
from rlm_core.store.store import Store

QUEUE = "jobs"
PARALLEL_RUNS = 4
POLL_S = 0.05
QUEUE_POLL_S = 0.2
"""DBOS's own look at its queue, which costs twenty times as much."""
SWEEP_ROUNDS = 100
RETRY_S = 2.0
PROTOCOL = "1"
"""Version of the workflow's meaning. DBOS recovers only jobs of the same one, whatever the source code looks like."""


class Worker:
    """Runs the jobs of one data folder until it is told to stop."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.stopping = threading.Event()
        self.ready = ReadyProcess()
        self._alive: set[str] = set()

    def execute(self, job_id: str) -> None:
        """The life of one job. Called again after a crash, it finds what is there and starts nothing twice."""
        while not self._lived(job_id) and not self.stopping.wait(RETRY_S):
            pass

    def _lived(self, job_id: str) -> bool:
        """Live the job to its end. False if the store fails: a full disk may be emptied, so it is worth another try."""
        store = self.store
        try:
            job = store.job(job_id)
            if job is None:
                return True
            run: str | None = job_id
            if not store.claim_job(job_id):  # a worker before this one had it
                lives = store.runs_of(job_id)
                close_life(store.home, lives[-1].id if lives else job_id, "interrupted", DIED, job.task)
                run = next_life(store, job)
            if run is not None:
                store.set_job_state(job_id, "running")
                self._alive |= {job_id, run}
                live(store, job, run, start=self.ready.start, on_poll=self._alive.add, stopping=self.stopping.is_set)
            store.set_job_state(job_id, "finished")
            return True
        except StoreError as error:
            say(error)
            return False
        finally:
            self._alive = {each for each in self._alive if job_of(each) != job_id}

    def dispatch(self, enqueue: Callable[[str], None]) -> None:
        """Hand over queued jobs, oldest first, and close what others left open, until told to stop."""
        handed: set[str] = set()
        rounds = itertools.count()
        while not self.stopping.wait(POLL_S):
            try:
                if next(rounds) % SWEEP_ROUNDS == 0:
                    close_abandoned(self.store, self._alive)
                for job in self.store.jobs("queued"):
                    if job.id not in handed:
                        enqueue(job.id)
                        handed.add(job.id)
            except StoreError as error:  # a full disk may be emptied: say so and try again
                say(error)


def say(error: StoreError) -> None:
    """To the app's log, if there is room for it: on a full disk even that may fail, and must not end the worker."""
    with contextlib.suppress(OSError):
        print(error, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    home = load_settings(parser.parse_args().home).home
    store = Store.open(home)
    worker = Worker(store)
    signal.signal(signal.SIGTERM, lambda *_: worker.stopping.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the app, which closes the lifeline
    threading.Thread(target=_hold_lifeline, args=(worker,), name="lifeline", daemon=True).start()
    lock = FileLock(home / "locks" / "worker.lock")
    while not worker.stopping.is_set():
        try:
            lock.acquire(timeout=POLL_S)
        except Timeout:
            continue
        with lock:
            _work(worker, home)
        break
    return 0


def _work(worker: Worker, home: Path) -> None:
    close_abandoned(worker.store)
    DBOS(
        config={
            "name": "rlm-studio",
            "system_database_url": f"sqlite:///{home / 'engine.db'}",
            "application_version": PROTOCOL,
            "executor_id": "local",
            "log_level": "WARNING",
        }
    )

    @DBOS.step(name="execute_job")
    def execute_job(job_id: str) -> None:
        worker.execute(job_id)

    @DBOS.workflow(name="run_job")
    def run_job(job_id: str) -> None:
        execute_job(job_id)

    def enqueue(job_id: str) -> None:
        with SetWorkflowID(job_id):
            DBOS.enqueue_workflow(QUEUE, run_job, job_id)

    DBOS.launch()
    try:
        worker.ready.prepare(worker.store)
        DBOS.register_queue(QUEUE, worker_concurrency=PARALLEL_RUNS, polling_interval_sec=QUEUE_POLL_S)
        worker.dispatch(enqueue)
    finally:
        worker.stopping.set()
        worker.ready.close()
        DBOS.destroy(workflow_completion_timeout_sec=5)


def _hold_lifeline(worker: Worker) -> None:
    while os.read(0, 4096):
        pass
    worker.stopping.set()


if __name__ == "__main__":
    sys.exit(main())
