"""What the jail leaves possible, and what lies just beyond what it allows. `test_sandbox_escapes.py` has the rest."""

import os
from pathlib import Path

import pytest


def test_a_fork_bomb_does_not_go_off(sandbox):
    child = sandbox()
    assert "PermissionError" in child.execute("import os\nwhile True: os.fork()").error
    bomb = "import threading, time\nfor n in range(100_000): threading.Thread(target=time.sleep, args=(1,), daemon=True).start()"
    result = child.execute(bomb)
    assert result.status == "failed"
    assert "can't start new thread" in result.error or "MemoryError" in result.error


def test_the_environment_is_that_of_every_child(sandbox):
    child = sandbox()
    assert child.execute("import os\ndict(os.environ)").output == "{'PYTHONHASHSEED': '0'}\n"


def test_packages_beside_the_standard_library_cannot_be_read(sandbox):
    folder = Path(os.__file__).parent / "site-packages"
    files = [path for path in folder.glob("*/*") if path.is_file()]
    if not files:
        pytest.skip("a Python whose library folder holds a site-packages with a package in it would run this")
    assert files[0].read_bytes() is not None  # without the jail it can be read
    result = sandbox().execute(f"open({str(files[0])!r}, 'rb')")
    assert "PermissionError" in result.error or "FileNotFoundError" in result.error


def test_our_own_package_can_neither_be_read_nor_imported(sandbox):
    child = sandbox()
    for module in ("rlm_core.keys", "rlm_core.lm.client", "rlm_core.sandbox.host"):
        assert "Error" in child.execute(f"import {module}").error
    assert "Error" in child.execute("import sys\nopen(sys.modules['rlm_core.sandbox.worker'].__file__)").error


def test_a_pair_of_sockets_and_an_event_loop_work(sandbox):
    code = "import socket\na, b = socket.socketpair()\na.sendall(b'x')\nb.recv(1)"
    assert sandbox().execute(code).output == "b'x'\n"
    code = "import asyncio\nasync def add(): return await asyncio.to_thread(sum, [1, 2])\nasyncio.run(add())"
    assert sandbox().execute(code).output == "3\n"
