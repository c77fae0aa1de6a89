"""Present: what the story component is sent, where its links lead, and what becomes of a person's words."""

from __future__ import annotations

import json

import pytest
from written_runs import TASK, answered, ended, hostile

from app import backend
from rlm_core.store.store import Store
from rlm_core.story_edits import StepEdit


def sent(test) -> dict:
    """What the component was mounted with."""
    component = next(each for each in test.main if each.type == "bidi_component")
    return json.loads(component.proto.json)


def title(test, step: str):
    return test.text_input(key=f"present-step-title-{step}")


def test_a_story_is_told_from_the_step_of_the_address(home, opened):
    run = answered(home)
    data = sent(opened("present", run=run, step="answer"))
    assert data["steps"][data["at"]]["id"] == "answer"
    assert data["steps"][0]["title"] == data["question"]
    places = [link["href"] for step in data["steps"] for link in step["links"]]
    assert f"run?run={run}&node=answer" in places
    assert any(each.startswith(f"evidence?run={run}&finding=") for each in places)


def test_a_person_words_moves_and_leaves_out_steps_and_takes_all_of_it_back(home, opened):
    run = answered(home)
    test = opened("present", run=run, edit="yes")
    title(test, "answer").set_value("What we found")
    test.checkbox(key="present-step-out-cost").check()
    test.button(key="present-up-answer").click().run()
    kept = Store.open(home).stories.of(run)
    assert StepEdit("answer", "What we found") in kept
    assert StepEdit("cost", left_out=True) in kept
    steps = [each.step for each in kept]
    assert steps.index("answer") == steps.index("evidence") - 1
    assert title(test, "answer").value == "What we found"
    test.button(key="present-save").click().run()
    shown = sent(test)["steps"]
    assert [each["id"] for each in shown] == [each for each in steps if each != "cost"]
    test = opened("present", run=run, edit="yes")
    test.button(key="present-drafted").click().run()
    assert Store.open(home).stories.of(run) == ()
    assert title(test, "answer").value != "What we found"


def test_another_run_of_the_question_is_told_beside_it(home, opened):
    first, second = answered(home), answered(home, "r2")
    test = opened("present", run=second, edit="yes")
    test.selectbox(key="present-base").select(first).run()
    assert first in test.query_params["base"]
    assert "compared" in {step["id"] for step in sent(opened("present", run=second, base=first))["steps"]}
    assert "compared" not in {step["id"] for step in sent(opened("present", run=second, base="gone"))["steps"]}


def test_what_is_said_beside_another_run_follows_the_choice_of_it_and_is_kept_while_there_is_none(home, opened):
    first, other, run = answered(home), ended(home, "failed", "No more money.", "r2"), answered(home, "r3")
    test = opened("present", run=run, base=first, edit="yes")
    (beside,) = [each.value for each in test.text_input if "compared" in str(each.key)]
    test.selectbox(key="present-base").select(other).run()
    (field,) = [each for each in test.text_input if "compared" in str(each.key)]
    assert field.value != beside
    test.button(key="present-save").click().run()
    assert StepEdit("compared") in Store.open(home).stories.of(run)
    test = opened("present", run=run, base=first, edit="yes")
    (field,) = [each for each in test.text_input if "compared" in str(each.key)]
    field.set_value("What the other one says")
    test.button(key="present-save").click().run()
    test = opened("present", run=run, edit="yes")
    title(test, "answer").set_value("What we found")
    test.button(key="present-save").click().run()
    kept = Store.open(home).stories.of(run)
    assert StepEdit("compared", "What the other one says") in kept
    assert StepEdit("answer", "What we found") in kept


def test_hostile_texts_are_sent_with_what_acts_made_visible(home, opened):
    data = sent(opened("present", run=hostile(home)))
    assert "␛[31mred" in data["question"]
    assert all("\x1b" not in step["title"] + step["body"] for step in data["steps"])


def test_what_has_not_begun_or_is_not_there_cannot_be_presented(home, opened):
    for run in (Store.open(home).add_job(TASK), "gone"):
        test = opened("present", run=run)
        assert test.header[0].value == "There is nothing to present"


def test_runs_are_had_as_pages_by_their_address(home):
    first, second = answered(home), answered(home, "r2")
    assert 'id="B-graph"' in (backend.as_page("", f"{first},{second}") or "")
    assert "Documents are redacted" in (backend.as_page("documents", first) or "")
    assert backend.as_page("", f"{first},gone") is None
    assert backend.as_page("", "") is None
    assert 'id="B-graph"' not in (backend.as_page("", f"{first},{first}") or "")
    for number in range(backend.MOST_COMPARED):
        answered(home, f"more-{number}")
    with pytest.raises(backend.Problem):
        backend.as_page("", ",".join([first, *(f"more-{number}" for number in range(backend.MOST_COMPARED))]))
