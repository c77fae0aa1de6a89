import json
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from console import ANSWER, LOOK, QUESTION, THREE_ROOMS, rlm_studio, run_process, script, started
from uploads import UPLOADS

from rlm_core.store.store import Store


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """One question answered by the demo model, as a person would see it."""
    return rlm_studio(tmp_path_factory.mktemp("home"), "ask", THREE_ROOMS, QUESTION)


def test_the_answer_and_its_evidence_are_on_standard_output(asked):
    assert asked.returncode == 0
    answer, _, findings = asked.stdout.partition("\nFindings (quotes: 3 exact):\n")
    assert "A12" in answer
    assert '- A12: yes. "Dripped again after heavy rain, same beam." (three_rooms.txt line 8, exact)' in findings


def test_progress_is_on_standard_error_a_line_for_each_turn_and_cell(asked):
    lines = asked.stderr.splitlines()
    assert any(line.startswith("turn 1: the model is asked  [") for line in lines)
    assert any(line.startswith("turn 1, cell 1: ok, printed ") for line in lines)
    assert all(" · $0.00 · " in line for line in lines if line.startswith("turn "))
    assert lines[-1].startswith("answered · ")
    assert "\x1b" not in asked.stderr


def test_the_demo_model_is_said_once_to_be_no_language_model(asked):
    assert asked.stderr.count("no language model") == 1


def test_json_is_exactly_one_object_with_what_a_program_needs(tmp_path):
    result = rlm_studio(tmp_path, "ask", THREE_ROOMS, QUESTION, "--json")
    data = json.loads(result.stdout)
    assert result.returncode == 0
    assert {"run", "outcome", "answer", "findings", "usage", "cost_usd", "elapsed_s"} <= set(data)
    assert data["outcome"] == "answered"
    assert data["cost_usd"] == 0.0
    assert {"item", "label", "quote", "source", "verdict"} <= set(data["findings"][0])


def test_a_limit_that_was_hit_is_exit_code_3_with_the_best_answer(tmp_path):
    model = script(tmp_path, [LOOK, "It is 5."])
    result = rlm_studio(tmp_path, "ask", THREE_ROOMS, "How long?", "--model", model, "--max-turns", 1)
    assert result.returncode == 3
    assert result.stdout == "It is 5.\n"
    assert "The limit max_turns = 1 was reached" in result.stderr


