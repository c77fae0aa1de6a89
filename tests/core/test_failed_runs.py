"""The thirteen runs that went wrong are what `failed_runs.py` says of them: how they end, and where they went wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from failed_run_archive import archive, rooms_in, year
from failed_run_models import REPLIES, judge
from failed_runs import FAILED, FailedRun, write_failed_run

from rlm_core import events as ev
from rlm_core.store.store import Store
from rlm_core.view import RunView, fold

STARTED = {"t": ev.TurnStarted, "k": ev.CallStarted, "c": ev.CellStarted, "f": ev.FrameStarted}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("failed-runs")


@pytest.mark.parametrize("failed", FAILED, ids=lambda failed: failed.letter)
def test_a_run_ends_as_said_with_a_wrong_answer_and_its_wrong_place_is_there(failed: FailedRun, home: Path) -> None:
    run = write_failed_run(home, failed.letter)
    store = Store.open(home)
    view, row, job = fold(store.events(run)), store.run(run), store.job(run)
    archives = {each.id for each in store.corpora()}
    store.close()
    assert view.outcome == failed.outcome
    assert view.answer is not None
    assert view.answer.text.startswith(failed.answer)
    assert not view.answer.text.startswith(failed.right)
    for span in failed.wrong:
        letter = re.sub(r"\d", "", span.rpartition(".")[2])
        assert isinstance(view.nodes[span].started, STARTED[letter]), span
    assert_of_a_real_size(view, failed)
    assert row is not None
    assert {row.corpus} == archives
    assert job is not None
    assert job.state == "finished"


def assert_of_a_real_size(view: RunView, failed: FailedRun) -> None:
    """Long enough to be lost in, and priced throughout."""
    started = [node.started for node in view.nodes.values()]
    turns = [node for node in view.nodes.values() if isinstance(node.started, ev.TurnStarted) and node.parent == "f1"]
    helpers = sum(isinstance(each, ev.CallStarted) and each.role == "sub" for each in started)
    assert 6 <= len(turns) <= 15
    assert 20 <= helpers <= 400 or failed.options == {"depth": 0}
    assert view.totals().cost_usd
    place = min(failed.wrong, key=len)
    number = int(place.split(".")[1][1:])
    assert number < len(turns), "the wrong place lies before the end"


def test_a_careful_reader_finds_the_right_answer_in_the_archive() -> None:
    assert (len(year().back), year().hours) == (17, 387.5)
    text = "\n".join(source.content.decode() for source in archive() if isinstance(source.content, bytes))
    judged = {room: judge(told) for room, told in rooms_in(text).items()}
    assert sorted(room for room, each in judged.items() if each and each[0] == "yes") == list(year().back)


def test_no_text_of_a_run_names_its_fault() -> None:
    words = re.compile(r"\b(?:wrong|mistake|fault|bug|trap|deliberate|on purpose)", re.I)
    assert {file.name for file in REPLIES.iterdir() if words.search(file.read_text(encoding="utf-8"))} == set()
