"""The built wheel holds everything that it needs, and runs outside the clone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The contents of the wheel, in a folder of their own."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_holds_assets_samples_prompts_and_the_licence(installed: Path) -> None:
    for name in (
        "app/static/logo.svg",
        "rlm_core/sample_data/maintenance.zip",
        "rlm_core/sample_data/runs/maintenance-demo.jsonl",
        "rlm_core/strategies/prompts/rlm_system.md",
        "rlm_core/lm/demo_lexicon.json",
    ):
        assert (installed / name).is_file(), name
    assert list(installed.glob("rlm_studio-*.dist-info/licenses/LICENSE"))
    assert list(installed.glob("rlm_studio-*.dist-info/entry_points.txt"))


def test_the_wheel_answers_the_three_room_question_outside_the_clone(installed: Path, tmp_path: Path) -> None:
    question = "In which rooms did the leak come back after it had been repaired?"
    archive = installed / "rlm_core" / "sample_data" / "three_rooms.txt"
    start = "import rlm_core, sys; assert rlm_core.__file__.startswith(sys.argv.pop(1)); from rlm_core.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start, str(installed), "ask", str(archive), question, "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed), "RLM_STUDIO_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["outcome"] == "answered"
    assert {each["item"]: each["label"] for each in result["findings"]} == {"A12": "yes", "B07": "no", "C02": "unknown"}
