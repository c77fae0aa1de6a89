"""The process of one run: `python -m rlm_core.jobs.run_process HOME RUN`; without RUN it loads what runs need, and then waits
until one is named on its standard input.

It leads a process group of its own, so that one signal ends it together with its sandbox, and it holds the reading end of
a lifeline: when the process that started it is gone, the pipe closes and the whole group ends. The keys of the models are
in its environment and nowhere else; those that are kept in the data folder it reads itself, so that nobody has to hand them
over.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType

from rlm_core.calls import Shared
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import StoreError, StudioError
from rlm_core.jobs.lives import job_of, origin_of
from rlm_core.journal import lives_of
from rlm_core.key_status import lend_keys
from rlm_core.lm.router import Models, check_model, load_http_client
from rlm_core.lm.scrub import scrub
from rlm_core.run import check_task, refuse_task, run_task
from rlm_core.settings import UNSAFE_VARIABLE, load_settings
from rlm_core.store.recorder import Recorder
from rlm_core.store.rows import Command

POLL_S = 0.1
EXIT_STORE = 70
"""Exit code when the store could not be written: the reason is on standard error."""


def main(home: Path, run: str) -> int:
    """Run the job's task to its end, whatever the end is. The outcome is in the store, not in the exit code."""
    try:
        with Recorder.open(home, run) as recorder:
            _run(home, run, recorder)
    except StoreError as error:
        print(error, file=sys.stderr)
        return EXIT_STORE
    return 0


def _run(home: Path, run: str, recorder: Recorder) -> None:
    if recorder.begun:  # somebody closed it before this process came to it: a run is one process life
        return
    job = recorder.load_job(job_of(run))
    if job is None:
        raise StoreError(f"There is no job {job_of(run)} in {home}.")
    task, origin = job.task, origin_of(job, run)
    try:
        check_task(task)
        for model in (task.root_model, task.helper_model):
            check_model(model, task.api_base)
        lend_keys((task.root_model, task.helper_model), task.api_base, home, os.environ)
        corpus = Corpus.open(home / "corpora" / task.corpus)
        models = Models(task.api_base)
        unsafe = load_settings(home).unsafe_sandbox or os.environ.get(UNSAFE_VARIABLE) == "1"
        lives = lives_of(origin, recorder.events_of)
    except StudioError as error:
        refuse_task(task, recorder.emit, error, job=job.id, origin=origin)
        return
    run_task(
        task,
        corpus,
        models,
        recorder.emit,
        emit_all=recorder.emit_all,
        job=job.id,
        origin=origin,
        lives=lives,
        unsafe_sandbox=unsafe,
        on_start=lambda shared: _watch(recorder, shared),
    )


def look_at_what_was_shown(home: Path, run: str) -> None:
    """In a process of its own, without keys, that outlives this one: no answer waits for it. What it leaves undone, whoever
    looks at the run does."""
    subprocess.Popen(
        [sys.executable, "-P", "-m", "rlm_core.jobs.reading", str(home), run],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={},
    )


def _watch(recorder: Recorder, shared: Shared) -> None:
    """Do what doors ask of the run: cancel it, or answer what it asked a person."""
    done = 0

    def new() -> list[Command]:
        try:
            return recorder.commands(done)
        except StoreError:
            return []  # busy, or closed at the end of the run: look again, or end with the process

    def poll() -> None:
        nonlocal done
        while not shared.cancelled.is_set():
            for command in new():
                done = command.id
                if command.kind == "cancel":
                    shared.cancel()
                else:
                    shared.approvals.give(command.kind == "approve")
            time.sleep(POLL_S)

    threading.Thread(target=poll, name="commands", daemon=True).start()


def _named_on_standard_input(home: Path) -> str:
    """The run, once it is named; what this process says from then on goes to the run's log. If whoever was to name it is
    gone, so is this process."""
    load_http_client()
    name = b""
    while not name.endswith(b"\n"):
        if not (read := os.read(0, 1)):
            sys.exit(0)
        name += read
    run = name.decode().strip()
    with (home / "logs" / f"{run}.log").open("wb") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    return run


def _hold_lifeline() -> None:
    """End the whole group as soon as standard input closes: the process that started this one is gone."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=wait, name="lifeline", daemon=True).start()


def _report(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """What nobody caught, to the log, which is no place for keys."""
    print(scrub("".join(traceback.format_exception(kind, error, trace))), end="", file=sys.stderr)


if __name__ == "__main__":
    sys.excepthook = _report
    threading.excepthook = lambda hooked: _report(hooked.exc_type, hooked.exc_value, hooked.exc_traceback)
    data_folder = Path(sys.argv[1])
    named = sys.argv[2] if len(sys.argv) > 2 else _named_on_standard_input(data_folder)
    _hold_lifeline()
    code = main(data_folder, named)
    look_at_what_was_shown(data_folder, named)
    sys.exit(code)
