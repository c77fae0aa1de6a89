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


def test_a_file_that_is_no_log_is_refused_with_what_can_be_read(tmp_path):
    (tmp_path / "notes.txt").write_text("Not a log.\n")
    refused = rlm_studio(tmp_path / "home", "import", tmp_path / "notes.txt")
    assert refused.returncode != 0
    assert "notes.txt is no log that can be read here. What can: trajectories of rlms" in refused.stderr
