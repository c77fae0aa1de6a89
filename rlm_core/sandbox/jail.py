"""What holds a cell in: applied by the child to itself, before any cell, for good. Linux, no privilege, no dependency.

Covered, with the same strength for root and for an ordinary user:
    files      only Python's own library, the packages offered, the system's shared libraries, time zones and locales
               can be opened, to read; nothing can be written, made, removed or changed             (Landlock, seccomp)
    programs   none can be started, no process can be made; threads can                             (seccomp)
    network    no socket but a connected pair of its own                                            (seccomp, Landlock)
    others     no signal to, tracing of, or memory of another process                               (seccomp, Landlock)
    kernel     only the calls listed in `seccomp.py`; no privileges, none to be gained              (capabilities)
    memory     what it may allocate, and with the room for addresses the page tables; no core dumps,
               at most 256 open files                                                               (resource limits)
    threads    at most 1,000, for root by a user id of its own: the kernel exempts root's; for an
               ordinary user by a namespace of users, which a room has                              (resource limits)
    life       it dies with the thread that started it, or with its room                            (parent death signal)
Covered from outside, by the host, which looks twice a second and kills (`usage.py`):
    memory     written and then made read-only, which leaves the count of the limit: until the look, 512 MB at most
    threads    of an ordinary user without a room, or of a root that may not change its user id: the kernel's limit would
               count all processes of the user. Until the look, a burst of ten thousand and more threads is possible, as far
               as the system lets this user have them; the limits on memory do not prevent it (a thread can do without a
               stack)
Not covered:
    whether a file exists, its size and times (`stat`), for the files that are in sight: in a room (`bubblewrap.py`)
               only Python's own and the system's libraries, without one all. The reading of folders' names is covered
    processor time inside a cell, and heat: the host counts wall time and kills
    what the code does to the worker that it shares a process with: it can falsify its own output, variables and answers,
    so the host takes all of them for what they are, claims of hostile code
    errors in the kernel itself

Refuses to know cells and values.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from io import FileIO

from rlm_core.sandbox import landlock, seccomp

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_NO_NEW_PRIVS = 1, 4, 38
_MAX_OPEN_FILES = 256
_MAX_THREADS = 1_000
_FIRST_USER = 0x70000000
"""User ids from here on belong to nobody: they lie above those that systems and containers hand out."""
_ROOM_BYTES = 512 * 1024 * 1024
"""Addresses beyond the memory: libraries, stacks, what the C library sets aside. Each GB of them costs 2 MB of page tables."""
_ARENA_MAX, _MAX_ARENAS = -8, 2
_MAX_STACK_BYTES = 64 * 1024 * 1024
_SIGKILL = 9
_FOREIGN_PACKAGES = frozenset({"site-packages", "dist-packages"})
_SYSTEM_LIBRARIES = ("/lib/", "/lib64", "/usr/lib/", "/usr/lib64")
_ALSO_READABLE = ("/etc/ld.so.cache", "/dev/urandom", "/usr/share/zoneinfo", "/etc/localtime", "/usr/lib/locale")


def apply(start: dict[str, Any]) -> dict[str, Any]:
    """Lock this process in, as far as this machine can; returns the fields of `contract.Protection`.

    `start` holds `memory_mb`, on top of what the process holds now; `parent_pid`; `user_number`, which no other child has;
    `own_users`, whether the process is in a namespace of users made for it; and `packages`, names with paths that may be
    read. Must be called from the only thread of the process.
    """
    memory_mb: int = start["memory_mb"]
    layers, missing = [], []
    _limit_resources(memory_mb)
    layers.append(f"at most {memory_mb:,} MB of memory beyond the documents")
    if sys.platform != "linux":
        missing.append(f"a jail for cells exists on Linux only, and this is {sys.platform}")
        return {"layers": layers, "missing": missing, "jailed": False}
    libc = ctypes.CDLL(None, use_errno=True)
    if hasattr(libc, "mallopt"):  # else each of many threads sets 64 MB of addresses aside
        libc.mallopt(_ARENA_MAX, _MAX_ARENAS)
    _limit_threads(start["user_number"], own_users=start["own_users"])
    layers.append(f"at most {_MAX_THREADS:,} threads")
    _give_up_privileges(libc, start["parent_pid"])
    try:
        version = landlock.restrict(libc, _readable(start["packages"]))
        also = "".join(f", {name}" for name in ("numpy", "pandas") if name in start["packages"])
        layers.append(f"no file can be written, and none read but Python's own library{also} (Landlock {version})")
    except OSError as error:
        missing.append(
            f"cells could read and write files, because this kernel has no working Landlock ({error.strerror})"
        )
    try:
        seccomp.restrict(libc)
        layers.append("no network, no other programs, no signals to other processes (seccomp)")
    except OSError as error:
        missing.append(
            f"cells could use the network and start programs, because seccomp does not work ({error.strerror})"
        )
    if not missing:
        missing += _leaks(libc)
    return {"layers": layers, "missing": missing, "jailed": not missing}


def _limit_resources(memory_mb: int) -> None:
    mapped, writable = _held_bytes()
    memory = memory_mb * 1024 * 1024
    _limit(resource.RLIMIT_DATA, writable + memory)
    # Memory that is only read costs page tables, which RLIMIT_DATA does not count. The documents are mapped by now.
    if mapped:
        _limit(resource.RLIMIT_AS, mapped + memory + _ROOM_BYTES)
    _limit(resource.RLIMIT_STACK, _MAX_STACK_BYTES)  # RLIMIT_DATA does not count it
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, _MAX_OPEN_FILES)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (limit, limit))


def _held_bytes() -> tuple[int, int]:
    """Addresses in use, and private writable memory, as RLIMIT_AS and RLIMIT_DATA count them; zeros where unknown."""
    try:
        with FileIO("/proc/self/statm") as statm:
            pages = statm.readall().split()
    except OSError:
        return 0, 0
    return int(pages[0]) * resource.getpagesize(), int(pages[5]) * resource.getpagesize()


def _limit_threads(user_number: int, *, own_users: bool) -> None:
    """The kernel counts threads by real user id and namespace of users, and does not limit root's. The effective id stays:
    files open as before."""
    if os.geteuid() == 0:
        try:
            os.setresuid(_FIRST_USER + user_number, -1, -1)
        except OSError:
            return  # such as a container in which this user id does not exist: the host's look is what remains
    elif not own_users:
        return  # the limit would count every process of this user
    _limit(resource.RLIMIT_NPROC, _MAX_THREADS)


def _give_up_privileges(libc: ctypes.CDLL, parent_pid: int) -> None:
    def control(option: int, value: int) -> None:
        if libc.prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0))) != 0:
            raise OSError(ctypes.get_errno(), f"prctl({option}, {value}) was refused")

    version_3 = struct.pack("=Ii", 0x20080522, 0)
    nothing = bytes(24)
    libc.syscall({"x86_64": 126, "aarch64": 91}.get(os.uname().machine, -1), version_3, nothing)
    control(_SET_NO_NEW_PRIVS, 1)
    control(_SET_DUMPABLE, 0)
    control(_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != parent_pid:  # it died before the signal was asked for
        os._exit(0)


def _readable(packages: dict[str, str]) -> Iterator[tuple[str, int]]:
    """What may be opened, as (path, rights)."""
    for path in packages.values():
        yield path, landlock.READ_FILE | (0 if path.endswith(".py") else landlock.READ_DIR)
    for folder in filter(os.path.isdir, sys.path):
        # The folder of the standard library often holds `site-packages`: list it, but open only what else is in it.
        entries = list(os.scandir(folder))
        if all(entry.name not in _FOREIGN_PACKAGES for entry in entries):
            yield folder, landlock.READ_FILE | landlock.READ_DIR
            continue
        yield folder, landlock.READ_DIR
        for entry in entries:
            if entry.name not in _FOREIGN_PACKAGES:
                yield entry.path, landlock.READ_FILE
    for path in (*_library_places(), *filter(os.path.isfile, sys.path), *_ALSO_READABLE):
        yield path, landlock.READ_FILE
    yield "/dev/null", landlock.READ_FILE | landlock.WRITE_FILE


def _library_places() -> Iterator[str]:
    """Where further shared libraries are looked for: the folders of those in use, or, outside the system's, the files."""
    with FileIO("/proc/self/maps") as maps:
        lines = os.fsdecode(maps.readall()).splitlines()
    for folder in {line.split(None, 5)[5].rpartition("/")[0] for line in lines if ".so" in line}:
        if folder.startswith(_SYSTEM_LIBRARIES):
            yield folder
        else:
            yield from (entry.path for entry in os.scandir(folder) if ".so" in entry.name)


def _leaks(libc: ctypes.CDLL) -> list[str]:
    """A jail that was accepted may still not hold (an emulated kernel): try what must fail."""
    leaks = []
    try:
        os.close(os.open("/", os.O_RDONLY))
        leaks.append("cells could read files, because Landlock was accepted but does not hold")
    except OSError:
        pass
    if libc.socket(2, 1, 0) >= 0:
        leaks.append("cells could use the network, because seccomp was accepted but does not hold")
    return leaks
