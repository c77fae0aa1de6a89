import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from sandboxes import Echo, without, write_context

from rlm_core.errors import SandboxError
from rlm_core.sandbox import bubblewrap, spawn
from rlm_core.sandbox.contract import CellLimits
from rlm_core.sandbox.host import Sandbox
from rlm_core.sandbox.probe import protection


def alive(pid: int) -> bool:
    """Whether the process is there and not just waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid: int, within_s: float = 3.0) -> bool:
    until = time.monotonic() + within_s
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


def in_background(call):
    results = []
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()
    return thread, results


def test_closing_leaves_no_process_and_can_be_repeated(sandbox):
    child = sandbox()
    pid = child.pid
    assert alive(pid)
    child.close()
    child.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(SandboxError, match="The sandbox was closed"):
        child.execute("1")


def test_a_sandbox_that_was_not_started_says_so(tmp_path):
    child = Sandbox(write_context(tmp_path, [("a", "x")]), Echo(), CellLimits())
    with pytest.raises(SandboxError, match="was not started"):
        child.execute("1")
    child.close()


def test_stop_ends_a_running_cell_at_once(sandbox):
    child = sandbox()
    thread, results = in_background(lambda: child.execute("print('on it')\nwhile True: pass"))
    time.sleep(0.3)
    started = time.monotonic()
    child.stop()
    thread.join(5)
    assert time.monotonic() - started < 0.5
    assert (results[0].status, results[0].output) == ("cancelled", "on it\n")
    assert gone(child.pid)
    assert child.execute("1").status == "cancelled"


def test_stop_ends_a_cell_that_waits_for_the_host(sandbox):
    release = threading.Event()

    class Waiting(Echo):
        def serve(self, service, arguments):
            release.wait(20)
            return []

    child = sandbox(services=Waiting())
    thread, results = in_background(lambda: child.execute("llm_query('x')"))
    time.sleep(0.3)
    child.stop()
    thread.join(1)
    assert results[0].status == "cancelled"
    release.set()


def test_close_is_quiet_while_the_child_waits_for_a_reply(sandbox):
    release = threading.Event()

    class Waiting(Echo):
        def serve(self, service, arguments):
            release.wait(20)
            return [{"text": "late"}]

    child = sandbox(services=Waiting())
    thread, results = in_background(lambda: child.execute("llm_query('x')"))
    time.sleep(0.3)
    child.close()
    thread.join(1)
    assert results[0].status == "killed"
    release.set()
    time.sleep(0.1)
    assert not alive(child.pid)


def test_stop_before_the_start_is_heeded(tmp_path):
    child = Sandbox(write_context(tmp_path, [("a", "x")]), Echo(), CellLimits())
    child.stop()
    with pytest.raises(SandboxError):
        child.start()
    assert child.execute("1").status == "cancelled"
    child.close()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os\nos._exit(7)", "ended its own process (exit code 7)"),
        ("import ctypes\nctypes.string_at(0)", "crashed Python itself (SIGSEGV)"),
        ("import os\nos.abort()", "crashed Python itself (SIG"),
        (
            "import os\nfor n in range(3, 256):\n    try: os.close(n)\n    except OSError: pass\nwhile True: pass",
            "lost",
        ),
    ],
)
def test_a_child_that_dies_is_told_in_plain_words(sandbox, code, words):
    child = sandbox(limits={"timeout_s": 1.0})
    result = child.execute("print('before')\n" + code)
    assert (result.status, result.output) == ("killed", "before\n")
    assert words in result.error
    with pytest.raises(SandboxError, match="The sandbox is gone"):
        child.execute("1")


def test_a_child_that_is_killed_from_outside_is_told(sandbox):
    child = sandbox()
    thread, results = in_background(lambda: child.execute("while True: pass"))
    time.sleep(0.2)
    os.kill(child.pid, signal.SIGKILL)
    thread.join(5)
    assert results[0].status == "killed"
    assert "perhaps because the machine ran out of memory" in results[0].error


def test_one_cell_runs_at_a_time(sandbox):
    child = sandbox()
    thread, _ = in_background(lambda: child.execute("import time\ntime.sleep(0.5)"))
    time.sleep(0.2)
    with pytest.raises(SandboxError, match="one at a time"):
        child.execute("1")
    thread.join()


def test_sandboxes_work_side_by_side(sandbox):
    children = [sandbox() for _ in range(3)]
    started = [
        in_background(lambda child=child, n=n: child.execute(f"x = {n}\nx").output) for n, child in enumerate(children)
    ]
    for thread, _ in started:
        thread.join()
    assert [results for _, results in started] == [["0\n"], ["1\n"], ["2\n"]]


def test_a_child_outlives_the_thread_that_started_its_sandbox(tmp_path):
    child = Sandbox(write_context(tmp_path, [("a", "x")]), Echo(), CellLimits())
    thread, _ = in_background(child.start)
    thread.join()
    time.sleep(0.1)
    assert child.execute("1").output == "1\n"
    child.close()


def host_of_one_child(tmp_path: Path, cell: str, before: str = "") -> str:
    """Code of a host that starts a child, prints its process id and runs the cell."""
    write_context(tmp_path, [("a", "x")])
    return before + textwrap.dedent(f"""
        import sys, threading
        from pathlib import Path
        sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
        from sandboxes import Echo
        from rlm_core.sandbox.contract import CellLimits, ContextFiles
        from rlm_core.sandbox.host import Sandbox
        folder = Path({str(tmp_path)!r})
        child = Sandbox(ContextFiles(folder / "context.txt", folder / "context.json"), Echo(), CellLimits())
        starter = threading.Thread(target=lambda: print(child.start().in_words(), child.pid, sep="\\n", flush=True))
        starter.start()
        starter.join()
        result = child.execute({cell!r})
        print(result.status, result.output)
    """)


def environment(way: str) -> dict[str, str]:
    if way == "room" and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap would run this in a room of its own, too")
    return {**os.environ, "PATH": os.environ["PATH"] if way == "room" else "/nowhere"}


@pytest.mark.parametrize("way", ["room", "no room"])
@pytest.mark.parametrize(
    "cell",
    [
        "import signal\nfor n in {*range(1, 32)} - {9, 19}: signal.signal(n, signal.SIG_IGN)\nwhile True: pass",
        "sum(range(10 ** 12))",
        "import threading\nthreading.Event().wait()",
    ],
    ids=["ignores signals", "never lets go of the interpreter", "waits"],
)
def test_the_child_dies_with_its_host_whatever_it_does(tmp_path, way, cell):
    command = [sys.executable, "-c", host_of_one_child(tmp_path, cell)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(way)) as process:
        words = process.stdout.readline()
        assert ("(bubblewrap)" in words) == (way == "room")
        pid = int(process.stdout.readline())
        time.sleep(0.2)
        assert alive(pid)
        process.kill()
    assert gone(pid)


def test_the_child_ends_when_its_room_is_ended_by_somebody(tmp_path):
    environment("room")
    child = Sandbox(write_context(tmp_path, [("a", "x")]), Echo(), CellLimits())
    if "(bubblewrap)" not in child.start().in_words():
        child.close()
        pytest.skip("a machine where bubblewrap works would run this")
    thread, results = in_background(lambda: child.execute("while True: pass"))
    time.sleep(0.2)
    os.kill(parent(child.pid), signal.SIGKILL)
    thread.join(5)
    assert results[0].status == "killed"
    assert gone(child.pid)
    child.close()


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_signal_to_everybody_at_the_terminal_does_not_reach_the_child(sandbox):
    assert os.getpgid(sandbox().pid) != os.getpgrp()


def test_where_bubblewrap_is_not_allowed_the_jail_holds_alone_and_it_is_said(tmp_path):
    environment("room")
    code = host_of_one_child(tmp_path, "open('/etc/passwd')", before=without("mount"))
    said = subprocess.run([sys.executable, "-c", code], check=True, timeout=20, capture_output=True, text=True).stdout
    lines = said.splitlines()
    assert "Cells are held by: at most 2,048 MB" in lines[0]
    assert "Not on this machine: a room of its own for the code (bubblewrap does not work here: " in lines[0]
    assert "the jail holds without it" in lines[0]
    assert lines[2].startswith("failed")


def test_a_context_that_cannot_be_read_is_no_fault_of_bubblewrap(tmp_path):
    files = write_context(tmp_path, [("a", "x")])
    files.text.write_bytes(b"\xff")
    with pytest.raises(SandboxError, match="UnicodeDecodeError"):
        Sandbox(files, Echo(), CellLimits()).start()
    assert bubblewrap.reason_against() in (None, *protection().missing)


def test_a_forked_process_can_start_sandboxes_of_its_own(tmp_path):
    files = write_context(tmp_path, [("a", "x")])
    with Sandbox(files, Echo(), CellLimits()) as child:
        code = textwrap.dedent(f"""
            import os, sys
            from pathlib import Path
            sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
            from sandboxes import Echo
            from rlm_core.sandbox.contract import CellLimits, ContextFiles
            from rlm_core.sandbox.host import Sandbox
            files = ContextFiles(Path({str(files.text)!r}), Path({str(files.index)!r}))
            with Sandbox(files, Echo(), CellLimits()) as child:
                pid = os.fork()
                with Sandbox(files, Echo(), CellLimits()) as own:
                    assert own.execute("1").output == "1\\n"
                if pid:
                    assert os.waitpid(pid, 0)[1] == 0
                    assert child.execute("2").output == "2\\n"
                else:
                    os._exit(0)
        """)
        subprocess.run([sys.executable, "-c", code], check=True, timeout=20)
        assert child.execute("1").status == "ok"


def test_start_and_cells_are_quick(sandbox):
    child = sandbox()
    times = []
    for _ in range(50):
        started = time.perf_counter()
        child.execute("x = 1")
        times.append(time.perf_counter() - started)
    assert min(times) < 0.001


def test_the_modules_of_the_child_are_compiled_before_it_starts(sandbox):
    sandbox()
    folder = Path(spawn.__file__).parent
    for name in ("worker", "jail", "importing", "trouble"):
        source = folder / f"{name}.py"
        assert Path(cache_from_source(source)).stat().st_mtime >= source.stat().st_mtime


def test_a_child_whose_threads_the_kernel_does_not_limit_is_ended_from_outside(tmp_path):
    files = write_context(tmp_path, [("a", "x")])
    cell = (
        "import _thread, time\n_thread.stack_size(32768)\nlock = _thread.allocate_lock()\nlock.acquire()\n"
        "for n in range(1_100): _thread.start_new_thread(lock.acquire, ())\ntime.sleep(10)"
    )
    code = without("setresuid") + textwrap.dedent(f"""
        from pathlib import Path
        from rlm_core.sandbox.contract import CellLimits, ContextFiles
        from rlm_core.sandbox.host import Sandbox
        files = ContextFiles(Path({str(files.text)!r}), Path({str(files.index)!r}))
        with Sandbox(files, None, CellLimits()) as child:
            result = child.execute({cell!r})
            print(result.status, result.error)
    """)
    said = subprocess.run([sys.executable, "-c", code], check=True, timeout=20, capture_output=True, text=True).stdout
    assert said == (
        "killed The cell had 1,102 threads; at most 1,000 are allowed. Use a pool of a few threads. Its process was ended. "
        "All variables are lost.\n"
    )


def test_an_interrupt_from_the_keyboard_is_no_time_limit(sandbox):
    child = sandbox()
    thread, results = in_background(lambda: child.execute("import time\ntime.sleep(5)"))
    time.sleep(0.3)
    os.kill(child.pid, signal.SIGINT)
    thread.join(5)
    assert results[0].status == "failed"
    assert results[0].error.endswith("KeyboardInterrupt")
    os.kill(child.pid, signal.SIGINT)
    assert child.execute("1").output == "1\n"
