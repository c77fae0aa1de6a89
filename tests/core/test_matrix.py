"""The matrix of questions by strategies: what stands where, who wins, and what stays unknown."""

import pytest
from light_runs import WAYS, hundred_by_eight, laid_out, light

from rlm_core.matrix import counts, matrix, shown, telling_pair, to_compare
from rlm_core.right_answers import question_key
from rlm_core.scoring import RightAnswer

SEVENTEEN = RightAnswer(17, "number")


def test_questions_are_rows_and_strategies_columns_both_in_the_order_in_which_they_came_up():
    found = laid_out(
        light("r3", "Which?"),
        light("r1", "How  many?"),
        light("r2", "How many?", "base"),
        light("r4", "Which?", "base"),
    )
    assert [row.question for row in found.rows] == ["How  many?", "Which?"]
    assert [column.label for column in found.columns] == ["rlm", "base"]
    assert [[cell.newest.id for cell in row.cells if cell] for row in found.rows] == [["r1", "r2"], ["r3", "r4"]]


def test_rows_of_one_archive_stand_together_and_can_be_looked_at_alone():
    found = laid_out(
        light("r1", "a"), light("r2", "b", "base", corpus="c2", archive="logs"), light("r3", "c"), light("r4", "a")
    )
    assert [(row.archive, row.question) for row in found.rows] == [
        ("rooms.zip", "a"),
        ("rooms.zip", "c"),
        ("logs", "b"),
    ]
    assert found.archives == {"c1": "rooms.zip", "c2": "logs"}
    alone = found.of_archive("c1")
    assert [column.label for column in alone.columns] == ["rlm"]
    assert [row.question for row in alone.rows] == ["a", "c"]
    assert alone.runs == 3


def test_repeats_stand_in_one_cell_newest_first():
    cell = laid_out(light("r1"), light("r3"), light("r2")).rows[0].cells[0]
    assert [run.id for run in cell.runs] == ["r3", "r2", "r1"]


def test_a_column_says_only_what_tells_it_from_the_others():
    found = laid_out(
        light("r1", options={"depth": 1, "prompt": "ours"}),
        light("r2", options={"depth": 1, "prompt": "paper"}),
        light("r3", options={"depth": 2, "prompt": "ours"}),
        light("r4", strategy="base", options={"overflow": "cut"}),
    )
    labels = ["rlm depth 1, prompt ours", "rlm depth 1, prompt paper", "rlm depth 2, prompt ours", "base"]
    assert [column.label for column in found.columns] == labels
    found = laid_out(light("r1"), light("r2", root_model="openai/big2"), light("r3", strategy="base"))
    assert [column.label for column in found.columns] == ["rlm, big + small", "rlm, big2 + small", "base, big"]


def test_the_helper_model_makes_no_other_column_of_base_which_has_none():
    assert len(laid_out(light("r1", strategy="base"), light("r2", strategy="base", helper_model="x")).columns) == 1


def test_without_a_right_answer_nothing_has_a_score_and_nobody_wins():
    found = laid_out(light("r1"), light("r2", strategy="base", answer="18 rooms"))
    assert [cell.score for cell in found.rows[0].cells] == [None, None]
    assert counts(found.rows, 0, 1) == {"all": 1, "different": 1, "A wins": 0, "B wins": 0, "errors": 0}
    assert [total.score for total in found.totals] == [None, None]


def test_by_a_right_answer_runs_are_scored_and_one_wins():
    runs = light("r1"), light("r2", strategy="base", answer="18 rooms"), light("r3", "b"), light("r4", "b", "base")
    found = laid_out(*runs, **{"How many?": SEVENTEEN})
    assert [cell.score for cell in found.rows[0].cells] == [1.0, 0.0]
    assert [row.question for row in shown(found.rows, "A wins", 0, 1)] == ["How many?"]
    assert [row.question for row in shown(found.rows, "B wins", 1, 0)] == ["How many?"]
    assert shown(found.rows, "B wins", 0, 1) == []
    assert [(total.scored, total.score) for total in found.totals] == [(1, 1.0), (1, 0.0)]


def test_what_a_person_says_of_a_run_stands_above_the_rule_and_needs_no_right_answer():
    found = laid_out(light("r1", judged="wrong"), light("r2", judged="right"), light("r3"), **{"How many?": SEVENTEEN})
    assert found.rows[0].cells[0].scores == (1.0, 1.0, 0.0)
    assert found.rows[0].cells[0].score == pytest.approx(2 / 3)
    assert laid_out(light("r1", judged="right")).rows[0].cells[0].score == 1.0


def test_a_run_without_an_answer_has_no_score_and_is_counted_as_an_error():
    found = laid_out(
        light("r1", answer=None, state="failed", elapsed_s=None),
        light("r2", answer=None, state="running", elapsed_s=None, cost_usd=None, unknown_cost_calls=2),
        **{"How many?": SEVENTEEN},
    )
    (total,) = found.totals
    assert (total.runs, total.failed, total.active, total.scored, total.score) == (2, 1, 1, 0, None)
    assert (total.cost_usd, total.unknown_cost_calls, total.elapsed_s) == (0.25, 2, None)
    assert len(shown(found.rows, "errors", 0, 0)) == 1
    assert found.active


def test_answers_differ_by_the_numbers_that_they_begin_with_else_by_their_words():
    def parted(one: str, other: str) -> int:
        return len(
            shown(laid_out(light("r1", answer=one), light("r2", strategy="base", answer=other)).rows, "different", 0, 1)
        )

    assert parted("17 rooms", "17 of them") == 0
    assert parted("17 rooms", "18 rooms") == 1
    assert parted("Blue.", " blue") == 0
    assert parted("Blue", "Red") == 1


def test_the_whole_answer_is_scored_where_the_row_holds_only_its_head():
    right = {("c1", "How many?"): RightAnswer(["A1", "B2"], "set")}
    found = matrix([light("r1", answer="A1")], right, lambda run: "A1, B2")
    assert found.rows[0].cells[0].score == 1.0


def test_all_of_the_chosen_cell_is_compared_as_far_as_there_is_room_beside_the_others():
    row = laid_out(
        *(light(f"r{n}") for n in range(1, 6)), light("r6", strategy="base"), light("r7", strategy="x")
    ).rows[0]
    assert to_compare(row, row.cells[0], 4) == ["r5", "r4", "r6", "r7"]
    assert to_compare(row, row.cells[1], 4) == ["r6", "r5", "r7"]
    assert to_compare(row, None, 2) == ["r5", "r6"]


def test_a_hundred_questions_by_eight_strategies_are_one_table_with_its_totals():
    runs = hundred_by_eight()
    rights = {("c1", question_key(run.question)): RightAnswer(40, "number") for run in runs}
    found = matrix(runs, rights, lambda run: run.answer)
    assert (len(found.rows), len(found.columns), found.runs) == (100, len(WAYS), 820)
    assert len({column.label for column in found.columns}) == 8
    assert sum(total.failed for total in found.totals) == sum(run.failed for run in runs)
    assert 0 < counts(found.rows, 0, 2)["A wins"] < 100
    assert found.totals[0].cost_usd == 0.0
    assert found.totals[3].unknown_cost_calls == 100


def test_the_two_columns_to_begin_with_share_most_questions():
    found = laid_out(
        light("r1", strategy="once"),
        light("r2", "b"),
        light("r3", "c"),
        light("r4", "b", "base"),
        light("r5", "c", "base"),
    )
    assert telling_pair(found) == (1, 2)
    assert telling_pair(laid_out(light("r1"))) == (0, 0)
