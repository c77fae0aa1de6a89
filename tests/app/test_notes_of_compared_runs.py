"""What people say of a run as a whole is said where it is compared, too."""

from __future__ import annotations

import written_runs
from shown import texts

from rlm_core.notes import Note
from rlm_core.store.store import Store


def test_what_is_said_of_a_run_is_said_once_for_all_runs_of_which_it_is_said(opened, home):
    runs = [written_runs.answered(home, name) for name in ("rlm-1", "rlm-2", "rlm-3")]
    store = Store.open(home)
    for run in runs[:2]:
        store.set_note(run, "run", Note(text="Played <b>by hand</b>."))
    store.close()
    page = opened("compare", runs=",".join(runs))
    assert texts(page).count("A and B: Played <b>by hand</b>.") == 1
    assert "Played" not in texts(opened("compare", runs="rlm-3,rlm-1")).partition("B: ")[0]
