"""Processes of our own that read hostile files: how one is started, and how it binds itself.

Covered: memory, processor time, written files (none), output of libraries that print. Not covered: what the process may read on
this machine, which is what its user may.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, BinaryIO

_PARSERS = ("lxml", "olefile", "py7zr", "pyarrow", "pypdfium2", "python_calamine", "selectolax")


def start(module: str, *arguments: str, stdin: int | IO[bytes] = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """A process that runs `module` with nothing of this one's environment. Raises `OSError`."""
    return subprocess.Popen(
        [sys.executable, "-s", "-S", "-P", "-m", module, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(_roots())},
        cwd="/",
    )


@cache
def _roots() -> tuple[str, ...]:
    """Where it finds this package and the parsers; it sees no other folder but the standard library."""
    specs = (find_spec(name) for name in _PARSERS)
    places = [Path(spec.origin).resolve().parents[1] for spec in specs if spec and spec.origin]
    return tuple(dict.fromkeys(map(str, (Path(__file__).resolve().parents[2], *places))))


def bind(memory_mb: int) -> None:
    """Called by the process itself: how much memory it may take; it writes no files and leaves no dump."""
    limit(resource.RLIMIT_DATA, memory_mb * 1024 * 1024)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, 0)


def limit(kind: int, value: int) -> None:
    """Only the soft limit: it is raised again for the next file."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def own_output() -> BinaryIO:
    """The pipe to the parent, out of reach for libraries that print."""
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return pipe
