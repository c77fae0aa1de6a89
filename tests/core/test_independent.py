"""Which runs are independent ones of their task: no fork counts, and what was taken up counts once."""

from rlm_core.events import RunFinished, RunStarted
from rlm_core.lineage import independent
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Fork, Origin, Task

AT_TWO = Origin("a", Fork(2))


def test_a_fork_and_what_took_it_up_are_none():
    origins = {"f": AT_TWO, "f.2": Origin("f")}
    assert independent(["a", "f", "f.2"], origins) == {"a"}
    assert independent(["f.2"], origins) == set()


def test_of_an_attempt_that_was_taken_up_the_last_run_counts_also_where_one_between_is_not_chosen():
    origins = {"b": Origin("a"), "c": Origin("b")}
    assert independent(["c", "b", "a", "other"], origins) == {"c", "other"}
    assert independent(["a", "c"], origins) == {"c"}
    assert independent(["a", "other"], origins) == {"a", "other"}


def test_a_log_that_leads_round_in_circles_is_none():
    assert independent(["a", "b"], {"a": Origin("b"), "b": Origin("a")}) == set()


def test_the_store_knows_origins_from_first_events_and_from_jobs(tmp_path):
    store, task = Store.open(tmp_path), Task("How many?", "c1")
    for run, origin in (("a", None), ("fork", Origin("a", Fork(2, "x" * 5_000))), ("again", Origin("a"))):
        with Recorder.open(tmp_path, run) as recorder:
            recorder.emit("run", None, RunStarted(task, parent_run=origin.run if origin else None, origin=origin))
            recorder.emit("run", None, RunFinished("failed"))
    store.add_job(task)
    waiting = store.add_job(task, origin=AT_TWO)
    assert store.origins() == {"fork": AT_TWO, "again": Origin("a"), waiting: AT_TWO}
