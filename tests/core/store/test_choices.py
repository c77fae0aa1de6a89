"""What people decide of the items of compared runs: kept by the set of runs, and gone with each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlm_core.choices import LABEL_CHARS, NEITHER, Choice
from rlm_core.errors import StoreError
from rlm_core.events import RunFinished, RunStarted
from rlm_core.store.recorder import Recorder
from rlm_core.task import Task


def record(home: Path, run: str) -> None:
    with Recorder.open(home, run) as recorder:
        recorder.emit("run", None, RunStarted(Task("Which pumps leak?", "corpus-1")))
        recorder.emit("run", None, RunFinished("failed"))


def test_a_choice_is_kept_changed_and_taken_back_whatever_the_order_of_the_runs(home, store):
    for run in ("r1", "r2"):
        record(home, run)
    store.choices.keep(["r2", "r1"], "a12", Choice("r1"))
    store.choices.keep(["r1", "r2"], "b07", Choice(NEITHER, "  not\n sure "))
    assert store.choices.of(["r1", "r2"]) == {"a12": Choice("r1"), "b07": Choice(NEITHER, "not sure")}
    assert store.choices.of(["r1", "r2", "r3"]) == {}
    store.choices.keep(["r1", "r2"], "a12", Choice("r2", "yes"))
    store.choices.keep(["r2", "r1"], "b07", None)
    assert store.choices.of(["r2", "r1"]) == {"a12": Choice("r2", "yes")}


def test_choices_go_with_each_of_their_runs_and_not_with_another_whose_id_is_like_it(home, store):
    for run in ("r1", "r2", "r11"):
        record(home, run)
    store.choices.keep(["r1", "r2"], "a12", Choice("r1"))
    store.choices.keep(["r11", "r2"], "a12", Choice("r2"))
    store.delete_runs(["r1"])
    assert store.choices.of(["r1", "r2"]) == {}
    assert store.choices.of(["r11", "r2"]) == {"a12": Choice("r2")}


@pytest.mark.parametrize("choice", [Choice("r9"), Choice("r1", "x" * (LABEL_CHARS + 1))])
def test_what_is_no_choice_between_the_runs_is_refused(store, choice):
    with pytest.raises(StoreError):
        store.choices.keep(["r1", "r2"], "a12", choice)
    assert store.choices.of(["r1", "r2"]) == {}


def test_of_a_run_that_is_not_there_nothing_is_decided_and_of_one_that_waits_it_can_be(home, store):
    record(home, "r1")
    with pytest.raises(StoreError, match="There is no run r2"):
        store.choices.keep(["r1", "r2"], "a12", Choice("r1"))
    assert store.choices.of(["r1", "r2"]) == {}
    waiting = store.add_job(Task("Which pumps leak?", "corpus-1"))
    store.choices.keep(["r1", waiting], "a12", Choice("r1"))
    assert store.choices.of(["r1", waiting]) == {"a12": Choice("r1")}
