"""`rlm-studio import`: runs of other tools beside one's own."""

from __future__ import annotations

import json

from console import rlm_studio

LOG = [
    {"type": "metadata", "timestamp": "2026-03-01T10:00:00", "root_model": "big", "max_depth": 1, "max_iterations": 8},
    {
        "type": "iteration",
        "iteration": 1,
        "timestamp": "2026-03-01T10:00:05",
        "prompt": [{"role": "system", "content": "You have a REPL."}],
        "response": "Nine.",
        "code_blocks": [],
        "final_answer": "nine",
        "iteration_time": 5.0,
    },
]


def test_an_imported_run_is_shown_like_any_other_and_says_what_its_log_leaves_out(tmp_path):
    log = tmp_path / "trajectory.jsonl"
    log.write_text("".join(json.dumps(each) + "\n" for each in LOG))
    home = tmp_path / "home"
    run = rlm_studio(home, "import", log).stdout.strip()
    shown = rlm_studio(home, "show", run).stdout
    assert "Asked of an archive that was not recorded with rlm, depth 1; model big" in shown
    assert "note, not recorded: The log does not record the tokens of the root model's calls" in shown
    assert "nine" in shown
    again = rlm_studio(home, "import", log)
    assert again.returncode != 0
    assert f"The run {run} of this log is here already." in again.stderr


def test_of_a_log_that_has_grown_the_new_runs_are_named_and_the_others_said_to_be_here(tmp_path):
    log, home = tmp_path / "trajectory.jsonl", tmp_path / "home"
    log.write_text("".join(json.dumps(each) + "\n" for each in LOG))
    run = rlm_studio(home, "import", log).stdout.strip()
    with log.open("a") as more:
        more.write("".join(json.dumps(each) + "\n" for each in [LOG[0], LOG[1] | {"final_answer": "ten"}]))
    again = rlm_studio(home, "import", log)
    assert again.returncode == 0
    assert f"The run {run} of this log is here already" in again.stderr
    (new,) = again.stdout.split()
    assert new.startswith("log-")
    assert new != run


def test_a_run_whose_log_does_not_hold_the_archive_cannot_be_gone_on_from_and_says_why(tmp_path):
    log, home = tmp_path / "trajectory.jsonl", tmp_path / "home"
    cut_off = [LOG[0], LOG[1] | {"final_answer": None}]
    log.write_text("".join(json.dumps(each) + "\n" for each in cut_off))
    run = rlm_studio(home, "import", log).stdout.strip()
    for refused in (rlm_studio(home, "resume", run), rlm_studio(home, "fork", run, "--turn", "1")):
        assert refused.returncode != 0
        assert "its log does not hold the archive" in refused.stderr
    shown = rlm_studio(home, "show", run).stdout
    assert f"coverage: unknown. The run {run} was imported, and its log does not hold the archive" in shown


def test_a_log_of_times_that_cannot_be_leaves_the_list_of_runs_as_it_is(tmp_path):
    log, home = tmp_path / "trajectory.jsonl", tmp_path / "home"
    log.write_text("".join(json.dumps(each) + "\n" for each in [LOG[0], LOG[1] | {"iteration_time": float("inf")}]))
    run = rlm_studio(home, "import", log).stdout.strip()
    assert run in rlm_studio(home, "runs").stdout


def test_a_file_that_is_no_log_is_refused_with_what_can_be_read(tmp_path):
    (tmp_path / "notes.txt").write_text("Not a log.\n")
    refused = rlm_studio(tmp_path / "home", "import", tmp_path / "notes.txt")
    assert refused.returncode != 0
    assert "notes.txt is no log that can be read here. What can: trajectories of rlms" in refused.stderr
