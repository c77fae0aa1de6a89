"""The list of all runs: its states, what narrows it, and what is done to ticked runs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import written_runs
from shown import markdown, texts
from streamlit.testing.v1 import AppTest

from app import backend
from app.backend import DiskUse, RunLine
from app.components import run_actions, runs_filter, runs_table, tables
from rlm_core.store.store import Store
from rlm_core.task import Task


def line(run: str = "r", state: str = "answered", question: str = "What?", **more: object) -> RunLine:
    return RunLine(run, state, question, "a.zip", "rlm depth 1", "demo", 0.0, **more)  # type: ignore[arg-type]


def ticked(opened, *runs: str, **query: str) -> AppTest:
    page = opened("runs", **query)
    page.session_state[runs_table.TICKED] = list(runs)
    # Another list is another table, which takes what is ticked; without a browser this one is told.
    page.session_state[page.session_state[runs_table.TABLE]] = {"selection": {"rows": rows(home_of(page), *runs)}}
    return page.run()


def home_of(page: AppTest) -> list[str]:
    return [each.id for each in backend.found_runs().lines]


def rows(ids: list[str], *runs: str) -> list[int]:
    return [ids.index(run) for run in runs if run in ids]


@pytest.fixture
def store(home: Path):
    opened = Store.open(home)
    yield opened
    opened.close()


# ---------------------------------------------------------------------- states


def test_without_runs_the_page_says_what_to_do_next(opened):
    page = opened("runs")
    assert "No question has been asked yet." in texts(page)
    assert page.get("page_link")[0].value == "Ask a question"
    assert not page.dataframe


def test_every_state_has_a_row_newest_first_and_queued_ones_on_top(opened, home, store):
    written_runs.answered(home)
    for outcome in ("failed", "cancelled", "interrupted", "forced"):
        written_runs.ended(home, outcome, "No key.")
    with written_runs.running(home):
        store.add_job(written_runs.TASK)
        page = opened("runs")
        table = runs_table.table(backend.found_runs().lines, {}, 0.0)
    assert [row["Status"] for row in table] == [
        "◷ queued",
        "▷ running, turn 2",
        "△ forced",
        "△ interrupted",
        "□ cancelled",
        "✕ failed",
        "✓ answered",
    ]
    assert [row["Cost"] for row in table[:3]] == ["–", "$0.05 + ? so far", "$0.01"]
    assert [row["Answer"] for row in table] == ["–"] * 6 + ["1 room: A12."]
    assert [row["Calls"] for row in table] == ["–", "5", "1", "1", "1", "1", "12"]
    assert len(page.dataframe[0].value) == 7
    assert "7 of 7" in markdown(page)
    assert page.button_group[0].options == [
        "all 7",
        "◷ queued 1",
        "▷ running 1",
        "✓ answered 1",
        "△ forced 1",
        "✕ failed 1",
        "□ cancelled 1",
        "△ interrupted 1",
    ]


def test_one_run_is_a_table_of_one_row_with_what_all_of_it_takes_on_the_disk(opened, home):
    written_runs.answered(home)
    page = opened("runs")
    assert len(page.dataframe[0].value) == 1
    assert "Tags" not in page.dataframe[0].value
    assert "On the disk: " in markdown(page)
    assert "(1 run in a database of " in markdown(page)


def test_many_runs_are_one_table_and_a_cut_list_says_so(opened, home, store):
    for _ in range(backend.LISTED_RUNS + 3):
        store.add_job(written_runs.TASK)
    page = opened("runs")
    assert len(page.dataframe[0].value) == backend.LISTED_RUNS
    assert "The newest 500 of 503 are listed; the search looks in all." in markdown(page)
    assert "503 of 503" in markdown(page)


def test_hostile_text_stays_in_the_cells_of_the_table(opened, home, store):
    run = written_runs.hostile(home)
    store.rename(run, written_runs.HOSTILE[:100])
    store.set_tags(run, ["<script>alert(2)</script> **b**", "![y](http://evil.example)"])
    page = ticked(opened, run)
    assert page.dataframe[0].value["Question"][0].startswith("<script>alert(1)</script> ![x](http")
    for shown in (page, page.button(key="runs-delete").click().run()):
        assert "<script" not in markdown(shown)
        assert "![" not in markdown(shown)
    assert "<script" not in "".join(page.button_group[1].options).replace("\\<", "")
    assert "“<script>alert(1)</script>" in texts(page)  # shown as text, which is what it is


# ---------------------------------------------------------------------- what narrows the list


def test_words_a_state_and_a_tag_of_the_address_narrow_the_list(opened, home, store):
    written_runs.answered(home, "r1", Task("Which pumps?", "c"))
    written_runs.answered(home, "r2", Task("Which rooms?", "c"))
    written_runs.ended(home, "failed", "No key.", "r3")
    store.rename("r3", "Pumps again")
    store.set_tags("r1", ["board"])
    page = opened("runs", find="pumps")
    assert page.text_input[0].value == "pumps"
    assert list(page.dataframe[0].value["Status"]) == ["✕ failed", "✓ answered"]
    assert page.button_group[0].options == ["all 2", "✓ answered 1", "✕ failed 1"]
    assert list(opened("runs", find="pumps", state="failed").dataframe[0].value["Status"]) == ["✕ failed"]
    page = opened("runs", tag="board")
    assert [each.strip() for each in page.dataframe[0].value["Question"]] == ["Which pumps?"]
    assert page.button_group[1].options == ["board 1"]
    assert len(opened("runs", state="sleeping").dataframe[0].value) == 3


def test_a_search_writes_the_address_and_one_that_finds_nothing_says_where_it_looked(opened, home):
    written_runs.answered(home)
    page = opened("runs")
    page.text_input[0].set_value("walrus").run()
    assert page.query_params["find"] == "walrus"
    assert not page.dataframe
    assert "No run is like that. Words are looked for in titles, tags, ids" in texts(page)
    page.button(key="runs-widen").click().run()
    assert "find" not in page.query_params
    assert page.text_input[0].value == ""
    assert len(page.dataframe[0].value) == 1


def test_a_queued_run_is_found_as_well(opened, home, store):
    store.add_job(written_runs.TASK, title="Pumps")
    store.add_job(Task("Other?", "c"))
    assert [each.title for each in backend.found_runs("pUMPS").lines] == ["Pumps"]
    assert [each.question for each in backend.found_runs("other", "queued").lines] == ["Other?"]
    assert backend.found_runs("other", "failed").lines == []


def test_of_many_tags_the_dozen_that_most_runs_have_are_offered_and_the_chosen_one():
    counted = {f"t{number:02}": number for number in range(20)}
    assert list(runs_filter.tags_of(counted, "t01")) == ["t01", *(f"t{number:02}" for number in range(8, 20))]
    assert runs_filter.tags_of({}, "gone") == {"gone": ":material/label: gone 0"}


# ---------------------------------------------------------------------- the table


def test_figures_are_sorted_as_numbers_and_shown_as_they_are_said():
    texts = ["12", "5", "5 so far", "unknown", "–", "0"]
    numbers, said = tables.sortable([12, 5, 5, None, None, 0], texts)
    assert sorted(numbers) == [numbers[3], numbers[4], numbers[5], numbers[1], numbers[2], numbers[0]]
    assert [said(number) for number in numbers] == texts


def test_the_title_stands_before_the_question_and_no_text_becomes_an_icon():
    assert runs_table.table([line(title="Pumps")], {}, 0.0)[0]["Question"].strip() == "Pumps · What?"
    assert runs_table.button_label(":material/home: x").strip() == "\u2060:material/home: x"


def test_the_size_of_a_run_is_shown_and_a_dash_while_it_grows():
    shown = runs_table.table([line("a"), line("b", "running")], {"a": 1_200_000}, 0.0)
    assert [row["Disk"] for row in shown] == ["1.2 MB", "–"]


def test_a_tick_stays_with_its_run_when_the_list_changes():
    before = runs_table.ticked_after([], ["c", "b", "a"], [1, 0])
    assert before == ["b", "c"]
    assert runs_table.ticked_after(before, ["d", "c", "b", "a"], [1, 2]) == ["b", "c"]
    assert runs_table.ticked_after(before, ["d", "c"], [1]) == ["b", "c"]  # b is not in the list, so it stays
    assert runs_table.ticked_after(before, ["c", "b", "a"], [2]) == ["a"]


# ---------------------------------------------------------------------- what is done to ticked runs


def test_one_ticked_run_is_renamed(opened, home, store):
    run = written_runs.answered(home)
    page = ticked(opened, run)
    assert "1 run ticked" in markdown(page)
    assert page.button(key="runs-compare").disabled
    page.button(key="runs-rename").click().run()
    page.text_input(key=f"runs-title-{run}").set_value("Leaks, first try")
    page.button(key="runs-save-title").click().run()
    assert not page.exception
    assert store.annotations()[run].title == "Leaks, first try"
    assert page.dataframe[0].value["Question"][0].startswith(f"Leaks, first try · {written_runs.QUESTION}")


def test_tags_of_several_runs_are_those_that_all_have(opened, home, store):
    for run in ("r1", "r2"):
        written_runs.answered(home, run)
    store.set_tags("r1", ["both", "mine"])
    store.set_tags("r2", ["both"])
    page = ticked(opened, "r1", "r2")
    page.button(key="runs-tags").click().run()
    choice = page.multiselect[0]
    assert choice.value == ["both"]
    assert choice.options == ["both", "mine"]
    choice.set_value(["mine"])
    page.button(key="runs-save-tags").click().run()
    assert {run: each.tags for run, each in store.annotations().items()} == {"r1": ("mine",), "r2": ("mine",)}


def test_a_tag_that_is_too_long_is_refused_in_words(opened, home, store):
    run = written_runs.answered(home)
    backend.retag([run], [], ["fine"])
    with pytest.raises(backend.Problem, match="tag has 50 characters"):
        backend.retag([run], ["fine"], ["x" * 50])
    assert store.annotations()[run].tags == ("fine",)


def test_a_deletion_says_what_goes_and_afterwards_what_was_freed(opened, home, store):
    for run in ("r1", "r2", "r3"):
        written_runs.answered(home, run)
    page = ticked(opened, "r1", "r3")
    page.button(key="runs-delete").click().run()
    assert "steps, answers, findings, titles and tags go for good; archives stay. This frees ~" in texts(page)
    assert len(store.runs()) == 3
    page.button(key="runs-really-delete").click().run()
    assert not page.exception
    assert [run.id for run in store.runs()] == ["r2"]
    assert "2 runs deleted" in markdown(page)
    assert "freed" in markdown(page)
    assert page.session_state[runs_table.TICKED] == []


def test_a_deletion_that_is_kept_from_deletes_nothing(opened, home, store):
    run = written_runs.answered(home)
    page = ticked(opened, run)
    page.button(key="runs-delete").click().run()
    page.button(key="runs-keep").click().run()
    assert [each.id for each in store.runs()] == [run]
    assert "1 run ticked" in markdown(page)


def test_a_run_that_has_not_ended_cannot_be_deleted(opened, home, store):
    written_runs.answered(home)
    with written_runs.running(home) as life:
        page = ticked(opened, "answered-1", "running-1")
        page.button(key="runs-delete").click().run()
        assert "is not finished. Cancel it first, then delete." in texts(page)
        assert "runs-really-delete" not in [button.key for button in page.button]
        life.finish()


def test_the_last_run_deleted_leaves_the_page_that_says_what_to_do_next(opened, home):
    run = written_runs.answered(home)
    page = ticked(opened, run)
    page.button(key="runs-delete").click().run()
    page.button(key="runs-really-delete").click().run()
    assert "No question has been asked yet." in texts(page)


def test_a_ticked_run_that_is_gone_is_no_longer_ticked(opened, home, store):
    for run in ("r1", "r2"):
        written_runs.answered(home, run)
    page = ticked(opened, "r1", "r2")
    store.delete_run("r1")
    page.run()
    assert page.session_state[runs_table.TICKED] == ["r2"]


def test_a_ticked_run_outside_the_list_is_counted(opened, home):
    written_runs.answered(home, "r1", Task("Which pumps?", "c"))
    written_runs.answered(home, "r2", Task("Which rooms?", "c"))
    page = ticked(opened, "r1", "r2")
    page.text_input[0].set_value("rooms").run()
    assert "2 runs ticked, 1 not in this list" in markdown(page)


def test_the_bar_says_whether_ticked_runs_were_asked_the_same_of_the_same():
    same = [line("a", corpus="c"), line("b", corpus="c")]
    assert run_actions.likeness(same).startswith(":gray[same question, same archive]")
    assert "rlm depth 1 · demo" in run_actions.likeness(same).replace("\\", "")
    other = line("c", question="Who?", corpus="d")
    assert run_actions.likeness([*same, other]) == ":gray[different questions, different archives]"


def test_the_foot_and_a_long_deletion_are_said_in_short():
    assert run_actions.foot(12, DiskUse(30_000_000, 10_000_000, 1_000_000, 1_200_000_000)) == (
        "On the disk: 41 MB (12 runs in a database of 30 MB, archives 10 MB, queue and logs 1.0 MB), 1.2 GB free"
    )
    named = run_actions.listed([line(question=f"Q{number}") for number in range(5)])
    assert named.startswith("“Q0 · rlm depth 1 · ")
    assert named.endswith("” and 2 more")


def test_runs_of_one_question_are_told_apart_by_strategy_and_time():
    asked = run_actions.described(line(title="Pumps"))
    assert asked.startswith("Pumps · rlm depth 1 · ")
    assert asked.endswith(runs_table.started(0.0, time.time()))
