"""The page of all questions by all strategies: its table, its modes, what a person says is right, and its files."""

from __future__ import annotations

import json
from typing import Any

import light_home
import written_runs
from shown import markdown, texts
from streamlit.testing.v1 import AppTest
from written_runs import QUESTION

from app import backend
from app.components import matrix_table
from rlm_core.matrix import LightRun
from rlm_core.store.store import Store
from rlm_core.task import Fork, Origin, Task


def run(id: str, question: str = "How many?", strategy: str = "rlm", **more: Any) -> LightRun:
    known: dict[str, Any] = {
        "corpus": "c1",
        "archive": "",
        "options": {},
        "root_model": "big",
        "helper_model": "small",
        "state": "answered",
        "answer": "17 rooms",
        "asked_at": 1000.0 + float(id[1:]),
        "elapsed_s": 2.0,
        "cost_usd": 0.25,
    }
    return LightRun(id=id, question=question, strategy=strategy, **{**known, **more})


PAIR = (run("r1"), run("r2", strategy="base", answer="18 rooms"), run("r3", "Which?"))


def links_of(page: AppTest) -> dict[str, str]:
    return {each.proto.label: each.proto.query_string for each in page.get("page_link")}


def table(page: AppTest) -> list[list[str]]:
    return page.dataframe[0].value.values.tolist()  # type: ignore[no-any-return]


def test_without_runs_the_page_says_how_it_is_filled(opened):
    page = opened("matrix")
    assert "No question has been asked yet." in texts(page)
    assert list(links_of(page)) == ["Ask a question"]


def test_it_is_reached_from_runs_and_from_a_comparison_of_nothing(opened, home):
    light_home.write(home, PAIR)
    assert "Matrix" in links_of(opened("runs"))
    assert "All questions by all strategies" in links_of(opened("compare"))


def test_questions_stand_by_strategies_with_a_headline_that_says_where_they_differ(opened, home):
    light_home.write(home, PAIR)
    page = opened("matrix")
    assert page.header[0].value == "A and B answer differently on 1 of 1 question"
    assert table(page) == [["How many?", "17 rooms", "18 rooms"], ["Which?", "17 rooms", "–"]]
    totals = page.dataframe[1].value
    assert list(totals["Strategy"]) == ["rlm depth 1", "base"]
    assert list(totals["Mean score"]) == ["unknown", "unknown"]


def test_modes_and_what_cells_show_stand_in_the_address(opened, home):
    light_home.write(home, PAIR)
    page = opened("matrix", mode="different", cells="cost")
    assert table(page) == [["How many?", "$0.25", "$0.25"]]
    mode = next(each for each in page.segmented_control if each.key == "matrix-mode")
    assert mode.options == ["all 2", "different 1", "A wins 0", "B wins 0", "errors 0"]
    mode.set_value("A wins").run()
    assert page.query_params["mode"] == "A wins"
    assert "No score is known yet. Give right answers below" in texts(page)
    page = opened("matrix", mode="nonsense", a="nothing", archive="none")
    assert len(table(page)) == 2


def test_right_answers_that_are_pasted_score_the_runs_and_what_is_refused_says_why(opened, home):
    light_home.write(home, PAIR)
    page = opened("matrix")
    rows = [
        {"question": "How many?", "answer": 17, "match": "number"},
        {"question": "Why?", "answer": "x"},
        {"answer": 1},
    ]
    page.text_area(key="right-pasted").set_value(json.dumps(rows))
    page.button(key="right-use").click().run()
    assert "1 right answer kept." in texts(page)
    assert "Row 3: it has no question." in texts(page)
    assert "“Why?”: it was asked of no archive." in texts(page)
    assert page.header[0].value == "A scores higher on 1, B on 0 of 1 question"
    assert table(page)[0] == ["How many?", "● 17 rooms", "○ 18 rooms"]
    assert [row.question for row in backend.laid_out().rows if row.right] == ["How many?"]


def test_a_row_of_a_file_goes_to_the_archive_that_it_names(home):
    light_home.write(home, PAIR)
    Store.open(home).add_corpus("c1", "rooms.zip", 0, {}, 1, 10)
    given = [
        {"question": "Which?", "answer": "a", "file": "x/rooms.zip"},
        {"question": "b", "answer": "c", "file": "other.zip"},
    ]
    kept = backend.give_answers(json.dumps(given), None)
    assert (kept.kept, kept.refused) == (1, ("“b”: there is no archive 'other.zip' here.",))
    assert Store.open(home).right_answers.all() == [("c1", "Which?", "a", "exact")]


def test_a_persons_word_on_a_run_scores_it_and_leaves_the_note_on_it_alone(home):
    light_home.write(home, PAIR)
    backend.judge("r2", "right")
    assert [cell.score for cell in backend.laid_out().rows[0].cells] == [None, 1.0]
    backend.judge("r2", None)
    assert backend.laid_out().rows[0].cells[1].score is None


def test_a_right_answer_is_given_and_taken_back_for_one_question(home):
    light_home.write(home, PAIR)
    row = backend.laid_out().rows[0]
    backend.set_right(row, "17", "number")
    assert backend.laid_out().rows[0].cells[0].score == 1.0
    backend.set_right(row, " ", "number")
    assert backend.laid_out().rows[0].right is None


