"""Starting the app where it cannot start, and a page whose data folder is of no use."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from shown import texts
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parent.parent.parent


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "app", "--port", port, "--home", str(tmp_path)]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert ended.stderr == f"Port {port} of 127.0.0.1 is taken or not allowed. Choose another one with --port.\n"
    assert ended.stdout == ""


def test_a_data_folder_that_cannot_be_used_is_said_on_the_page(tmp_path: Path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("RLM_STUDIO_HOME", str(tmp_path / "file"))
    page = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=30).run()
    assert not page.exception
    assert str(tmp_path / "file") in texts(page)
