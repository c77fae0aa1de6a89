import pytest
from click.testing import CliRunner
from console import rlm_studio

from rlm_core.cli.door import COMMANDS, door
from rlm_core.cli.exits import OF_OUTCOME


def run(*arguments):
    return CliRunner().invoke(door, list(arguments))


def test_help_names_every_command_and_every_exit_code():
    said = run("--help").stdout
    assert all(f"\n  {name} " in said for name in COMMANDS)
    assert all(f"{code} " in " ".join(said.split("Exit codes:")[1].split()) for code in {*OF_OUTCOME.values(), 2, 6})


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_of_its_own(name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: door {name} ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frobnicate"], "No such command 'frobnicate'"),
        (["ask"], "Missing argument"),
        (["ask", __file__], "A question is missing"),
        (["ask", "sample"], "A question is missing"),
        (["ask", "Which rooms?"], "The archive is missing: there is no file or folder 'Which rooms?'"),
        (["ask", "Which rooms? " * 1_000], "The archive is missing"),
        (["ask", "sample", "Why?", "--api-base", "http://127.0.0.1:1"], "the model is `demo`, which is built in"),
        (["ask", "archive.zip", __file__], "is a file. Write the question after the archive"),
        (["ask", "archive.zip", "Why?", "--max-usd", "much"], "'much' is not a valid float"),
        (["ask", "sample", "Why?", "--unsafe-sandbox", "--background"], "is for a run in the foreground"),
        (["inspect"], "Missing argument"),
        (["inspect", "a.zip", "--json", "--document", "b"], "exclude each other"),
        (["show"], "Missing argument 'RUN'"),
        (["runs", "--limit", "0"], "0 is not in the range"),
        (["--port", "70000"], "70000 is not in the range"),
    ],
)
def test_a_wrong_command_line_is_exit_code_2_with_a_reason(arguments, says):
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())
    assert not result.stdout


@pytest.mark.parametrize("imported", ["click", "sqlite_utils"])
def test_ctrl_c_while_the_program_is_still_being_loaded_is_one_word_and_exit_code_130(tmp_path, imported):
    stand_in = tmp_path / f"{imported}.py"
    stand_in.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    result = rlm_studio(tmp_path / "home", "runs", PYTHONPATH=str(tmp_path))
    assert result.returncode == 130
    assert result.stderr.strip() == "Stopped."


def test_a_wrong_command_line_is_told_by_the_console_script_as_well(tmp_path):
    result = rlm_studio(tmp_path, "frobnicate")
    assert (result.returncode, result.stdout) == (2, "")
    assert "Error: No such command 'frobnicate'." in result.stderr
