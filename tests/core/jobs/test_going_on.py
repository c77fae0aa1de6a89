"""Going on from a run that has ended: what is refused before anything is stored, and what comes of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import ANSWER, HELPERS, LOOK, new_task, script_file, wait_until

from rlm_core import events as ev
from rlm_core.errors import CorpusError, TaskError
from rlm_core.jobs import going_on
from rlm_core.jobs.asking import answer_now, start
from rlm_core.jobs.recorded import ensure_sample_run
from rlm_core.jobs.supervise import start_run_process
from rlm_core.lineage import Prefix, replayed_calls, what_is_kept, what_is_left, what_is_replayed
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Fork, Limits, Origin, Task
from rlm_core.view import RunView, fold
from rlm_core.waiting import open_approval, waited_s


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "home")


def answered(store: Store, *turns: str, **limits: float | int) -> RunView:
    return answer_now(store, new_task(store, script_file(store.home, list(turns)), **limits))


def go_on(store: Store, task: Task, origin: Origin) -> RunView:
    return answer_now(store, task, origin=origin)


def view_of(store: Store, run: str | None) -> RunView:
    return fold(store.events(run or ""))


def asked(store: Store, run: str) -> int:
    return sum(isinstance(event.body, ev.ApprovalAsked) for event in store.events(run))


def test_a_fork_runs_edited_code_in_its_turn_and_pays_for_nothing_before_it(store: Store) -> None:
    first = answered(store, LOOK, HELPERS, ANSWER)
    code = 'answer["content"] = "edited"\nanswer["ready"] = True'
    view = go_on(store, *going_on.to_fork(store, first.run or "", Fork(3, code=code)))
    assert (view.outcome, view.answer and view.answer.text) == ("answered", "edited")
    assert len(replayed_calls(view)) == 3 + 8
    assert [each.edited for each in replayed_calls(view).values()].count(True) == 1


def test_what_a_fork_replays_is_known_beforehand(store: Store) -> None:
    view = answered(store, LOOK, HELPERS, ANSWER)
    assert what_is_replayed(view, 1) == Prefix(0, 0, 0.0)
    assert what_is_replayed(view, 3) == Prefix(2, 2 + 8, 0.0)
    whole = what_is_left(view, 1)
    assert what_is_left(view, 3).calls == whole.calls - (2 + 8)
    assert what_is_kept(view) == Prefix(3, 3 + 8, 0.0)


def test_the_recorded_run_can_be_forked_as_any_other(store: Store) -> None:
    run = ensure_sample_run(store)
    view = go_on(store, *going_on.to_fork(store, run or "", Fork(2)))
    assert view.outcome == "answered", view.finished
    assert {each.run for each in replayed_calls(view).values()} == {"sample"}


@pytest.mark.parametrize(
    ("at", "says"),
    [
        (Fork(4), "no turn 4; its turns are 1 to 2"),
        (Fork(2, code="  "), "The code is empty"),
    ],
)
def test_a_fork_that_cannot_be_is_refused_in_words_and_nothing_is_stored(store: Store, at: Fork, says: str) -> None:
    first = answered(store, LOOK, ANSWER)
    with pytest.raises(TaskError, match=says):
        going_on.fork(store, first.run or "", at)
    assert store.jobs("queued") == []


def test_a_run_that_is_not_there_not_begun_or_under_way_is_not_gone_on_from(store: Store) -> None:
    queued = start(store, new_task(store, script_file(store.home, [ANSWER])))
    with pytest.raises(TaskError, match="has not begun yet"):
        going_on.fork(store, queued, Fork(1))
    with pytest.raises(TaskError, match="There is no run nothing"):
        going_on.resume(store, "nothing")
    with Recorder.open(store.home, "under-way") as recorder:
        recorder.emit(ev.RUN_SPAN, None, ev.RunStarted(new_task(store, "demo")))
        with pytest.raises(TaskError, match="is under way"):
            going_on.resume(store, "under-way")


def test_a_strategy_without_turns_is_forked_at_none(store: Store) -> None:
    task = new_task(store, script_file(store.home, ["It is A12."]))
    view = answer_now(store, Task(task.question, task.corpus, "base", {}, task.root_model, task.helper_model))
    with pytest.raises(TaskError, match="strategy base asks once"):
        going_on.fork(store, view.run or "", Fork(1))


def test_code_cannot_take_the_place_of_a_reply_that_never_came(store: Store) -> None:
    view = answered(store, LOOK)
    assert view.outcome == "failed"
    with pytest.raises(TaskError, match="no reply in turn 2"):
        going_on.fork(store, view.run or "", Fork(2, code="print(1)"))
    assert going_on.fork(store, view.run or "", Fork(2)) == store.jobs("queued")[0].id


def test_a_run_whose_archive_was_deleted_is_not_gone_on_from(store: Store) -> None:
    view = answered(store, LOOK, ANSWER)
    assert view.task
    store.delete_corpus(view.task.corpus)
    with pytest.raises(CorpusError, match="no longer in the data folder"):
        going_on.fork(store, view.run or "", Fork(1))


def test_a_failed_run_is_taken_up_where_it_broke_off_once(store: Store) -> None:
    first = answered(store, LOOK)  # the script runs out in its second turn
    task, origin = going_on.to_resume(store, first.run or "")
    script = script_file(store.home, [LOOK, ANSWER])
    second = go_on(store, Task(task.question, task.corpus, root_model=script, helper_model=script), origin)
    assert len(replayed_calls(second)) == 1
    with pytest.raises(TaskError, match=f"taken up already, in {second.run}"):
        going_on.resume(store, first.run or "")
    assert going_on.continuations(store, first.run or "") == [second.run]


def test_an_answered_run_has_nothing_to_take_up(store: Store) -> None:
    view = answered(store, ANSWER.replace('answer["content"]', 'len(context)\nanswer["content"]'))
    with pytest.raises(TaskError, match="nothing to take up"):
        going_on.resume(store, view.run or "")


def test_a_run_waits_for_a_persons_word_and_is_told_it_once(store: Store) -> None:
    task = new_task(store, script_file(store.home, [HELPERS, ANSWER, ANSWER]), ask_above_calls=1)
    job = store.add_job(task, state="running")
    process = start_run_process(store, job)
    try:
        asks = wait_until(lambda: open_approval(view_of(store, job)), what="the question")
        assert (asks[0], asks[1].calls) == ("f1.t1.c1", 2)
        going_on.approve(store, job, True)
        for number in (2, 3, 4):
            wait_until(lambda number=number: asked(store, job) == number, what="the next question")
            going_on.approve(store, job, False)
        wait_until(lambda: view_of(store, job).outcome, what="the end")
    finally:
        process.kill()
        process.wait()
        if process.stdin:
            process.stdin.close()
    assert view_of(store, job).totals().calls == 3 + 2
    with pytest.raises(TaskError, match="has ended"):
        going_on.approve(store, job, True)


def test_time_in_which_a_run_waits_is_counted_also_while_it_waits() -> None:
    def event(at: float, body: ev.Body) -> ev.Event:
        return ev.Event("r", 0, at, "f1.t1.c1", None, body)

    asked, given = event(10.0, ev.ApprovalAsked(9)), event(25.0, ev.ApprovalGiven(True))
    assert waited_s([], 30.0) == 0.0
    assert waited_s([asked, given], 30.0) == 15.0
    assert waited_s([asked, given, event(26.0, ev.ApprovalAsked(9))], 30.0) == 19.0


def test_thresholds_are_part_of_the_limits_of_a_fork(store: Store) -> None:
    first = answered(store, LOOK, ANSWER)
    task, _ = going_on.to_fork(store, first.run or "", Fork(2), limits={"ask_above_calls": 3}, reuse_replies=True)
    assert (task.limits, task.reuse_replies) == (Limits(ask_above_calls=3), True)
