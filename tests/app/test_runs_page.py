"""The list of all runs."""

from __future__ import annotations

import written_runs
from shown import markdown, texts
from streamlit.testing.v1 import AppTest

from rlm_core.store.store import Store


def test_without_runs_the_page_says_what_to_do_next(opened):
    page = opened("runs")
    assert "No question has been asked yet." in texts(page)
    assert page.get("page_link")[0].value == "Ask a question"
    assert not page.dataframe


def test_every_state_has_a_row_newest_first_and_queued_ones_on_top(opened, home):
    written_runs.answered(home)
    written_runs.ended(home, "failed", "No key.")
    with written_runs.running(home):
        store = Store.open(home)
        store.add_job(written_runs.TASK)
        store.close()
        table = opened("runs").dataframe[0].value
    assert list(table["Status"]) == ["◷ queued", "▷ running", "✕ failed", "✓ answered"]
    assert list(table["Cost"]) == ["–", "$0.05 + ? so far", "$0.01", "$0.14 + ?"]
    assert list(table["Answer"]) == ["–", "–", "–", "1 room: A12."]
    assert list(table["Calls"]) == ["–", "5", "1", "12"]


def test_many_runs_are_one_table_and_a_cut_list_says_so():
    def script():
        from app.backend import RunLine
        from app.components import runs_table

        runs_table.show([RunLine(f"r{each}", "queued", "What?", "a.zip", "rlm", "demo", 0.0) for each in range(500)])

    page = AppTest.from_function(script, default_timeout=30).run()
    assert len(page.dataframe[0].value) == 500
    assert "The newest 500 runs are listed." in markdown(page)


def test_hostile_text_stays_in_the_cells_of_the_table(opened, home):
    written_runs.hostile(home)
    page = opened("runs")
    assert page.dataframe[0].value["Question"][0].startswith("<script>alert(1)</script> ![x](http")
    assert "script" not in markdown(page)