def test_a_long_answer_is_scored_as_a_whole(home):
    names = ", ".join(f"R{number}" for number in range(600))
    light_home.write(home, [run("r1", answer=names)])
    assert len(backend.laid_out().rows[0].cells[0].newest.answer) == 2_000
    backend.set_right(backend.laid_out().rows[0], names.replace(",", ";"), "set")
    assert backend.laid_out().rows[0].cells[0].score == 1.0


def test_of_a_selected_cell_the_row_and_column_are_told_and_of_a_question_its_first_strategy(home):
    light_home.write(home, [run("r0", "a", "base"), *PAIR])
    rows = backend.laid_out().rows
    assert matrix_table.selected([(1, "0")], rows) == (rows[1], 0)
    assert matrix_table.selected([(2, "question")], rows) == (rows[2], 1)
    assert matrix_table.selected([(9, "1")], rows) is None
    assert matrix_table.selected([], rows) is None


def test_runs_that_wait_and_runs_under_way_are_in_the_table_and_it_is_followed(opened, home):
    written_runs.answered(home)
    store = Store.open(home)
    store.add_job(Task(QUESTION, "no-corpus", "base", {"overflow": "cut"}))
    store.add_job(
        Task(QUESTION, "no-corpus", "codeact"), state="running"
    )  # its process is about to write the first event
    with written_runs.running(home):
        page = opened("matrix")
        assert page.header[0].value == "3 runs of 4 are still under way"
        assert table(page)[0][1:] == ["▷ ×2 · running", "◷ queued", "▷ running"]


def test_nothing_that_a_model_or_a_person_wrote_is_markdown_on_the_page(opened, home):
    written_runs.hostile(home)
    written_runs.answered(home)
    said = markdown(opened("matrix"))
    assert "evil.example" not in said.replace("\\", "")
    assert "<script>" not in said


def test_the_files_hold_the_matrix(home):
    light_home.write(home, PAIR)
    found = backend.laid_out()
    assert backend.matrix_as_csv(found).count("\r\n") == 4
    assert "18 rooms" in backend.matrix_as_html(found, found.rows, "")


def test_right_answers_are_of_the_archive_that_is_looked_at_when_they_are_handed_over(opened, home):
    light_home.write(home, [run("r1"), run("r2", corpus="c2")])
    page = opened("matrix", archive="c1")
    page.text_area(key="right-pasted").set_value('[{"question": "How many?", "answer": 17, "match": "number"}]')
    page.query_params["archive"] = "c2"  # as the select does, which draws the table alone
    page.button(key="right-use").click().run()
    assert [corpus for corpus, *_ in Store.open(home).right_answers.all()] == ["c2"]


def test_imported_forks_and_what_was_taken_up_do_not_stand_in_the_table(home):
    others = run("r4"), run("r5", answer="fork"), run("r6", state="failed", answer=None)
    light_home.write(home, [*PAIR, *others], {"r5": Origin("r1", Fork(2)), "r4": Origin("r6")})
    (cell, _), _ = (row.cells for row in backend.laid_out().rows)
    assert [each.id for each in cell.runs] == ["r4", "r1"]
    assert backend.repeats_of("r1") == ["r4"]
    assert backend.repeats_of("r6") == ["r1"]


def test_it_is_known_that_older_runs_are_left_out_however_many_of_the_newer_ones_are_forks(home):
    light_home.write(home, PAIR, {"r3": Origin("r1", Fork(2))})
    assert (backend.laid_out(2).newest, backend.laid_out(2).runs) == (2, 1)
    assert backend.laid_out().newest is None


def test_other_rows_of_the_same_number_are_another_table_so_that_no_selection_comes_to_mean_another_question(
    opened, home
):
    runs = [run("r1", state="failed", answer=None), run("r2"), run("r3", strategy="base", answer="18 rooms")]
    runs += [run("r4", "b"), run("r5", "b", "base", answer="2"), run("r6", "c", state="failed", answer=None)]
    light_home.write(home, runs)
    differ, errors = (opened("matrix", mode=mode) for mode in ("different", "errors"))
    assert [row[0] for row in table(differ)] == ["How many?", "b"]
    assert [row[0] for row in table(errors)] == ["How many?", "c"]
    assert differ.dataframe[0].proto.id != errors.dataframe[0].proto.id


def test_a_right_answer_that_was_changed_elsewhere_stands_in_the_form(home):
    def script():
        from app import backend
        from app.components import matrix_cell

        matrix_cell._right(backend.laid_out().rows[0])

    light_home.write(home, PAIR)
    page = AppTest.from_function(script, default_timeout=30).run()
    assert page.text_input[0].value == ""
    backend.give_answers('[{"question": "How many?", "answer": "17", "match": "exact"}]')
    page.run()
    assert page.text_input[0].value == "17"
    page.button[0].click().run()
    assert [answer for _, _, answer, _ in Store.open(home).right_answers.all()] == ["17"]


def test_a_problem_in_a_callback_is_told_once_where_it_is_drawn(home):
    def script():
        import streamlit as st

        from app.components import matrix_cell, trouble

        trouble.tell(matrix_cell.JUDGED)
        st.button("right", on_click=matrix_cell._judge, args=("gone", "word"))

    Store.open(home).close()
    page = AppTest.from_function(script, default_timeout=30)
    page.session_state["word"] = "right"
    page.run().button[0].click().run()
    assert not page.exception
    assert "There is no run gone" in texts(page)
    assert "There is no run gone" not in texts(page.run())
