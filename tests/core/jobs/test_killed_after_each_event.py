"""The run process dies exactly after event N, for N over a whole run of sixty events and more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from processes import ANSWER, EVERY_EVENT, HELPERS, LOOK, new_task, script_file

from rlm_core.jobs.lives import close_abandoned
from rlm_core.store.store import Store
from rlm_core.view import fold

KILLED_RUN = Path(__file__).parent.parent / "killed_run.py"
EVENTS = 65


@pytest.mark.parametrize("last", range(EVENTS - 1) if EVERY_EVENT else range(0, EVENTS - 1, 7))
def test_whatever_event_is_the_last_the_run_is_closed_with_everything_that_was_recorded(
    tmp_path: Path, last: int
) -> None:
    store = Store.open(tmp_path / "home")
    task = new_task(store, script_file(tmp_path, [LOOK, HELPERS, LOOK, HELPERS, ANSWER]))
    run = store.add_job(task, state="running")
    died = subprocess.run([sys.executable, str(KILLED_RUN), str(store.home), run, str(last)], check=False)
    assert died.returncode == -9
    recorded = store.events(run)
    assert recorded[last].seq == last
    assert close_abandoned(store) == [run]
    view = fold(store.events(run))
    assert store.events(run)[: len(recorded)] == recorded
    assert (view.outcome, view.open_nodes()) == ("interrupted", [])
    job = store.job(run)
    assert job
    assert job.state == "finished"
    assert close_abandoned(store) == []
