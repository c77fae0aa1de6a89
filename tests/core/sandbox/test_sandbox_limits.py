import os
import re
import time
from pathlib import Path

import pytest
from sandboxes import Echo, write_context

from rlm_core.errors import SandboxError
from rlm_core.sandbox import usage
from rlm_core.sandbox.contract import CellLimits
from rlm_core.sandbox.host import Sandbox


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


MANY_PAGE_TABLES = (
    "import mmap\n"
    "m = mmap.mmap(-1, {size}, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)\n"
    "for place in range(0, {size}, 1 << 21): m[place]\n"
    "kept = 1"
)


def test_page_tables_are_bounded_by_the_addresses_that_a_cell_may_use(sandbox):
    child = sandbox(limits={"memory_mb": 256})
    result = child.execute(MANY_PAGE_TABLES.format(size=1 << 40))
    assert result.status == "failed"
    assert "Cannot allocate memory" in result.error
    assert child.execute(MANY_PAGE_TABLES.format(size=600 << 20)).status == "ok"
    assert usage.of(child.pid).memory_bytes < 30_000_000


def test_room_for_addresses_is_on_top_of_large_documents(tmp_path):
    files = write_context(tmp_path, [("a.txt", "x"), ("b.txt", "y")])
    os.truncate(files.text, 2_000_000_000)  # sparse, and mapped as a whole
    with Sandbox(files, Echo(), CellLimits(memory_mb=64)) as child:
        result = child.execute("import asyncio, sqlite3, ssl, threading\nx = bytearray(40_000_000)\nlen(x), context[1]")
    assert result.output == "(40000000, 'y')\n"


def test_memory_that_the_kernel_does_not_count_ends_the_child_and_is_bounded_until_then(sandbox):
    child = sandbox(limits={"memory_mb": 64})
    result = child.execute(
        "import ctypes, time\nlibc = ctypes.CDLL(None)\nlibc.mmap.restype = ctypes.c_void_p\nsize, held = 32 << 20, 0\n"
        "while (place := libc.mmap(None, ctypes.c_size_t(size), 3, 0x22, -1, ctypes.c_long(0))) != 2**64 - 1:\n"
        "    ctypes.memset(place, 1, size)\n"
        "    libc.mprotect(ctypes.c_void_p(place), ctypes.c_size_t(size), 1)\n"
        "    held += 32\n"
        "print(held)\ntime.sleep(10)"
    )
    assert result.status == "killed"
    assert re.match(r"The cell used \d+ MB of memory; at most 64 MB are allowed. Work on smaller pieces.", result.error)
    assert result.output == "" or int(result.output) <= 64 + 512
    with pytest.raises(SandboxError, match="The sandbox is gone: The cell used"):
        child.execute("1")


@pytest.mark.skipif(
    os.geteuid() != 0, reason="running as root would show that its threads are limited by the kernel, too"
)
def test_the_threads_of_a_cell_are_bounded_and_the_child_lives_on(sandbox):
    child = sandbox()
    result = child.execute(
        "import _thread\n_ = _thread.stack_size(32768)\nlock, started = _thread.allocate_lock(), 0\n_ = lock.acquire()\n"
        "def wait():\n    with lock: pass\n"
        "try:\n    while started < 15_000: _thread.start_new_thread(wait, ()); started += 1\n"
        "except RuntimeError as error:\n    print(error, started)"
    )
    assert result.output == "can't start new thread 998\n"
    assert usage.of(child.pid).threads == 1_000
    assert child.execute("lock.release()").status == "ok"
    assert (
        child.execute("import threading, time\ntime.sleep(0.3)\nthreading.Thread(target=print).start()").status == "ok"
    )


def test_two_children_do_not_take_threads_from_each_other(sandbox):
    code = (
        "import threading\nend = threading.Event()\n"
        "for n in range(700): threading.Thread(target=end.wait, daemon=True).start()"
    )
    assert [sandbox().execute(code).status for _ in range(2)] == ["ok", "ok"]


def test_threads_that_a_cell_left_behind_are_looked_at_between_cells(sandbox):
    child = sandbox(limits={"memory_mb": 64})
    child.execute(
        "import threading, time, ctypes\ndef later():\n    time.sleep(0.1)\n    libc = ctypes.CDLL(None)\n"
        "    libc.mmap.restype = ctypes.c_void_p\n    size = 32 << 20\n"
        "    while (place := libc.mmap(None, ctypes.c_size_t(size), 3, 0x22, -1, ctypes.c_long(0))) != 2**64 - 1:\n"
        "        ctypes.memset(place, 1, size)\n"
        "        libc.mprotect(ctypes.c_void_p(place), ctypes.c_size_t(size), 1)\n"
        "threading.Thread(target=later).start()"
    )
    time.sleep(1.2)
    with pytest.raises(SandboxError, match="The sandbox is gone: The cell used"):
        child.execute("1")


def test_too_much_is_told_from_much():
    start = usage.Usage(memory_bytes=50 << 20, threads=2)
    assert usage.excess(usage.Usage((50 + 64 + 128) << 20, 1_000), start, memory_mb=64) is None
    assert usage.excess(usage.Usage((50 + 64 + 129) << 20, 2), start, memory_mb=64).startswith("The cell used 193 MB")
    assert usage.excess(usage.Usage(0, 1_001), start, memory_mb=64).startswith("The cell had 1,001 threads")


def test_a_process_that_is_not_there_uses_nothing_that_could_be_said():
    assert usage.of(2**22 + 1) is None


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
