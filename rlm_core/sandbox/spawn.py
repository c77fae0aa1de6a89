"""Starts child processes, all from one thread that lives as long as this process.

The kernel's parent death signal follows the *thread* that forked: a child started by a thread that ends would be killed
with it. Knows how the child's Python is called; refuses to know what is said to it.
"""

from __future__ import annotations

import os
import py_compile
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path

from rlm_core.sandbox import bubblewrap

Child = subprocess.Popen[bytes]

# The child runs without site-packages and without `rlm_core/__init__.py`: it sees this package's folder and nothing else.
# Nothing that it imports is garbage, so it is not looked for until the first cell.
_BOOTSTRAP = """
import gc, sys
gc.disable()
package = type(sys)("rlm_core")
package.__path__ = [sys.argv[1]]
sys.modules["rlm_core"] = package
from rlm_core.sandbox.worker import main
main(*map(int, sys.argv[2:]))
"""
_OURS = Path(__file__).resolve().parent


def spawn(line: int, text: int, index: int, output: int, room: Sequence[str] | None = None) -> Child:
    """Start a child that inherits these descriptors and nothing else: its line to the host, the two files of its context,
    and the pipe that its standard output and errors go to. With `room`, the paths of packages that it may see, it runs in
    bubblewrap, whose process is the one returned. Raises `OSError`."""
    # The Python behind a virtual environment: the child has no use for the environment, and a room none for its folder.
    python = str(Path(getattr(sys, "_base_executable", None) or sys.executable).resolve())
    _compile_once()
    wrapping = [] if room is None else bubblewrap.command(python, _OURS, room)
    descriptors = map(str, (line, text, index))

    def start() -> Child:
        return subprocess.Popen(
            [*wrapping, python, "-s", "-S", "-P", "-c", _BOOTSTRAP, str(_OURS.parent), *descriptors],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=(line, text, index),
            env={"PYTHONHASHSEED": "0"},
            cwd="/",
            process_group=0,  # Ctrl-C at a terminal is for the host, which decides what becomes of the child
        )

    return _on_the_thread(start)


@cache
def _compile_once() -> None:
    """The child may not write, so that it would compile its modules at every start, which takes longer than all the rest."""
    for source in _OURS.glob("*.py"):
        compiled = Path(cache_from_source(source))
        try:
            if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
                py_compile.compile(str(source), quiet=2)
        except OSError:
            return  # nobody may write there: it is slower, and works


_Job = tuple[Callable[[], Child], "Future[Child]"]
_jobs: dict[int, queue.SimpleQueue[_Job]] = {}
"""The queue of this process's thread, by process id: a forked process inherits the entry but not the thread."""
_guard = threading.Lock()


def _on_the_thread(work: Callable[[], Child]) -> Child:
    with _guard:
        if os.getpid() not in _jobs:
            _jobs.clear()
            _jobs[os.getpid()] = queue.SimpleQueue()
            threading.Thread(target=_serve, args=(_jobs[os.getpid()],), name="sandbox-spawner", daemon=True).start()
        jobs = _jobs[os.getpid()]
    future: Future[Child] = Future()
    jobs.put((work, future))
    return future.result()


def _serve(jobs: queue.SimpleQueue[_Job]) -> None:
    while True:
        work, future = jobs.get()
        try:
            future.set_result(work())
        except OSError as error:
            future.set_exception(error)
