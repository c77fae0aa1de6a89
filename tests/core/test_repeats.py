"""How much the runs of one task vary."""

from __future__ import annotations

from dataclasses import replace

from compared_runs import NO, UNKNOWN, YES, found, view

from rlm_core.compare import compare
from rlm_core.repeats import in_a_sentence, repeats
from rlm_core.task import Fork, Origin


def test_items_that_all_runs_of_a_task_label_the_same_agree_and_the_others_come_first():
    one = view("a", found(("A1", YES), ("B1", YES), ("C1", NO)), "2 rooms")
    other = view("b", found(("A1", "Yes"), ("B1", NO), ("C1", NO)), "1 room")
    third = view("c", found(("A1", YES), ("B1", NO)), "4 rooms")
    (task,) = repeats(compare([one, other, third]))
    assert [(each.name, each.labels, each.without) for each in task.votes] == [
        ("B1", (("no", 2), ("yes", 1)), 0),
        ("C1", (("no", 2),), 1),
        ("A1", (("yes", 3),), 0),
    ]
    assert (task.told.low, task.told.middle, task.told.high) == (1, 2, 4)
    assert in_a_sentence(task) == "1 of 3 items have the same label in all 3 (33 %)."


def test_runs_of_different_tasks_are_not_mixed_and_limits_make_no_other_task():
    one, other, third = view("a"), view("b"), view("c")
    assert one.task
    other.task = replace(one.task, limits=replace(one.task.limits, max_calls=7))
    third.task = replace(one.task, options={"depth": 2})
    assert [each.all_runs for each in repeats(compare([one, third, other]))] == [(0, 2), (1,)]


def test_one_run_and_two_are_called_an_anecdote():
    assert in_a_sentence(repeats(compare([view("a")]))[0]).startswith("One run is an anecdote: nothing tells")
    assert in_a_sentence(repeats(compare([view("a"), view("b")]))[0]).startswith(
        "One run is an anecdote: where two part"
    )


def test_a_run_that_has_not_ended_counts_for_nothing():
    (task,) = repeats(compare([view("a", found(("A1", YES))), view("b", found(("A1", UNKNOWN)), outcome=None)]))
    assert (task.all_runs, task.runs, task.voting) == ((0, 1), (0,), 1)
    assert task.votes[0].labels == (("yes", 1),)
    (waiting,) = repeats(compare([view("a", outcome=None)]))
    assert in_a_sentence(waiting) == "No run of this task has ended yet."


def test_a_figure_that_a_run_does_not_tell_is_unknown_and_never_zero():
    one, other = view("a", answer="Some rooms."), view("b", answer="3 rooms")
    (task,) = repeats(compare([one, other]))
    assert (task.told.low, task.told.known) == (3, 1)
    (silent,) = repeats(compare([one, view("c", answer="None of them.")]))
    assert (silent.told.low, silent.told.known) == (None, 0)
    assert (task.cost_usd.middle, task.cost_usd.known) == (0.25, 2)


def test_runs_that_say_nothing_of_items_leave_the_agreement_open():
    (task,) = repeats(compare([view("a", found(("A1", YES))), view("b"), view("c")]))
    assert task.voting == 1
    assert in_a_sentence(task) == "3 runs of one task; fewer than two say something of single items."


def test_a_fork_and_a_run_that_was_taken_up_are_no_repeats():
    compared = compare([view("a"), view("b"), view("fork"), view("again")])
    (task,) = repeats(compared, {"fork": Origin("a", Fork(2)), "again": Origin("a")})
    assert task.all_runs == (1, 3)
