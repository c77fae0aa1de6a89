"""Folders for work under way: gone with their work, and found again when the process that held them was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rlm_core.held_folder import held_folder, remove_abandoned

HOLDS_ONE = """
import sys, time
from pathlib import Path
from rlm_core.held_folder import held_folder
with held_folder(Path(sys.argv[1]), ".new-") as folder:
    (folder / "half").write_text("written")
    print(folder, flush=True)
    time.sleep(60)
"""


def test_a_folder_is_there_for_as_long_as_its_work(tmp_path: Path):
    with held_folder(tmp_path / "made" / "too", "") as folder:
        (folder / "inner").mkdir()
    assert list((tmp_path / "made" / "too").iterdir()) == []
    with pytest.raises(ValueError, match="went wrong"), held_folder(tmp_path, "") as folder:
        raise ValueError("went wrong")
    assert not folder.exists()


def test_a_folder_that_was_moved_to_its_place_stays_there(tmp_path: Path):
    with held_folder(tmp_path, ".new-") as folder:
        folder.rename(tmp_path / "kept")
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]


def test_what_a_killed_process_left_behind_goes_and_what_is_in_use_stays(tmp_path: Path):
    command = [sys.executable, "-c", HOLDS_ONE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        left = Path(process.stdout.readline().strip())
        remove_abandoned(tmp_path, ".new-")
        assert left.is_dir()
        process.kill()
        process.wait()
    (tmp_path / ".new-file").write_text("no folder")
    (tmp_path / "other").mkdir()
    (tmp_path / ".new-link").symlink_to(tmp_path / "other")
    remove_abandoned(tmp_path, ".new-")
    assert sorted(each.name for each in tmp_path.iterdir()) == [".new-file", ".new-link", "other"]


def test_where_nothing_was_ever_held_there_is_nothing_to_remove(tmp_path: Path):
    remove_abandoned(tmp_path / "none", "")
    assert not (tmp_path / "none").exists()
