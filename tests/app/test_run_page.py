"""The page of one run, in each state a run can be in."""

from __future__ import annotations

import pytest
import written_runs
from shown import figures, header, markdown, texts
from written_runs import HOSTILE

from rlm_core.store.store import Store


def test_without_any_run_the_page_says_what_to_do(opened):
    page = opened("run")
    assert page.title[0].value == "No run yet"
    assert page.get("page_link")[0].value == "Ask a question"


def test_an_address_of_a_run_that_is_not_there_says_so(opened, home):
    written_runs.answered(home)
    page = opened("run", run="gone-1")
    assert page.title[0].value == "This run is not here"
    assert "gone-1" in texts(page)


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
        page = opened("run", run="running-1")
        head = header(page)
        assert head["live"] is True
        assert head["state_in_words"] == "running, turn 2"
        assert figures(head)["Calls"] == ("5", "none failed, 1 under way")
        assert figures(head)["Cost"] == ("$0.05", "so far")
        assert "2 ok, 1 under way" in markdown(page)
        assert "running for" in markdown(page)
        page.button(key="cancel").click().run()
        store = Store.open(home)
        assert [command.kind for command in store.commands("running-1")] == ["cancel"]
        assert page.button(key="cancel").disabled
        store.close()


def test_an_answered_run_shows_answer_figures_findings_and_steps(opened, home):
    page = opened("run", run=written_runs.answered(home))
    head = header(page)
    assert (head["state"], head["answer"], head["live"]) == ("answered", "1 room: A12.", False)
    assert figures(head) == {
        "Cost": ("$0.14", "+ 1 call unknown"),
        "Time": figures(head)["Time"],
        "Tokens in | out": ("5,700 | 508", "+ 1 call unknown"),
        "Calls": ("12", "1 failed"),
        "Turns": ("2", "of 25 allowed"),
        "Documents": ("3", "1,200 characters"),
    }
    assert "cancel" not in [button.key for button in page.button]
    findings = page.dataframe[0].value
    assert list(findings["Verdict"]) == ["✓ exact", "– no quote given", "✕ not found"]
    assert findings["Source"][0] == "reports/05.txt line 131"
    assert [block.value for block in page.code] == [written_runs.CODE.strip(), written_runs.OUTPUT.strip()] * 2
    assert "I ask a helper about every room." in texts(page)
    assert "9 ok, 1 failed" in markdown(page)
    assert "call 10: No reply in 60 s." in texts(page)
    assert "1 yes · 1 no · 1 unknown" in texts(page)


def test_opened_calls_are_a_table_with_every_prompt_and_reply(opened, home):
    page = opened("run", run=written_runs.answered(home))
    page.session_state["group-f1.t2.c1/calls"] = True
    page.run()
    rows = page.dataframe(key="table-f1.t2.c1/calls").value
    assert len(rows) == 10
    assert rows["Prompt"][0] == "Was room 1 wet again?"
    assert list(rows.loc[9, ["Status", "Reply", "Tokens in", "Cost"]]) == [
        "failed",
        "No reply in 60 s.",
        "unknown",
        "unknown",
    ]


def test_an_opened_turn_shows_what_was_sent_and_what_came_back(opened, home):
    page = opened("run", run=written_runs.answered(home))
    page.session_state["asked-f1.t1"] = True
    page.run()
    assert "Look at the archive." in texts(page)
    assert f"```repl\n{written_runs.CODE}" in texts(page)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        ("failed", "The key is missing. Set OPENAI_API_KEY."),
        ("cancelled", "Cancelled on request."),
        ("interrupted", "The process of this run was killed by SIGKILL."),
    ],
)
def test_a_run_that_ended_badly_says_why_and_keeps_its_steps(opened, home, outcome, reason):
    page = opened("run", run=written_runs.ended(home, outcome, reason))
    head = header(page)
    assert (head["state"], head["reason"], head["answer"]) == (outcome, reason, "")
    assert "NameError: name 'roms' is not defined" in texts(page)
    assert "ended in an error" in markdown(page)


def test_a_forced_answer_is_marked_with_the_limit_that_forced_it(opened, home):
    page = opened("run", run=written_runs.ended(home, "forced", "", answer="Perhaps A12."))
    head = header(page)
    assert (head["state"], head["answer"]) == ("forced", "Perhaps A12.")
    assert head["reason"] == "Not finished; this is the best answer until then."
    assert "Limit on turns reached: 1 of 1." in texts(page)


def test_hostile_text_is_shown_as_text_and_nowhere_read_as_markdown(opened, home):
    page = opened("run", run=written_runs.hostile(home))
    page.session_state["group-f1.t1.c1/calls"] = True
    page.session_state["asked-f1.t1"] = True
    page.run()
    head, shown = header(page), texts(page)
    visible = HOSTILE.replace("\x1b", "␛").replace("\u202e", "<U+202E>").replace("\x00", "␀")
    assert head["question"] == visible
    assert head["answer"].startswith(visible)
    assert visible in shown
    assert page.dataframe[0].value["Quote"][0] == visible
    for danger in ("<script", "](http", "**bold", "$x", "\x1b", "\u202e"):
        assert danger not in markdown(page), danger


def test_a_line_of_a_megabyte_is_cut_with_a_count_and_can_be_downloaded_whole(opened, home):
    page = opened("run", run=written_runs.hostile(home))
    assert max(len(block.value) for block in page.code) < 10_000
    assert "of 1,000,1" in texts(page)
    assert any(button.label.startswith("Download all 1,000,1") for button in page.get("download_button"))
    assert len(header(page)["answer"]) < 10_000


def test_runs_started_together_are_linked_to_each_other(opened, home):
    written_runs.answered(home, "first")
    written_runs.ended(home, "failed", "No.", "second")
    page = opened("run", run="first", **{"with": "second,gone"})
    assert "2 runs were started together" in markdown(page)
    links = [link for link in page.get("page_link") if link.value != "Runs"]
    assert len(links) == 2
    assert not any(link.proto.disabled for link in links)
