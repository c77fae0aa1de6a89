"""The crash matrix, last row: the app is killed, at any moment of a run; nothing is left, and the next app goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import ANSWER, EVERY_EVENT, HELPERS, LOOK, new_task, outcome_of, processes_of, script_file, wait_until
from real_app import start_app

from rlm_core.jobs.asking import start
from rlm_core.store.store import Store
from rlm_core.view import fold


@pytest.mark.parametrize("moment", range(60) if EVERY_EVENT else (0, 12, 25, 50))
def test_an_app_killed_during_a_run_leaves_no_process_and_the_next_app_closes_the_run(
    tmp_path: Path, moment: int
) -> None:
    home = tmp_path / "home"
    store = Store.open(home)
    app = start_app(home)
    run = start(store, new_task(store, script_file(tmp_path, [LOOK, HELPERS, LOOK, HELPERS, ANSWER], latency_s=0.02)))
    wait_until(lambda: (row := store.run(run)) and row.last_seq >= moment)
    app.process.kill()
    app.process.wait()
    wait_until(lambda: processes_of(home) == {}, what="the end of the worker and its runs")

    again = start_app(home)
    try:
        outcome = wait_until(lambda: outcome_of(store, run))
        view = fold(store.events(run))
        assert outcome in ("interrupted", "answered")
        assert view.open_nodes() == []
        following = start(store, new_task(store, script_file(tmp_path, [LOOK, ANSWER])))
        assert wait_until(lambda: outcome_of(store, following)) == "answered"
    finally:
        again.stop()
    wait_until(lambda: processes_of(home) == {}, what="the end of everything")
