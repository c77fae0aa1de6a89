"""Landlock: which files a process may open. Needs Linux 5.13 or later and no privilege.

Covered: opening, creating, removing, renaming and listing files; from version 4 TCP, from version 6 signals to and abstract
sockets of other processes. Not covered (seccomp refuses these): `chmod`, `chown`, `utime`, extended attributes, UDP.
Not covered at all: `stat` (whether a file exists, its size and times).

Refuses to know which paths are wanted; that is `jail.py`.
"""

from __future__ import annotations

import ctypes
import os
import struct

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Iterable

# The same numbers on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1

READ_FILE = 1 << 2
READ_DIR = 1 << 3
WRITE_FILE = 1 << 1
_ALL_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_ALL_TCP_RIGHTS = 3
_ALL_SCOPES = 3


def version(libc: ctypes.CDLL) -> int:
    """Version of Landlock in the running kernel, 0 where there is none."""
    found: int = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    return max(0, found)


def restrict(libc: ctypes.CDLL, allowed: Iterable[tuple[str, int]]) -> int:
    """From now on this thread and its threads to be may only open what `allowed` lists, as (path, rights).

    A right on a folder holds for all below it. Paths that do not exist are passed over. Returns the version in use;
    raises `OSError` where the kernel refuses. The process must have no other threads yet, and no_new_privs must be set.
    """
    found = version(libc)
    if not found:
        raise OSError(ctypes.get_errno(), "the kernel has no Landlock")
    rights = _ALL_FILE_RIGHTS[max(each for each in _ALL_FILE_RIGHTS if each <= found)]
    attributes = struct.pack("=QQQ", rights, _ALL_TCP_RIGHTS, _ALL_SCOPES)[
        : 8 if found < 4 else 16 if found < 6 else 24
    ]
    ruleset = _checked(libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0)))
    try:
        for path, right in allowed:
            _allow(libc, ruleset, path, right)
        _checked(libc.syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)))
    finally:
        os.close(ruleset)
    return found


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, right: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    try:
        rule = struct.pack("=Qi", right, descriptor)
        _checked(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, ctypes.c_uint32(0)))
    finally:
        os.close(descriptor)


def _checked(result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
