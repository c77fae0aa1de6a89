import time
from pathlib import Path

import pytest

from rlm_core.errors import SandboxError


def test_a_cell_that_never_ends_is_interrupted_and_keeps_its_variables(sandbox):
    child = sandbox(limits={"timeout_s": 0.3})
    result = child.execute("a = 1\nprint('before')\nwhile True: pass")
    assert (result.status, result.output) == ("timeout", "before\n")
    assert "cell 1, line 3" in result.error
    assert "its time limit of 0.3 s" in result.error
    assert [row["name"] for row in result.variables] == ["a"]
    assert child.execute("a").output == "1\n"


@pytest.mark.parametrize(
    "waiting",
    [
        "import time\ntime.sleep(60)",
        "import threading\nthreading.Event().wait()",
        "import asyncio\nawait asyncio.sleep(60)",
        "import asyncio\nasyncio.run(asyncio.sleep(60))",
        "import re\nre.match('(a+)+b', 'a' * 40)",
    ],
)
def test_waiting_and_slow_patterns_can_be_interrupted_too(sandbox, waiting):
    child = sandbox(limits={"timeout_s": 1.0})
    assert child.execute(f"a = 1\n{waiting}").status == "timeout"
    assert child.execute("a").output == "1\n"


def test_a_cell_that_catches_the_interrupt_and_ends_is_still_told(sandbox):
    child = sandbox(limits={"timeout_s": 0.3})
    result = child.execute("try:\n    for n in range(10**9): pass\nexcept BaseException:\n    x = 'caught'")
    assert result.status == "timeout"
    assert child.execute("x").output == "'caught'\n"


def test_a_cell_that_swallows_every_interrupt_is_ended(sandbox):
    child = sandbox(limits={"timeout_s": 0.3, "grace_s": 0.3})
    result = child.execute(
        "print('seen')\nwhile True:\n    try:\n        for n in range(10**9): pass\n    except BaseException: pass"
    )
    assert (result.status, result.output) == ("killed", "seen\n")
    assert "did not stop" in result.error
    assert "All variables are lost" in result.error
    with pytest.raises(SandboxError, match="The sandbox is gone: The cell did not stop"):
        child.execute("1")


def test_a_cell_that_blocks_in_c_code_is_ended(sandbox):
    child = sandbox(limits={"timeout_s": 0.3, "grace_s": 0.3})
    started = time.monotonic()
    assert child.execute("sum(range(10 ** 12))").status == "killed"
    assert time.monotonic() - started < 3


def test_an_interrupt_never_reaches_the_next_cell(sandbox):
    child = sandbox(limits={"timeout_s": 0.05, "grace_s": 2.0})
    for _ in range(20):
        assert child.execute("import time\ntime.sleep(0.049)").status in ("ok", "timeout")
        assert child.execute("x = 1").status == "ok"


@pytest.mark.parametrize("code", ["x = 'a' * 10**11", "import mmap\nmmap.mmap(-1, 10**10)", "x = bytearray(10**9)"])
def test_one_large_allocation_is_an_error_of_the_cell(sandbox, code):
    child = sandbox(limits={"memory_mb": 256})
    result = child.execute("kept = 1\n" + code)
    assert result.status == "failed"
    assert "MemoryError" in result.error or "Error" in result.error
    assert child.execute("kept").output == "1\n"


def test_growing_until_memory_is_full_is_an_error_of_the_cell_and_can_be_undone(sandbox):
    child = sandbox(limits={"memory_mb": 128})
    result = child.execute("rows = []\nwhile True:\n    rows.append('x' * 1000)")
    assert result.status == "failed"
    assert "`del` large variables" in result.error
    assert child.execute("len(rows) > 50_000").output.endswith("True\n")
    assert child.execute("del rows\nx = bytearray(64 * 1024 * 1024)\nlen(x)").output == "67108864\n"


def test_a_cell_that_catches_its_memory_error_goes_on(sandbox):
    child = sandbox(limits={"memory_mb": 128})
    result = child.execute("rows = []\ntry:\n    while True: rows.append(bytes(10_000))\nexcept MemoryError:\n    pass")
    assert result.status == "ok"
    assert child.execute("del rows\n1").output.endswith("1\n")


def test_memory_is_counted_on_top_of_the_document(sandbox):
    child = sandbox([("a.txt", "x" * 50_000_000)], limits={"memory_mb": 32})
    assert child.execute("y = bytearray(12 * 1024 * 1024)\nlen(context)").output == "50000000\n"


def test_output_up_to_the_limit_arrives_whole(sandbox):
    result = sandbox().execute("for n in range(1000): print('x' * 99)")
    assert result.output == ("x" * 99 + "\n") * 1000
    assert result.output_chars == 100_000


def test_a_flood_of_output_is_fast_and_small_on_both_sides(sandbox):
    child = sandbox()
    own = own_megabytes()
    started = time.monotonic()
    result = child.execute("print('first')\ns = 'y' * 99999\nfor i in range(2000):\n    print(s)\nprint('last')")
    assert time.monotonic() - started < 3
    assert result.output_chars == 200_000_011
    assert len(result.output) < 1_000_100
    assert result.output.startswith("first\nyyy")
    assert result.output.endswith("yyy\nlast\n")
    assert "\n[... 199,000,011 characters not kept ...]\n" in result.output
    assert own_megabytes() - own < 20
    assert peak_megabytes(child.pid) < 40


def test_many_small_lines_of_many_threads_are_all_counted(sandbox):
    code = (
        "import threading\n"
        "def chat():\n    for n in range(2000): print('0123456789')\n"
        "threads = [threading.Thread(target=chat) for _ in range(8)]\n"
        "for t in threads: t.start()\nfor t in threads: t.join()"
    )
    result = sandbox().execute(code)
    assert result.output_chars == 8 * 2000 * 11
    assert result.output.count("0123456789") == 16_000


def own_megabytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 1_000_000


def peak_megabytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 // 1_000_000
