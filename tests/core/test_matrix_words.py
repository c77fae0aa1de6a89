"""The matrix in words: a headline that says what is found, and cells that say what is not known."""

from dataclasses import replace

from light_runs import laid_out, light

from rlm_core.matrix_words import cell_in_words, headline, only_newest, score_in_words, total_cost_in_words
from rlm_core.scoring import RightAnswer

SEVENTEEN = {"How many?": RightAnswer(17, "number")}


def test_a_score_is_right_only_where_nothing_is_missing():
    assert [score_in_words(each) for each in (1.0, 0.999, 0.5, 0.001, 0.0, None)] == [
        "● right",
        "◐ 0.99",
        "◐ 0.50",
        "◐ 0.01",
        "○ wrong",
        "unknown",
    ]


def test_where_both_have_scores_the_headline_says_on_how_many_questions_each_is_ahead():
    found = laid_out(light("r1"), light("r2", strategy="base", answer="18 rooms"), light("r3", "b"), **SEVENTEEN)
    assert headline(found, 0, 1) == "A scores higher on 1, B on 0 of 1 question"
    assert headline(found, 1, 0) == "A scores higher on 0, B on 1 of 1 question"
    found = laid_out(light("r1"), light("r2", strategy="base"), **SEVENTEEN)
    assert headline(found, 0, 1) == "A and B have the same score on 1 question"


def test_without_right_answers_it_says_on_how_many_questions_the_answers_differ():
    found = laid_out(light("r1"), light("r2", strategy="base", answer="18 rooms"), light("r3", "b"))
    assert headline(found, 0, 1) == "A and B answer differently on 1 of 1 question"
    assert headline(laid_out(light("r1"), light("r2", "b")), 0, 0) == "2 questions, all asked in one way"
    assert (
        headline(laid_out(light("r1"), light("r2", "b", "base")), 0, 1) == "No question was asked in both of these ways"
    )


def test_while_runs_are_under_way_it_says_how_many():
    found = laid_out(light("r1", state="queued", answer=None), light("r2"))
    assert headline(found, 0, 0) == "1 run of 2 is still under way"


def test_a_cell_shows_its_newest_run_how_right_it_is_and_its_repeats():
    (cell,) = (
        laid_out(light("r1"), light("r2", answer="18 rooms", cost_usd=None, unknown_cost_calls=1), **SEVENTEEN)
        .rows[0]
        .cells
    )
    assert cell_in_words(cell, "answer") == "◐ ×2 · 18 rooms"
    assert cell_in_words(cell, "score") == "◐ 0.50 · ×2"
    assert cell_in_words(cell, "cost") == "unknown · ×2"
    assert cell_in_words(cell, "time") == "2.0 s · ×2"
    (cell,) = laid_out(light("r1", state="failed", answer=None, elapsed_s=None)).rows[0].cells
    assert [cell_in_words(cell, what) for what in ("answer", "score", "time")] == ["failed", "unknown", "unknown"]
    assert cell_in_words(None, "answer") == "–"


def test_what_a_run_and_a_column_cost_is_said_as_in_the_list_of_runs():
    for known, said in (
        ({"state": "queued", "answer": None, "cost_usd": None, "elapsed_s": None}, "none yet"),
        ({"state": "failed", "answer": None, "cost_usd": None, "calls": 1}, "$0.00"),
        ({"cost_usd": None, "calls": 1, "unknown_cost_calls": 1}, "unknown"),
    ):
        found = laid_out(light("r1", **known))
        assert cell_in_words(found.rows[0].cells[0], "cost") == said
        assert total_cost_in_words(found.totals[0]) == said


def test_it_is_said_where_only_the_newest_runs_were_looked_at():
    found = laid_out(light("r1"), light("r2", "b"))
    assert only_newest(found) == ""
    found = replace(found, newest=5_000).of_archive("c1")
    assert only_newest(found) == "Only the newest 5,000 runs were looked at."
