"""bubblewrap: a room of its own for the child, where this machine has the program `bwrap` and lets it work.

Covered: the child sees only the files that it needs (Python's library, the system's shared libraries, the packages it may
import), all read-only, and no path to anything else, its context included, which it gets as open files; no network
interface but an unconnected one; no process but its own; and all of it ends with the host or with the child.
Not covered: what the code may do with what it sees; that is the part of `jail.py`, which the child applies inside.

Knows the command; refuses to know who starts it. Where it cannot be used, one sentence says why, for Settings.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

LAYER = "a room of its own with no other file, process or network in sight (bubblewrap)"
_SYSTEM_LIBRARIES = (Path("/lib"), Path("/lib64"), Path("/usr/lib"), Path("/usr/lib64"))
_IF_THERE = ("/etc/ld.so.cache", "/usr/share/zoneinfo", "/etc/localtime")
_FOREIGN_PACKAGES = ("site-packages", "dist-packages")
_ALONE = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
# As the first process: else bubblewrap's own first process would be left to be reaped by whoever is init here.
_ENDING = ("--die-with-parent", "--new-session", "--as-pid-1")

_guard = threading.Lock()
_refused: list[str] = []
"""Why it did not work in this process: kept, so that not every sandbox tries again."""


def reason_against() -> str | None:
    """Why bubblewrap is not used here, in words that follow "not on this machine:"; `None` where it can be tried."""
    if sys.platform != "linux":
        return f"a room of its own for the code (bubblewrap exists on Linux only, and this is {sys.platform})"
    if shutil.which("bwrap") is None:
        return "a room of its own for the code (bubblewrap is not installed; the jail holds without it)"
    with _guard:
        return _refused[0] if _refused else None


def refused(said: str) -> None:
    """It was tried and did not work; `said` is what it printed."""
    lines = [line for line in said.splitlines() if line.strip()]
    why = lines[-1].removeprefix("bwrap: ").rstrip(".") if lines else "it ended without a word"
    with _guard:
        _refused[:] = [
            f"a room of its own for the code (bubblewrap does not work here: {why}; the jail holds without it)"
        ]


def command(python: str, ours: Path, packages: Iterable[str]) -> list[str]:
    """What to put before the command of the child, which is `python` with modules in the folder `ours`."""
    program = shutil.which("bwrap")
    if program is None:
        raise FileNotFoundError("bwrap is not installed")
    words = [program, *_ALONE, *_ENDING]
    if os.geteuid() == 0:  # no user namespace: the kernel does not limit the threads of a namespace's root
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID"]
    else:
        words += ["--unshare-user"]
    words += _places(python, ours, packages)
    words += ["--proc", "/proc", "--dev-bind", "/dev/null", "/dev/null", "--ro-bind", "/dev/urandom", "/dev/urandom"]
    return [*words, "--remount-ro", "/", "--chdir", "/", "--"]


def _places(python: str, ours: Path, packages: Iterable[str]) -> Iterator[str]:
    for place in _SYSTEM_LIBRARIES:
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.is_dir():
            yield from ("--ro-bind", str(place), str(place))
    for folder in _folders_of_python():
        yield from ("--ro-bind", str(folder), str(folder))
        for hidden in _FOREIGN_PACKAGES:
            for within in (folder / hidden, *folder.glob(f"python*/{hidden}")):
                if within.is_dir():
                    yield from ("--tmpfs", str(within))
    for path in (python, str(ours), *packages):
        yield from ("--ro-bind", path, path)
    for path in _IF_THERE:
        yield from ("--ro-bind-try", path, path)


def _folders_of_python() -> Iterator[Path]:
    """Where Python's own library and its shared one lie, unless among the system's libraries."""
    found: list[Path] = []
    library, dynamic = sysconfig.get_path("stdlib"), sysconfig.get_config_var("LIBDIR")
    for folder in sorted({Path(library), *([Path(dynamic)] if dynamic else [])}):
        if folder.is_dir() and not any(folder.is_relative_to(each) for each in (*_SYSTEM_LIBRARIES, *found)):
            found.append(folder)
            yield folder
