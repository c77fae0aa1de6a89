"""A run process that kills itself right after its event number N is on disk: `python killed_run.py HOME RUN N`.

The real parts of a run process, with one hook in the function that records events; so the moment of death is exact.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.lm.router import Models
from rlm_core.run import run_task
from rlm_core.store.recorder import Recorder


def main(home: Path, run: str, last: int) -> None:
    with Recorder.open(home, run) as recorder:
        job = recorder.load_job(run)
        assert job

        def emit(span: str, parent: str | None, body: ev.Body) -> ev.Event:
            event = recorder.emit(span, parent, body)
            if event.seq >= last:
                os.kill(os.getpid(), signal.SIGKILL)
            return event

        task = job.task
        run_task(task, Corpus.open(home / "corpora" / task.corpus), Models(task.api_base), emit, job=run)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
