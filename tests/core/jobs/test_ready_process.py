"""A run process that is loaded before there is a run for it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from processes import ANSWER, LOOK, new_task, script_file

from rlm_core.jobs.supervise import ReadyProcess, live
from rlm_core.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "home")


def waiting_of(ready: ReadyProcess) -> subprocess.Popen[bytes]:
    assert ready._waiting
    return ready._waiting


def outcome(store: Store, ready: ReadyProcess, script: str) -> str | None:
    job_id = store.add_job(new_task(store, script), state="running")
    job = store.job(job_id)
    assert job
    live(store, job, job_id, start=ready.start)
    row = store.run(job_id)
    return row.outcome if row else None


def test_a_run_is_lived_by_the_process_that_waited_and_the_next_one_is_loaded(store: Store, tmp_path: Path) -> None:
    ready = ReadyProcess()
    ready.prepare(store)
    first = waiting_of(ready)
    assert outcome(store, ready, script_file(tmp_path, [LOOK, ANSWER])) == "answered"
    assert first.returncode == 0
    second = waiting_of(ready)
    assert second.pid != first.pid
    ready.close()
    assert second.returncode is not None
    assert list((store.home / "logs").iterdir()) == []


def test_a_process_that_died_while_it_waited_is_replaced(store: Store, tmp_path: Path) -> None:
    ready = ReadyProcess()
    ready.prepare(store)
    waiting_of(ready).kill()
    waiting_of(ready).wait()
    assert outcome(store, ready, script_file(tmp_path, [LOOK, ANSWER])) == "answered"
    ready.close()


def test_a_process_that_waits_ends_with_whoever_was_to_name_its_run(store: Store) -> None:
    ready = ReadyProcess()
    ready.prepare(store)
    process = waiting_of(ready)
    assert process.stdin
    process.stdin.close()
    assert process.wait(20) == 0
    ready.close()
