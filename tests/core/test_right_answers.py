"""Right answers as files: rows that are used, and rows that are refused with a reason."""

import json

from rlm_core.events import RunFinished, RunStarted
from rlm_core.right_answers import question_key, read_answers
from rlm_core.scoring import RightAnswer
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Task

ROWS = [
    {
        "id": "r-1",
        "dump": "d",
        "file": "d/d.zip",
        "question": "How  many?",
        "answer": 40,
        "match": "number",
        "how": "x",
    },
    {"question": "Which?", "answer": [["a", 1], ["b", 2]], "match": "table"},
    {"question": "Near?", "answer": {"orders": 119, "others": []}, "match": "near"},
    {"question": "First?", "answer": [["/a", 61], ["/b", 32]], "match": "first", "archive": "log"},
]


def test_rows_of_a_json_file_are_read_with_the_archive_that_they_name():
    given = read_answers(json.dumps(ROWS))
    assert given.refused == ()
    assert [(each.question, each.right.match, each.archive) for each in given.rows] == [
        ("How many?", "number", "d.zip"),
        ("Which?", "table", ""),
        ("Near?", "near", ""),
        ("First?", "first", "log"),
    ]


def test_rows_of_a_table_are_read_and_lists_are_parted_by_semicolons():
    lines = ["question,answer,match", "How many?,40,number", "Which?,A12; B07,f1", 'Who?,"[""a;b""]",set', "Why?,rain,"]
    given = read_answers("\ufeff" + "\n".join(lines))
    assert [each.right for each in given.rows] == [
        RightAnswer("40", "number"),
        RightAnswer(["A12", "B07"], "f1"),
        RightAnswer(["a;b"], "set"),
        RightAnswer("rain", "exact"),
    ]


def test_rows_that_cannot_be_used_are_refused_one_by_one_with_the_reason():
    rows = [
        {"question": "a", "answer": "many", "match": "number"},
        {"question": "a", "answer": 1, "match": "magic"},
        {"question": "", "answer": 1},
        {"question": "a", "answer": "x", "match": "table"},
        7,
        {"question": "b", "answer": "ok"},
    ]
    given = read_answers(json.dumps(rows))
    assert [each.question for each in given.rows] == ["b"]
    assert [each.partition(": ")[0] for each in given.refused] == ["Row 1", "Row 2", "Row 3", "Row 4", "Row 5"]
    assert "'magic' is no way to match. Use one of: number, near," in given.refused[1]


def test_what_is_no_file_of_answers_is_refused_as_a_whole():
    assert "neither a JSON list" in read_answers("[1,").refused[0]
    assert read_answers("[" * 100_000).rows == ()
    assert read_answers("hello").rows == ()


def test_questions_are_the_same_but_for_spaces_and_what_is_beyond_their_head():
    assert question_key(" How\n many? ") == "How many?"
    assert question_key("x" * 2_000 + "y") == question_key("x" * 2_000 + "z")
    assert question_key("\ud800") == "?"


def test_the_store_keeps_right_answers_by_archive_and_question_and_the_last_one_stands(tmp_path):
    store = Store.open(tmp_path)
    store.right_answers.keep([("c1", "How many?", 40, "number"), ("c1", "Which?", ["a", 1], "set")])
    store.right_answers.keep([("c1", "How many?", "41", "exact"), ("c2", "How many?", None, "exact")])
    store.right_answers.forget("c2", "How many?")
    assert store.right_answers.all() == [("c1", "Which?", ["a", 1], "set"), ("c1", "How many?", "41", "exact")]


def test_an_answer_that_begins_as_a_list_and_is_none_is_refused_with_its_row():
    given = read_answers(json.dumps([{"question": "Which?", "answer": "[" * 100_000, "match": "set"}]))
    assert not given.rows
    assert given.refused[0].startswith("Row 1: its answer begins as a JSON list and is none")


def test_right_answers_go_when_neither_their_archive_nor_a_run_of_it_is_left(tmp_path):
    store = Store.open(tmp_path)
    for corpus in ("listed", "both"):
        store.add_corpus(corpus, f"{corpus}.zip", 0, {}, 1, 10)
    for run, corpus in (("r1", "both"), ("r2", "asked")):
        with Recorder.open(tmp_path, run) as recorder:
            recorder.emit("run", None, RunStarted(Task("How many?", corpus)))
            recorder.emit("run", None, RunFinished("failed"))
    store.right_answers.keep((corpus, "How many?", 40, "number") for corpus in ("listed", "both", "asked"))

    def left() -> set[str]:
        return {corpus for corpus, *_ in store.right_answers.all()}

    store.delete_corpus("both")
    assert left() == {"listed", "both", "asked"}
    store.delete_runs(["r1"])
    assert left() == {"listed", "asked"}
    store.delete_runs(["r2"])
    store.delete_corpus("listed")
    assert left() == set()
