"""Fork, resume and approve on the command line, and a question put to a person at a terminal."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest
from console import ANSWER, LOOK, SCRIPT, THREE_ROOMS, environment, rlm_studio, run_process, script, started

from rlm_core.store.store import Store

MANY = "```repl\nprint(llm_query_batched(['one', 'two', 'three']))\n```"


def ask(home: Path, *root: str, more: tuple[str | int, ...] = ()) -> str:
    """The id of a run of a scripted model, ended."""
    rlm_studio(home, "ask", THREE_ROOMS, "How many?", "--model", script(home, list(root)), *map(str, more))
    return Store.open(home).runs()[0].id


def test_a_fork_says_what_is_replayed_for_nothing_and_answers_from_the_edited_turn_on(tmp_path):
    run = ask(tmp_path, LOOK, MANY, ANSWER)
    code = 'answer["content"] = "by hand"\nanswer["ready"] = True\n'
    result = rlm_studio(tmp_path, "fork", run, "--turn", 3, "--code", "-", stdin=code)
    assert (result.returncode, result.stdout) == (0, "by hand\n")
    assert f"Goes on from {run} at turn 3: replays 2 turns, 5 calls, $0.00 for nothing." in result.stderr
    said = [line.partition("  [")[0] for line in result.stderr.splitlines()]
    assert f"turn 1: replayed from {run}" in said
    assert "turn 2, cell 1: ok, 3 helper calls, 3 of them replayed, printed 22 characters" in said
    assert "turn 3: runs code that a person wrote" in said
    assert "(6 replayed)" in result.stderr.splitlines()[-1]
    shown = rlm_studio(tmp_path, "show", "last").stdout
    assert f"Goes on from {run} at turn 3, with code that a person wrote\n" in shown
    assert f" · replayed from {run} says:" in shown
    assert " · written by a person says:" in shown


def test_a_fork_with_other_models_and_limits_asks_the_model_again(tmp_path):
    run = ask(tmp_path, LOOK, ANSWER)
    other = script(tmp_path, [LOOK, "It is five."])
    result = rlm_studio(tmp_path, "fork", "last", "--turn", 2, "--root-model", other, "--max-turns", 2, "--json")
    assert json.loads(result.stdout)["outcome"] == "forced"
    row = Store.open(tmp_path).runs()[0]
    assert (row.parent_run, row.root_model) == (run, other)
    assert "turn 2: the model was asked" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("fork", "last", "--turn", "9"), 2, "no turn 9; its turns are 1 to 2"),
        (("fork", "last", "--turn", "1", "--model", "no-such-model"), 2, "no-such-model"),
        (("resume", "last"), 2, "nothing to take up"),
        (("approve", "last"), 2, "has ended, so it waits for nobody's word"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_stored(tmp_path, arguments, code, says):
    ask(tmp_path, LOOK, ANSWER)
    result = rlm_studio(tmp_path, *arguments)
    assert result.returncode == code
    assert says in result.stderr
    assert len(Store.open(tmp_path).runs()) == 1


def test_a_cancelled_run_is_resumed_and_pays_for_nothing_twice(tmp_path):
    model = script(tmp_path, [LOOK, ANSWER], latency_s=0.5)
    with started(tmp_path, "ask", THREE_ROOMS, "Why?", "--model", model) as process:
        while "turn 2" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
    first = Store.open(tmp_path).runs()[0]
    assert first.outcome == "cancelled"
    result = rlm_studio(tmp_path, "resume", first.id)
    assert f"Goes on from {first.id}: replays 1 turn, 1 call" in result.stderr
    assert Store.open(tmp_path).runs()[0].parent_run == first.id


def test_in_the_background_the_id_is_printed_and_the_job_knows_where_it_goes_on_from(tmp_path):
    run = ask(tmp_path, LOOK, ANSWER)
    result = rlm_studio(
        tmp_path, "fork", run, "--turn", 2, "--instruction", "Count twice.", "--ask-above-usd", 0.5, "--background"
    )
    (job,) = Store.open(tmp_path).jobs("queued")
    assert result.stdout == f"{job.id}\n"
    assert job.origin
    assert (job.origin.run, job.origin.fork and job.origin.fork.instruction) == (run, "Count twice.")
    assert job.task.limits.ask_above_usd == 0.5


def test_without_a_terminal_it_is_said_how_to_answer_and_the_run_waits(tmp_path):
    model = script(tmp_path, [MANY, ANSWER, ANSWER])
    with started(tmp_path, "ask", THREE_ROOMS, "Why?", "--model", model, "--ask-above-calls", 2) as process:
        line = ""
        while "The run waits" not in line:
            line = process.stderr.readline()
        run = Store.open(tmp_path).runs()[0].id
        assert (
            f"The code wants to make 3 helper calls, which cost nothing. The run waits. To let it: rlm-studio approve {run}."
            in line
        )
        answered = rlm_studio(tmp_path, "approve", "last")
        assert (answered.returncode, answered.stdout) == (0, f"The run {run} was told to send them.\n")
    assert Store.open(tmp_path).runs()[0].calls == 3 + 3


@pytest.mark.parametrize(("typed", "calls"), [("maybe\ny\n", 3 + 3), ("n\n", 3)])
def test_at_a_terminal_the_question_is_put_and_answered_with_y_or_n(tmp_path, typed, calls):
    said = at_terminal(tmp_path, typed)
    assert "3 helper calls, which cost nothing. Send them? [y/n]" in said
    assert ("Please answer y or n" in said) == ("maybe" in typed)
    row = Store.open(tmp_path).runs()[0]
    assert (row.outcome, row.calls) == ("answered", calls)


def test_ctrl_c_at_the_question_cancels_the_run(tmp_path):
    at_terminal(tmp_path, "\x03")
    assert Store.open(tmp_path).runs()[0].outcome == "cancelled"


def at_terminal(home: Path, typed: str) -> str:
    """What a person sees who types this once the question is put."""
    theirs, ours = pty.openpty()
    model = script(home, [MANY, ANSWER, ANSWER])
    process = subprocess.Popen(
        [SCRIPT, "ask", THREE_ROOMS, "Why?", "--model", model, "--ask-above-calls", "2"],
        env=environment(home),
        stdin=ours,
        stdout=subprocess.DEVNULL,
        stderr=ours,
        start_new_session=True,
        preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
    )
    os.close(ours)
    said, until = "", time.monotonic() + 30
    while time.monotonic() < until:
        try:
            said += os.read(theirs, 4096).decode("utf-8", "replace")
        except OSError:  # the other end was closed: the command has ended
            break
        if typed and "[y/n]" in said:
            time.sleep(0.2)
            os.write(theirs, typed.encode())
            typed = ""
    process.wait(20)
    os.close(theirs)
    return said


def test_a_run_whose_process_is_killed_is_taken_up_once_more_in_the_foreground(tmp_path):
    model = script(tmp_path, [LOOK, ANSWER], latency_s=0.7)
    with started(tmp_path, "ask", THREE_ROOMS, "Why?", "--model", model) as process:
        while "turn 2" not in process.stderr.readline():
            pass
        run = Store.open(tmp_path).runs()[0].id
        os.kill(run_process(tmp_path), signal.SIGKILL)
        answer, _ = process.communicate(timeout=20)
    assert (process.returncode, answer) == (0, "done\n")
    second, first = Store.open(tmp_path).runs()
    assert (first.outcome, second.id, second.parent_run) == ("interrupted", f"{run}.2", run)
