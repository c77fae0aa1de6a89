"""Files that hang, break or outlive the process that turns them into text."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from rlm_core.corpus.converter import Converter
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.readers import readers_with

ENDLESS = b"<html>" + b"<li><dd>" * 40_000
"""Takes the parser the square of its length."""
NORMAL = b"<p>a normal page</p>"

ORPHAN = """
import os, sys, threading, time
from rlm_core.corpus.converter import Converter
converter = Converter(timeout_s=1)
converter.read("html", b"<p>started")
print(converter.pid, flush=True)
if sys.argv[1] == "busy":
    threading.Thread(target=converter.read, args=("html", b"<html>" + b"<li><dd>" * 60_000), daemon=True).start()
    time.sleep(0.3)
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def converter():
    with closing(Converter()) as converter:
        yield converter


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_one_process_serves_many_files_and_ends_with_the_converter(converter):
    assert converter.pid is None
    assert converter.read("html", NORMAL).text == "a normal page"
    pid = converter.pid
    assert [converter.read("html", b"<p>%d" % number).text for number in range(20)][-1] == "19"
    assert converter.pid == pid
    assert is_alive(pid)
    converter.close()
    assert not is_alive(pid)
    converter.close()


def test_a_page_that_hangs_the_parser_costs_itself_and_is_shown_as_its_source():
    with closing(Converter(timeout_s=2)) as converter:
        read_html = readers_with(converter)["html"]
        reading = read_html(ENDLESS)
        assert reading.text == ENDLESS.decode()
        assert "Reading it took longer than 3 s" in reading.warning
        assert "Its source is shown as it is" in reading.warning
        assert converter.pid is None
        assert (read_html(NORMAL).text, read_html(NORMAL).warning) == ("a normal page", "")


def test_a_page_that_takes_too_much_memory_costs_itself():
    with closing(Converter(memory_mb=100)) as converter:
        with pytest.raises(Refused):
            converter.read("html", b"<p>x" * 1_000_000)
        assert converter.read("html", NORMAL).text == "a normal page"


def test_a_process_that_died_is_replaced(converter):
    converter.read("html", NORMAL)
    first = converter.pid
    os.kill(first, signal.SIGKILL)
    while is_alive(first):
        time.sleep(0.01)
    assert converter.read("html", NORMAL).text == "a normal page"
    assert converter.pid != first


def test_what_no_module_converts_is_refused_with_the_reason(converter):
    with pytest.raises(Refused, match="KeyError"):
        converter.read("poem", b"roses")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc, as Linux has it")
def test_the_process_is_told_nothing_of_the_environment(converter):
    converter.read("html", NORMAL)
    names = {each.partition(b"=")[0] for each in Path(f"/proc/{converter.pid}/environ").read_bytes().split(b"\0")}
    assert names - {b""} == {b"PYTHONHASHSEED", b"PYTHONPATH"}


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_the_process_does_not_outlive_a_parent_that_was_killed(state):
    parent = subprocess.run([sys.executable, "-c", ORPHAN, state], capture_output=True, text=True, check=False)
    assert parent.returncode == -signal.SIGKILL, parent.stderr
    pid, deadline = int(parent.stdout), time.monotonic() + 30
    while is_alive(pid):
        assert time.monotonic() < deadline, "the converter lives on"
        time.sleep(0.05)


def test_an_upload_leaves_no_process_behind(read):
    before = _children()
    assert read({"a.html": NORMAL, "b.html": b"<p>b"}).text("b.html") == "b"
    assert _children() == before


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
