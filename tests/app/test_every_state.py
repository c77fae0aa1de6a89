"""Every page in every state a data folder can be in: it opens, and says what state that is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import written_runs
from shown import markdown, texts
from streamlit.testing.v1 import AppTest
from written_runs import TASK

from rlm_core.store.store import Store

STATES = ("empty", "queued", "running", "answered", "forced", "failed", "cancelled", "interrupted")
REASON = "This is why it ended."


@pytest.fixture(params=STATES)
def state(request: pytest.FixtureRequest, home: Path) -> Iterator[tuple[str, str]]:
    """A data folder with one run in a state, or with none; the state and the run."""
    name = str(request.param)
    if name == "running":
        with written_runs.running(home, "one") as life:
            yield name, life.recorder.run
    elif name == "queued":
        store = Store.open(home)
        yield name, store.add_job(TASK)
        store.close()
    elif name == "empty":
        yield name, "one"
    elif name == "answered":
        yield name, written_runs.answered(home, "one")
    else:
        yield name, written_runs.ended(home, name, REASON, "one", "1 room." if name == "forced" else None)  # type: ignore[arg-type]


def said(page: AppTest) -> str:
    """All that a page says, in its own elements and in its components."""
    data = [each.proto.json for each in page.get("bidi_component") if each.proto.json]
    sent = "\n".join(json.dumps(json.loads(each), ensure_ascii=False) for each in data)
    tables = "\n".join(str(each.value.to_dict()) for each in page.dataframe)
    titles = "\n".join(each.value for each in page.title)
    return "\n".join([texts(page), markdown(page), titles, sent, tables])


def test_the_page_of_a_run(opened, state):
    name, run = state
    assert ("This run is not here" if name == "empty" else name) in said(opened("run", run=run))


def test_the_list_of_runs(opened, state):
    name, _ = state
    assert ("No question has been asked yet" if name == "empty" else name) in said(opened("runs"))


def test_a_comparison(opened, state):
    name, run = state
    assert ("There is no run “one”" if name == "empty" else name) in said(opened("compare", runs=run))


def test_the_evidence_of_a_run(opened, state):
    name, run = state
    shown = said(opened("evidence", run=run))
    expected = {"empty": "This run is not here", "answered": "Dripped again after heavy rain"}
    assert expected.get(name, "finding") in shown


@pytest.mark.parametrize("page", ["ask", "settings"])
def test_ask_and_settings_open_whatever_there_is(opened, state, page):
    assert said(opened(page))
