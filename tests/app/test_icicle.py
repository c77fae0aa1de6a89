"""The icicle of a run, as data."""

from __future__ import annotations

import pytest
import written_runs

from app.components.icicle import METRICS, figure, rows
from app.sheet import sheet_of
from rlm_core.store.store import Store
from rlm_core.view import fold


def sheet(home):
    store = Store.open(home)
    found = sheet_of(fold(store.events(written_runs.answered(home))))
    store.close()
    return found


def test_every_turn_cell_and_group_has_a_box_in_what_it_belongs_to(home):
    boxes = rows(sheet(home).steps, METRICS["Calls"][0])
    assert [(each.label, each.parent, each.own) for each in boxes] == [
        ("Run", "", 0.0),
        ("Turn 1", "run", 1.0),
        ("Cell 1", "f1.t1", 0.0),
        ("Turn 2", "run", 1.0),
        ("Cell 2", "f1.t2", 0.0),
        ("×10 calls", "f1.t2.c1", 10.0),
    ]


def test_a_box_says_the_sum_of_all_it_holds(home):
    metric, in_words = METRICS["Cost"]
    run = sheet(home)
    chart = figure(rows(run.steps, metric), in_words).data[0]
    assert dict(zip(chart.labels, chart.text, strict=True))["Run"] == "$0.14 + ?"
    assert sum(chart.values) == pytest.approx(run.totals.cost_usd)


def test_the_opened_icicle_is_a_chart_and_a_table(opened, home):
    page = opened("run", run=written_runs.answered(home))
    page.session_state["icicle"] = True
    page.run()
    assert page.get("plotly_chart")
    assert any("The cost of 1 call is not known" in each.value for each in page.caption)
    page.toggle(key="icicle-table").set_value(True).run()
    assert "×10 calls" in list(page.dataframe[1].value["What"])
