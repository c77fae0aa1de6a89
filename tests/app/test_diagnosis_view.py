"""The view that says what went wrong in a run, on its page."""

from __future__ import annotations

import written_runs
from failed_runs import write_failed_run
from shown import markdown, texts

from app.backend import Diagnosis
from app.components import fork_form
from app.components.diagnosis_view import footnotes, summed
from rlm_core.diagnose.symptoms import LookAt, Symptom
from rlm_core.store.store import Store


def buttons(page, words):
    return [each for each in page.button if words in each.label]


def test_a_child_that_answered_without_looking_is_named_with_its_words_and_a_fork_that_tells_the_model_so(opened, home):
    run = write_failed_run(home, "i")
    page = opened("run", run=run, view="Diagnosis")
    said = "The answer was given before any of the 9,127 characters of the context had been looked at."
    assert said in markdown(page).replace("\\", "")
    assert "may change the answer" in markdown(page)
    assert "FINAL(0 rooms)" in texts(page)
    (to_node, *_) = buttons(page, "turn 1 of child")
    to_node.click().run()
    assert page.query_params["node"] == "f1.t4.c1.f4.t1"
    (remedy,) = buttons(page, "Fork at turn 4")
    remedy.click().run()
    assert page.session_state[fork_form.OPEN] == (run, "f1.t4", True)
    assert page.session_state[f"fork-instruction-{run}-4"]


def test_a_limit_that_ended_a_run_is_raised_in_a_fork(opened, home):
    run = write_failed_run(home, "c")
    page = opened("run", run=run, view="Diagnosis")
    (remedy,) = buttons(page, "with turns up to 28")
    remedy.click().run()
    assert any(
        "The limit on turns is 28 here; in this run it was 14" in each.value.replace("\\", "") for each in page.caption
    )
    page.button(key="fork-start").click().run()
    store = Store.open(home)
    (job,) = store.jobs("queued")
    store.close()
    assert (job.task.limits.max_turns, job.origin.fork.turn) == (28, 14)


def test_a_run_that_goes_on_is_not_judged_yet(opened, home):
    with written_runs.Writer(home, "goes-on") as life:
        life.turn()
        page = opened("run", run="goes-on", view="Diagnosis")
        assert any("looked at when it has ended" in each.value for each in page.caption)


def test_where_nothing_is_found_it_is_said_what_was_looked_for(opened, home):
    page = opened("run", run=written_runs.answered(home), view="Diagnosis")
    assert any("Nothing found by" in each.value for each in page.caption)


def test_what_the_rules_could_not_know_is_said():
    symptom = Symptom("good to know", "f1.t1", "It is so.", (), LookAt("f1.t1"), "a rule")
    assert (
        summed(Diagnosis((symptom,), ("one", "two"), False, True))
        == "3 rules looked, 1 found something. No model was asked."
    )
    assert summed(Diagnosis((), ("one",), False, True)) == "1 rule looked, none found anything. No model was asked."
    assert footnotes(Diagnosis((), ("one", "two"), True, False)) == [
        "Nothing found by 2 rules: one, two.",
        "What the models were shown of the archive is not known here, so rules about that said nothing.",
        "This run has more text than is looked at: of some of it only the beginning was.",
    ]
    assert footnotes(Diagnosis((symptom,), (), False, True)) == []
