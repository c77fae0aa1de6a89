"""Cells that would not end, would take everything, or would take their process down: what each ends as, and what is left."""

import time
from pathlib import Path

import pytest

from rlm_core.errors import SandboxError

SWALLOWING = "while True:\n    try:\n        for n in range(10**9): pass\n    except BaseException: pass"
DEEP = "import sys\nsys.setrecursionlimit(10 ** 9)\n"
STAYS = {
    # name: (code, status, words of the error)
    "loop": ("while True: pass", "timeout", "its time limit"),
    "loop of another function": ("import itertools\nfor each in itertools.count(): pass", "timeout", "its time limit"),
    "sleep": ("import time\ntime.sleep(10 ** 6)", "timeout", "its time limit"),
    "pattern that never ends": ("import re\nre.match('(a+)+b', 'a' * 40)", "timeout", "its time limit"),
    "text of 100 GB": ("'a' * 10 ** 11", "failed", "MemoryError"),
    "list of 800 GB": ("[0] * 10 ** 11", "failed", "MemoryError"),
    "format of 100 GB": ("f'{1:100000000000}'", "failed", "Error"),
    "growing list": ("rows = []\nwhile True: rows.append('x' * 100_000)", "failed", "`del` large variables"),
    "growing dict": ("rows = {}\nwhile True: rows[len(rows)] = bytearray(10_000)", "failed", "`del` large variables"),
    "growing by doubling": ("x = 'ab'\nwhile True: x += x", "failed", "`del` large variables"),
    "recursion": ("def down(): down()\ndown()", "failed", "RecursionError"),
    "leaving": ("import sys\nsys.exit()", "failed", "the variables stay"),
    "leaving by raising": ("raise SystemExit(3)", "failed", "the variables stay"),
    "interrupting itself": ("import signal\nsignal.raise_signal(signal.SIGINT)", "failed", "KeyboardInterrupt"),
    "digits of a large number": ("str(10 ** 100_000)", "failed", "ValueError"),
    "digits without a limit": (
        "import sys\nsys.set_int_max_str_digits(0)\nlen(str(7 ** 30_000_000))",
        "timeout",
        "its time limit",
    ),
    "interrupts held back": (
        "import signal\n_ = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\nwhile True: pass",
        "timeout",
        "its time limit",
    ),
    "interrupt caught once": ("try:\n    while True: pass\nexcept BaseException: pass", "timeout", "its time limit"),
    "interrupts held back, then a loop in the next cell": ("while True: pass", "timeout", "its time limit"),
    "threads": (
        "import threading\nend = threading.Event()\nwhile True: threading.Thread(target=end.wait, daemon=True).start()",
        "failed",
        "Error",
    ),
    "its own output closed": (
        "import sys\nsys.stdout.close()\nsys.stdout = None\n1 / 0",
        "failed",
        "ZeroDivisionError",
    ),
    "a text of itself that never ends": (
        "class Endless:\n    def __repr__(self):\n        while True: pass\nEndless()",
        "timeout",
        "its time limit",
    ),
}
BEFORE = {
    "interrupts held back, then a loop in the next cell": (
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "_ = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})"
    ),
}
GOES = {
    "swallows every interrupt": (SWALLOWING, "did not stop"),
    "ignores the interrupt": ("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass", "did not stop"),
    "another handler": ("import signal\nsignal.signal(signal.SIGINT, lambda *_: None)\nwhile True: pass", "did not stop"),
    "never lets go of the interpreter": ("sum(range(10 ** 12))", "did not stop"),
    "an answer whose text never ends": (
        "class Endless:\n    def __str__(self):\n        while True: pass\nanswer['content'] = Endless()\nanswer['ready'] = True",
        "did not stop",
    ),
    "exit": ("import os\nos._exit(0)", "ended its own process (exit code 0)"),
    "abort": ("import os\nos.abort()", "crashed Python itself"),
    "segmentation fault": ("import ctypes\nctypes.string_at(0)", "SIGSEGV"),
    "wild pointer": ("import ctypes\nctypes.memset(id(None), 255, 64)\nNone", "crashed Python itself"),
    "recursion through C": (f"{DEEP}class Deep:\n    def __repr__(self): return repr(self)\nrepr(Deep())", "lost"),
}  # fmt: skip


@pytest.mark.parametrize("name", STAYS)
def test_a_runaway_that_can_be_held_is_an_error_of_its_cell_and_no_variable_is_lost(sandbox, name):
    code, status, words = STAYS[name]
    child = sandbox(limits={"timeout_s": 1.0, "grace_s": 2.0, "memory_mb": 200})
    assert child.execute(f"kept = [1, 2]\n{BEFORE.get(name, '')}").status == "ok"
    result = child.execute(code)
    assert result.status == status, result
    assert words in result.error
    after = child.execute("print(kept)")
    assert after.status == "ok"
    assert after.output.endswith("[1, 2]\n")


@pytest.mark.parametrize("name", GOES)
def test_a_runaway_that_nothing_else_stops_is_ended_and_the_next_one_starts_at_once(sandbox, name):
    code, words = GOES[name]
    child = sandbox(limits={"timeout_s": 0.5, "grace_s": 0.3})
    started = time.monotonic()
    result = child.execute(f"print('seen')\n{code}")
    assert time.monotonic() - started < 5
    assert (result.status, result.output) == ("killed", "seen\n"), result
    assert words in result.error, result.error
    with pytest.raises(SandboxError, match="The sandbox is gone"):
        child.execute("1")
    child.close()
    assert not Path(f"/proc/{child.pid}").exists()
    assert sandbox().execute("1").output == "1\n"


@pytest.mark.parametrize("number", ["SIGSTOP", "SIGKILL", "SIGTERM"])
def test_a_signal_to_itself_ends_a_child_or_is_nothing_to_it(sandbox, number):
    """In a room the child is the first process, which the kernel shields from signals of its own."""
    child = sandbox(limits={"timeout_s": 0.5, "grace_s": 0.3})
    result = child.execute(f"import os, signal\nos.kill(os.getpid(), signal.{number})\nprint('here')")
    assert (result.status, result.output) in (("ok", "here\n"), ("killed", ""))
    if result.status == "ok":
        assert child.execute("1").output == "1\n"


def test_one_print_of_half_the_memory_is_kept_at_its_ends(sandbox):
    child = sandbox(limits={"memory_mb": 256, "captured_chars": 10_000})
    result = child.execute("print('first' + 'y' * 100_000_000 + 'last')")
    assert (result.status, result.output_chars) == ("ok", 100_000_010)
    assert result.output.startswith("firsty")
    assert result.output.endswith("ylast\n")


def test_an_answer_that_is_too_large_to_hand_over_is_an_error(sandbox):
    result = sandbox().execute("kept = 1\nFINAL('x' * 300_000_000)")
    assert (result.status, result.answer) == ("failed", None)
    assert "too large to hand over" in result.error
