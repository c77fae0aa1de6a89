"""The matrix as files: every run in a table, and a page that neither loads nor runs what texts say."""

import csv
import io
import re
from dataclasses import replace

from light_runs import hundred_by_eight, laid_out, light

from rlm_core.exporters.matrix_table import COLUMNS, to_csv, to_html
from rlm_core.scoring import RightAnswer

HOSTILE = "<script>alert(1)</script> <img src=http://a.example/x.png> \x1b[31m \"' &lt;"


def test_the_table_has_a_line_for_each_run_with_its_score_and_who_gave_it():
    found = laid_out(
        light("r1", judged="wrong"),
        light("r2", unknown_cost_calls=1),
        light("r3", strategy="base", answer=None, state="failed"),
        **{"How many?": RightAnswer(17, "number")},
    )
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert list(rows[0]) == list(COLUMNS)
    assert [(row["run"], row["outcome"], row["score"], row["scored_by"]) for row in rows] == [
        ("r2", "answered", "1.0", "rule"),
        ("r1", "answered", "0.0", "person"),
        ("r3", "failed", "", ""),
    ]
    assert [(row["cost_usd"], row["known_cost_usd"]) for row in rows] == [
        ("", "0.25"),
        ("0.25", "0.25"),
        ("0.25", "0.25"),
    ]


def test_a_text_that_a_spreadsheet_would_run_is_text():
    (row,) = csv.DictReader(io.StringIO(to_csv(laid_out(light("r1", "=1+1", answer="@a")))))
    assert (row["question"], row["answer"]) == ("'=1+1", "'@a")


def test_the_page_escapes_every_text_and_loads_nothing():
    run = light("r1", HOSTILE, HOSTILE, answer=HOSTILE, archive=HOSTILE, root_model=HOSTILE)
    found = laid_out(run, light("r2", HOSTILE, "base", root_model="x"), **{HOSTILE: RightAnswer(HOSTILE)})
    page = to_html(found, found.rows, HOSTILE)
    plain = ["html", "head", "meta", "title", "style", "body", "h1", "p"]
    assert set(re.findall(r"<(\w+)", page)) == {*plain, "table", "thead", "tr", "th", "tbody", "td", "small"}
    assert "&lt;script&gt;alert(1)" in page
    assert "\x1b" not in page
    assert not re.search(r"<[^>]*\s(?:src|href|on\w+)\s*=", page)
    assert "default-src 'none'" in page


def test_the_page_says_what_is_unknown_and_how_many_rows_are_shown():
    found = laid_out(light("r1", cost_usd=None, unknown_cost_calls=2), light("r2", "b", "base"))
    page = to_html(found, found.rows[:1], "where answers differ")
    assert "1 of 2 questions, where answers differ; 2 runs." in page
    assert "unknown · 2.0 s" in page
    assert "score unknown" in page
    assert "–" in page


def test_a_hundred_questions_by_eight_strategies_are_a_page_of_less_than_half_a_megabyte():
    found = laid_out(*hundred_by_eight())
    page = to_html(found, found.rows)
    assert page.count("<tr>") == 102
    assert len(page) < 500_000


def test_what_a_run_under_way_costs_is_left_empty_and_the_page_says_that_older_runs_are_left_out():
    found = laid_out(light("r1", state="running", answer=None), light("r2", state="failed", answer=None, cost_usd=None))
    rows = {row["run"]: row["cost_usd"] for row in csv.DictReader(io.StringIO(to_csv(found)))}
    assert rows == {"r1": "", "r2": "0.0"}
    assert "newest" not in to_html(found, found.rows)
    assert "Only the newest 2 runs were looked at." in to_html(replace(found, newest=2), found.rows)