def test_a_run_that_fails_is_exit_code_1_and_says_why(tmp_path):
    model = script(tmp_path, [{"error": "auth", "message": "the key is wrong"}])
    result = rlm_studio(tmp_path, "ask", THREE_ROOMS, "How long?", "--model", model, "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout)["reason"] == "the key is wrong"
    assert "\nthe key is wrong\nfailed · 1 call (1 failed)" in result.stderr


def test_a_server_that_cannot_be_reached_costs_nothing_and_is_named(tmp_path):
    where = ("--model", "openai/any", "--api-base", "http://127.0.0.1:1")
    result = rlm_studio(tmp_path, "ask", THREE_ROOMS, "How long?", "--strategy", "base", "--json", *where)
    assert result.returncode == 1
    assert "http://127.0.0.1:1" in json.loads(result.stdout)["reason"]
    assert json.loads(result.stdout)["cost_usd"] == 0.0
    assert "Traceback" not in result.stderr


def test_ctrl_c_cancels_the_run_in_order_and_is_exit_code_4(tmp_path):
    model = script(tmp_path, [LOOK], latency_s=30)
    with started(tmp_path, "ask", THREE_ROOMS, "Why?", "--model", model, "--json") as process:
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 4
    assert json.loads(out)["outcome"] == "cancelled"
    assert Store.open(tmp_path).runs()[0].outcome == "cancelled"


def test_a_run_whose_process_is_killed_is_interrupted_and_exit_code_5(tmp_path):
    (tmp_path / "settings.json").write_text('{"resume_after_crash": false}')
    model = script(tmp_path, [LOOK], latency_s=30)
    with started(tmp_path, "ask", THREE_ROOMS, "Why?", "--model", model) as process:
        process.stderr.readline()
        os.kill(run_process(tmp_path), signal.SIGKILL)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 5
    assert "was killed by SIGKILL" in said


def test_the_question_can_come_from_a_file_or_from_standard_input(tmp_path):
    model = script(tmp_path, [LOOK, ANSWER])
    file = tmp_path / "question.txt"
    file.write_text("Which of the rooms, \u2019really\u2019?", encoding="utf-8-sig")
    rlm_studio(tmp_path, "ask", THREE_ROOMS, "--question-file", file, "--model", model)
    rlm_studio(tmp_path, "ask", THREE_ROOMS, "--question-file", "-", "--model", model, stdin="From a pipe?")
    assert [row.question for row in Store.open(tmp_path).runs()] == ["From a pipe?", file.read_text("utf-8-sig")]


def test_several_files_and_folders_are_one_archive(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "b.md").write_text("# two")
    (tmp_path / "a.txt").write_text("one")
    model = script(tmp_path, ["```repl\nprint([doc.path for doc in context])\n```", ANSWER])
    paths = (tmp_path / "a.txt", tmp_path / "notes")
    assert rlm_studio(tmp_path / "home", "ask", *paths, "What?", "--model", model).returncode == 0
    shown = rlm_studio(tmp_path / "home", "show", "last")
    assert "['a.txt', 'b.md']" in shown.stdout


def test_what_a_model_says_cannot_act_on_the_terminal(tmp_path):
    said = '```repl\ncontext\nanswer["content"] = "\\x1b[2Jgone\\u202e"\nanswer["ready"] = True\n```'
    result = rlm_studio(tmp_path, "ask", THREE_ROOMS, "How?", "--model", script(tmp_path, [said, ANSWER]))
    assert "␛[2Jgone<U+202E>" in result.stdout
    assert not set(result.stdout + result.stderr) & set("\x1b\u202e")


def test_code_that_lies_in_the_folder_one_works_in_is_never_imported(tmp_path):
    folder = tmp_path / "upload"
    folder.mkdir()
    for name in ("json", "sqlite3", "click", "rlm_core"):
        (folder / f"{name}.py").write_text("raise SystemExit('hostile code ran')")
    (folder / "a.txt").write_text("A12 wet")
    result = rlm_studio(tmp_path / "home", "ask", ".", QUESTION, cwd=folder)
    assert result.returncode == 0, result.stderr


def test_a_run_goes_on_when_nobody_reads_its_progress_any_more(tmp_path):
    model = script(tmp_path, [LOOK, LOOK, ANSWER], latency_s=0.3)
    with started(tmp_path, "ask", THREE_ROOMS, "Why?", "--model", model) as process:
        process.stderr.readline()
        process.stderr.close()
        assert process.stdout.read() == "done\n"
    assert process.returncode == 0


def test_output_that_is_no_longer_read_ends_quietly(tmp_path):
    said = "```repl\ncontext\nanswer['content'] = 'x' * 1_000_000\nanswer['ready'] = True\n```"
    with started(tmp_path, "ask", THREE_ROOMS, "Why?", "--model", script(tmp_path, [said])) as process:
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 141


# ---------------------------------------------------------------------- what cannot be asked

REFUSED = {
    "an empty question": (2, ["{three_rooms}", " "], "The question is empty"),
    "a question of 5 MB": (2, ["{three_rooms}", "--question-file", "{long}"], "has 5,000,000 characters"),
    "a question that is no text": (2, ["{three_rooms}", "--question-file", "{binary}"], "is no UTF-8 text"),
    "a model nobody knows": (2, ["{three_rooms}", "Why?", "--model", "gpt5-mini"], "Similar names: gpt-5-mini"),
    "a strategy nobody knows": (2, ["{three_rooms}", "Why?", "--strategy", "rml"], "choose one of rlm"),
    "an option out of range": (2, ["{three_rooms}", "Why?", "--depth", "7"], "depth is 7; it must be one of"),
    "a server without a model": (2, ["{three_rooms}", "Why?", "--api-base", "http://h"], "Name a model of that server"),
    "a long question of nothing": (6, ["{folder}/nothing.zip", "Why? " * 1_000], "There is no file or folder"),
    "a limit of nothing": (2, ["{three_rooms}", "Why?", "--max-usd", "0"], "must be greater than 0"),
    "a path where nothing is": (6, ["{folder}/nothing.zip", "Why?"], "There is no file or folder"),
    **{f"an upload of {name}": (6, [f"{{folder}}/{name}", "Why?"], says) for name, (_, says) in UPLOADS.items()},
}


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """Every question of `REFUSED`, asked at once: most of their time is the start of a process."""
    folder = tmp_path_factory.mktemp("uploads")
    for name, (make, _) in UPLOADS.items():
        make(folder / name)
    (folder / "long").write_text("w" * 5_000_000)
    (folder / "binary").write_bytes(b"\xff\xfe\x00\x9d")
    places = {name: str(folder / name) for name in ("long", "binary")} | {"three_rooms": THREE_ROOMS, "folder": folder}

    def ask(name: str) -> subprocess.CompletedProcess[str]:
        arguments = [each.format(**places) for each in REFUSED[name][1]]
        return rlm_studio(folder / "home" / name, "ask", *arguments, "--json")

    with ThreadPoolExecutor(3) as pool:
        return dict(zip(REFUSED, pool.map(ask, REFUSED), strict=True))


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_one_clear_message_and_an_exit_code(refused, name):
    code, _, says = REFUSED[name]
    result = refused[name]
    assert result.returncode == code
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    if result.stdout:  # a command line that click refuses prints no object
        data = json.loads(result.stdout)
        assert (data["run"], data["outcome"], data["answer"]) == (None, "failed", None)
        assert says in data["reason"]
