"""What the documents say is true: commands exist, files exist, and nothing that can happen goes unexplained."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rlm_core.events import BODIES
from rlm_core.strategies import STRATEGIES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TESTS_COMMAND = ".venv/bin/python -m pytest"


def shell_lines(text: str) -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines() if line.strip()]


def test_the_whole_check_runs_the_commands_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    setup = [line for line in shell_lines(README) if "pip install" in line]
    assert len(setup) == 2
    assert "README.md" in script
    assert setup[1].endswith(TESTS_COMMAND)


@pytest.mark.parametrize("line", [line for line in shell_lines(README) if "rlm-studio" in line and "pip" not in line])
def test_every_command_of_the_readme_is_understood(line: str) -> None:
    words = re.sub(r'"[^"]*"', "QUESTION", line).split()
    command = words[words.index(next(word for word in words if word.endswith("rlm-studio"))) + 1]
    arguments = [sys.executable, "-c", "from rlm_core.cli import main; main()", command, "--help"]
    said = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    for option in re.findall(r"--[\w-]+", line):
        assert option in said, f"{command} has no {option}"


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)\)", README))
def test_every_file_that_the_readme_links_is_there(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize("name", BODIES)
def test_every_event_is_explained_by_itself_or_by_its_fields(name: str) -> None:
    body = BODIES[name]
    documented = inspect.getdoc(body) or ""
    assert not documented.startswith(f"{name}("), f"{name} has no docstring of its own"


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_says_what_it_does(name: str) -> None:
    assert STRATEGIES[name].says
    assert inspect.getdoc(STRATEGIES[name].run)


def test_no_document_speaks_of_anything_but_the_project() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    for name in tracked or []:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".lock", ".json"} and path.is_file():
            assert not re.search(r"/wo" r"rk/|pypi\.o" r"rg|pythonho" r"sted", path.read_text(encoding="utf-8")), name
