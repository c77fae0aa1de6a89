"""What the page of compared runs offers to choose from, and what it calls it."""

from __future__ import annotations

from written_runs import QUESTION, TASK

from app import backend
from app.components import compare_choice, full_answers, item_pairs
from rlm_core.compare import compare
from rlm_core.view import RunView


def test_runs_that_would_have_one_name_are_told_apart_by_their_ids():
    lines = [backend.RunLine(run, "answered", QUESTION, "a.zip", "rlm", "demo", 0.0) for run in ("r1", "r2")]
    other = backend.RunLine("r3", "failed", QUESTION, "a.zip", "rlm", "demo", 0.0)
    named = compare_choice.names([*lines, other])
    assert named["r1"].endswith(" · demo · r1")
    assert named["r3"].endswith(" · demo")


def test_answers_that_are_long_scroll_in_a_pane():
    assert full_answers.is_tall("line\n" * 20)
    assert full_answers.is_tall("x" * 2_000)
    assert not full_answers.is_tall("1 room: A12.")


def test_filters_offer_what_there_is():
    view = RunView()
    view.run, view.task = "q", TASK
    assert item_pairs.filters(compare([view, view])) == {"all": 0, "agree": 0, "differ": 0, "only-A": 0, "only-B": 0}
    assert item_pairs.filters(compare([view, view, view])) == {"all": 0, "agree": 0, "differ": 0}
    assert item_pairs.swapped("differ") == "differ"


def test_the_chosen_pair_prefers_another_strategy_and_runs_that_answered():
    def line(run: str, state: str, strategy: str) -> backend.RunLine:
        return backend.RunLine(run, state, QUESTION, "a.zip", strategy, "demo", 0.0)

    lines = [line("4", "failed", "base"), line("3", "answered", "rlm"), line("2", "answered", "rlm")]
    assert compare_choice.telling([*lines, line("1", "answered", "base")]) == ["1", "3"]
    assert compare_choice.telling(lines) == ["4", "3"]
    assert compare_choice.telling(lines[1:]) == ["2", "3"]
