"""Every escape probe, as root and as an ordinary user, in bubblewrap and without it: each is refused, and the child lives on."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from escape_probes import HELD, IN_A_ROOM, REFUSED

NOBODY = 65534
HOST = Path(__file__).with_name("escape_host.py")
ERRORS_OF_THE_SYSTEM = (
    "PermissionError:", "FileNotFoundError:", "OSError:", "BlockingIOError:", "ProcessLookupError:", "NotADirectoryError:",
    "socket.gaierror:", "urllib.error.URLError:", "ConnectionRefusedError:", "RuntimeError: can't start new", "Errno 13",
)  # fmt: skip


@cache
def python_for(user: str) -> list[str]:
    """How to start a Python as this user; empty where that is not possible."""
    if user == "this user":
        return [sys.executable]
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return []
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]
    code = (
        f"import os, sys; sys.path.insert(0, {str(HOST.parents[3])!r}); import rlm_core.errors\n"
        "assert sys.version_info >= (3, 11) and os.access(sys._base_executable, os.X_OK)"
    )
    for python in (sys.executable, os.path.realpath(sys.executable), "/usr/local/bin/python3", "/usr/bin/python3"):
        if subprocess.run([*as_nobody, python, "-c", code], capture_output=True, cwd="/").returncode == 0:
            return [*as_nobody, python]
    return []


@pytest.fixture(scope="session")
def tried(tmp_path_factory):
    """`tried(user, way)` is what became of every probe."""
    library = Path(next((Path(sys.base_prefix) / "lib").glob("python3.*/lib-dynload/_struct*.so"), sys.executable))

    @cache
    def run(user, way):
        python = python_for(user)
        if not python:
            pytest.skip(
                "root, setpriv and a Python 3.11 that any user can start would run this as an ordinary user, too"
            )
        if way == "room" and shutil.which("bwrap") is None:
            pytest.skip("bubblewrap would run this in a room of its own, too")
        outside = Path("/tmp", f"outside-{os.getpid()}-{user.replace(' ', '-')}-{way}")
        outside.mkdir(mode=0o777)
        try:
            outside.chmod(0o777)
            (outside / "canary.txt").write_text("canary")
            (outside / "canary.txt").chmod(0o666)
            shutil.copyfile(library, outside / "library.so")
            environment = {
                "OPENAI_API_KEY": "sk-canary",
                "LANG": "C.UTF-8",
                "HOME": "/root" if user != "nobody" else "/tmp",
            }
            environment["PATH"] = os.environ["PATH"] if way == "room" else "/nowhere"
            command = [shutil.which(python[0]), *python[1:], str(HOST), str(outside)]
            done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd="/", timeout=100)
            assert done.returncode == 0, done.stderr
            found = json.loads(done.stdout)
            found["outside"] = sorted(each.name for each in outside.iterdir())
            found["canary"] = (outside / "canary.txt").read_text()
        finally:
            shutil.rmtree(outside)
        return found

    return run


CASES = [(user, way) for user in ("this user", "nobody") for way in ("room", "no room")]


@pytest.mark.parametrize(("user", "way"), CASES)
@pytest.mark.parametrize("probe", REFUSED)
def test_what_a_cell_must_not_do_is_refused(tried, user, way, probe):
    status, output, error, alive = tried(user, way)["became"][probe]
    assert status == "failed", (output, error)
    assert any(each in error for each in ERRORS_OF_THE_SYSTEM), error
    assert "ESCAPED" not in output
    assert alive


@pytest.mark.parametrize(("user", "way"), CASES)
@pytest.mark.parametrize("probe", HELD)
def test_what_a_cell_must_not_find_is_not_there(tried, user, way, probe):
    assert tried(user, way)["became"][probe] == ["ok", "held\n", None, True]


@pytest.mark.parametrize("user", ["this user", "nobody"])
@pytest.mark.parametrize("probe", IN_A_ROOM)
def test_in_a_room_a_cell_does_not_even_see_that_other_files_exist(tried, user, probe):
    status, _, error, alive = tried(user, "room")["became"][probe]
    assert (status, alive) == ("failed", True)
    assert "FileNotFoundError" in error


@pytest.mark.parametrize(("user", "way"), CASES)
def test_the_kernel_limits_the_threads_of_each_child_where_it_can_count_them(tried, user, way):
    found = tried(user, way)
    if found["user"] != 0 and way == "no room":
        pytest.skip(
            "the kernel would count all processes of the user; `usage.py` looks from outside, see test_sandbox_life.py"
        )
    assert found["threads"] == ["can't start new thread\n"] * 2


@pytest.mark.parametrize(("user", "way"), CASES)
def test_after_all_of_it_nothing_was_written_or_reached_and_the_layers_are_told(tried, user, way):
    found = tried(user, way)
    assert found["user"] == (NOBODY if user == "nobody" else os.geteuid())
    assert (found["outside"], found["canary"]) == (["canary.txt", "library.so"], "canary")
    assert not found["reached"]
    assert found["jailed"]
    assert any("bubblewrap" in layer for layer in found["layers"]) == (way == "room")
    assert any("bubblewrap is not installed" in each for each in found["missing"]) == (way != "room")
