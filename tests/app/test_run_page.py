"""The page of one run, in each state a run can be in."""

from __future__ import annotations

import pytest
import written_runs
from shown import answer, component, everything, figures, header, markdown, texts
from written_runs import HOSTILE

from rlm_core.store.store import Store


def test_without_any_run_the_page_says_what_to_do(opened):
    page = opened("run")
    assert page.header[0].value == "No run yet"
    assert page.get("page_link")[0].value == "Ask a question"


def test_an_address_of_a_run_that_is_not_there_says_so(opened, home):
    written_runs.answered(home)
    page = opened("run", run="gone-1")
    assert page.header[0].value == "This run is not here"
    assert "gone-1" in texts(page)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("open", f"f1.t2.c1.g1:{'9' * 5000},:,f1.t2.c1.g1:-1"),
        ("node", "../../\x00"),
        ("node", "answer.more"),
        ("view", "Nowhere"),
        ("metric", "love"),
        ("with", "gone-1,gone-2"),
    ],
)
def test_whatever_else_its_address_says_the_run_is_shown(opened, home, name, value):
    written_runs.answered(home)
    page = opened("run", run="answered-1", **{name: value})
    assert answer(header(page)) == "1 room: A12."


def test_without_a_run_in_the_address_the_newest_is_shown(opened, home):
    written_runs.answered(home, "older")
    written_runs.ended(home, "failed", "No key.", "newer")
    page = opened("run")
    assert header(page)["state"] == "failed"
    assert page.query_params["run"] == "newer"
    assert "This is the newest run." in markdown(page)
    assert "newest" not in markdown(opened("run", run="older"))


def test_a_queued_job_is_shown_and_can_be_cancelled(opened, home):
    store = Store.open(home)
    job = store.add_job(written_runs.TASK)
    page = opened("run", run=job)
    head = header(page)
    assert (head["state"], head["question"]) == ("queued", written_runs.QUESTION)
    assert "begins by itself" in head["reason"]
    assert set(figures(head).values()) == {("–", "")}
    page.button(key="cancel").click().run()
    assert header(page)["state"] == "cancelled"
    store.close()


def test_a_running_run_shows_its_steps_so_far(opened, home):
    with written_runs.running(home) as _:
        page = opened("run", run="running-1", view="Reader")
        head = header(page)
        assert head["live"] is True
        assert head["state_in_words"] == "running, turn 2"
        assert figures(head)["Calls"] == ("5", "none failed, 1 under way")
        assert figures(head)["Cost"] == ("$0.05", "so far")
        assert "running for" in everything(component(page, "blocks"))
        page.button(key="cancel").click().run()
        store = Store.open(home)
        assert [command.kind for command in store.commands("running-1")] == ["cancel"]
        assert page.button(key="cancel").disabled
        store.close()


def test_an_answered_run_shows_answer_figures_and_steps(opened, home):
    page = opened("run", run=written_runs.answered(home), view="Reader")
    head = header(page)
    assert (head["state"], answer(head), head["live"]) == ("answered", "1 room: A12.", False)
    assert figures(head) == {
        "Cost": ("$0.14", "+ 1 call unknown"),
        "Time": figures(head)["Time"],
        "Tokens in | out": ("5,700 | 508", "+ 1 call unknown"),
        "Calls": ("12", "1 failed"),
        "Turns": ("2", "of 25 allowed"),
        "Coverage": ("unknown", "cannot be looked for"),
    }
    assert "cancel" not in [button.key for button in page.button]
    assert "I ask a helper about every room." in everything(component(page, "blocks"))


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        ("failed", "The key is missing. Set OPENAI_API_KEY."),
        ("cancelled", "Cancelled on request."),
        ("interrupted", "The process of this run was killed by SIGKILL."),
    ],
)
def test_a_run_that_ended_badly_says_why_and_keeps_its_steps(opened, home, outcome, reason):
    page = opened("run", run=written_runs.ended(home, outcome, reason), view="Reader")
    head = header(page)
    assert (head["state"], head["reason"], answer(head)) == (outcome, reason, "")
    read = everything(component(page, "blocks"))
    assert "NameError: name 'roms' is not defined" in read
    assert "ended in an error" in read


def test_a_forced_answer_is_marked_with_the_limit_that_forced_it(opened, home):
    page = opened("run", run=written_runs.ended(home, "forced", "", answer="Perhaps A12."), view="Reader")
    head = header(page)
    assert (head["state"], answer(head)) == ("forced", "Perhaps A12.")
    assert head["reason"] == "Not finished; this is the best answer until then."
    assert "The limit on turns was reached: 1 of 1 used." in everything(component(page, "blocks"))


def test_hostile_text_is_shown_as_text_and_nowhere_read_as_markdown(opened, home):
    page = opened("run", run=written_runs.hostile(home), view="Reader")
    head = header(page)
    visible = HOSTILE.replace("\x1b", "␛").replace("\u202e", "<U+202E>").replace("\x00", "␀")
    assert head["question"] == visible
    assert answer(head).startswith(visible)
    for danger in ("<script", "](http", "**bold", "$x", "\x1b", "\u202e"):
        assert danger not in markdown(page), danger
    for part in ("blocks", "rows"):
        sent = everything(component(page, part))
        assert "<script>alert(1)</script>" in sent
        assert not {"\x1b", "\u202e", "\x00"}.intersection(sent)


def test_a_line_of_a_megabyte_is_cut_in_the_head_of_the_page(opened, home):
    page = opened("run", run=written_runs.hostile(home))
    assert len(answer(header(page))) < 101_000


def test_runs_started_together_are_linked_to_each_other(opened, home):
    written_runs.answered(home, "first")
    written_runs.ended(home, "failed", "No.", "second")
    page = opened("run", run="first", **{"with": "second,gone"})
    assert "2 runs were started together" in markdown(page)
    links = [link for link in page.get("page_link") if "rlm" in link.value]
    assert [link.proto.disabled for link in links] == [False, False]


def test_a_run_whose_others_were_deleted_says_nothing_of_them(opened, home):
    written_runs.answered(home, "first")
    assert "started together" not in markdown(opened("run", run="first", **{"with": "gone"}))
