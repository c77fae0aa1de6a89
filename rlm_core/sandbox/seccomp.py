"""seccomp: which system calls a process may make, as a list of those that are allowed. Needs no privilege.

Covered: everything that is not listed is refused: new processes, programs, sockets that could reach anything, signals to
others, tracing, mounting, changing files' modes, owners and times, raising limits, and every call that a later kernel adds.
Not covered: what the listed calls may open; that is Landlock's part.

Refused calls fail with EPERM, which Python shows as PermissionError; calls unknown here fail with ENOSYS, so that the C
library falls back to older ones. x86_64 and aarch64 only.
"""

from __future__ import annotations

import ctypes
import os
import struct

_X86_64, _AARCH64 = 0, 1
_ARCHITECTURES = {"x86_64": (_X86_64, 0xC000003E), "aarch64": (_AARCH64, 0xC00000B7)}

# name: (number on x86_64, number on aarch64); None where an architecture lacks the call.
_ALLOWED: dict[str, tuple[int | None, int | None]] = {
    # reading, writing, waiting
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "close_range": (436, 436), "lseek": (8, 62),
    "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66), "preadv": (295, 69),
    "pwritev": (296, 70), "preadv2": (327, 286), "pwritev2": (328, 287), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59), "fadvise64": (221, 223), "poll": (7, None),
    "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "eventfd2": (290, 19),
    # files, as far as Landlock lets them be opened
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None),
    "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "getdents": (78, None), "getdents64": (217, 61), "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17),
    "chdir": (80, 49), "fchdir": (81, 50), "umask": (95, 166),
    # memory (mmap is below)
    "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216), "madvise": (28, 233),
    # time and sleep
    "nanosleep": (35, 101), "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "gettimeofday": (96, 169), "time": (201, None), "getitimer": (36, 102), "setitimer": (38, 103), "alarm": (37, None),
    "pause": (34, None), "restart_syscall": (219, 128),
    # threads
    "futex": (202, 98), "futex_waitv": (449, 449), "set_robust_list": (273, 99), "get_robust_list": (274, 100),
    "rseq": (334, 293), "set_tid_address": (218, 96), "gettid": (186, 178), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126), "getcpu": (309, 168),
    "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260), "waitid": (247, 95),
    # signals to itself (kill and tgkill are below)
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132),
    # a pair of connected sockets (socketpair and sendto are below)
    "recvfrom": (45, 207), "recvmsg": (47, 212), "sendmsg": (46, 211), "shutdown": (48, 210), "getsockname": (51, 204),
    "getpeername": (52, 205), "getsockopt": (55, 209),
    # questions about itself
    "getpid": (39, 172), "getppid": (110, 173), "getpgid": (121, 155), "getpgrp": (111, None), "getsid": (124, 156),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getgroups": (115, 158),
    "getresuid": (118, 148), "getresgid": (120, 150), "uname": (63, 160), "sysinfo": (99, 179), "times": (100, 153),
    "getrusage": (98, 165), "getrlimit": (97, 163), "getrandom": (318, 278),
}  # fmt: skip
_CLONE3 = (435, 435)
_NEWEST = 449
"""Calls above this number are unknown here. (The second table of x86_64, x32, begins far above it.)"""

_CLONE_THREAD = 0x10000
_FCNTL = (0, 1, 2, 3, 4, 1030, 1032)
"""Duplicate, get and set flags, size of a pipe; no F_SETOWN or F_SETSIG, which send signals to others."""
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Is it a terminal, its size, bytes waiting, blocking or not, close on exec or not."""
_PRCTL = (15, 16, 0x53564D41)
"""Names of threads and of memory."""
_MMAP_REFUSED = (0x21, 0x100, 0x40000)
"""Shared anonymous memory, growing stacks and huge pages: they escape the limit on memory."""

# The instructions of the filter (classic BPF): what they do, and the value they do it with.
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_ALLOW, _REFUSE, _UNKNOWN, _KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16

Instruction = tuple[int, int, int, int]
"""Operation, jump if true, jump if false, value."""


def restrict(libc: ctypes.CDLL) -> None:
    """From now on this thread and its threads to be may only make the allowed calls. Raises `OSError`.

    The process must have no other threads yet, and no_new_privs must be set.
    """
    program = b"".join(struct.pack("=HBBI", *each) for each in filter_program(os.uname().machine, os.getpid()))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    set_seccomp, mode_filter = 22, 2
    if libc.prctl(set_seccomp, ctypes.c_ulong(mode_filter), header, ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def filter_program(machine: str, pid: int) -> list[Instruction]:
    """The filter for this kind of machine. Raises `OSError` for a machine whose calls are not known here."""
    if machine not in _ARCHITECTURES:
        raise OSError(0, f"the filter of system calls is not written for {machine} machines")
    column, architecture = _ARCHITECTURES[machine]
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    for number, checks in _conditional(column, pid):
        program += [(_EQUAL, 0, len(checks), number), *checks]
    for numbers in _ALLOWED.values():
        if (number_here := numbers[column]) is not None:
            program += [(_EQUAL, 0, 1, number_here), (_RETURN, 0, 0, _ALLOW)]
    program += [(_EQUAL, 1, 0, _CLONE3[column]), (_ABOVE, 0, 1, _NEWEST)]
    return [*program, (_RETURN, 0, 0, _UNKNOWN), (_RETURN, 0, 0, _REFUSE)]


def _conditional(column: int, pid: int) -> list[tuple[int, list[Instruction]]]:
    """The calls that depend on their arguments, each with the checks that end in a decision."""
    calls = {
        (56, 220): _if_any_bit(0, _CLONE_THREAD),
        (62, 129): _if_one_of(0, (pid,)),  # kill
        (234, 131): _if_one_of(0, (pid,)),  # tgkill
        (72, 25): _if_one_of(1, _FCNTL),
        (16, 29): _if_one_of(1, _IOCTL),
        (157, 167): _if_one_of(0, _PRCTL),
        (9, 222): _unless_all_bits(3, _MMAP_REFUSED),
        (302, 261): _if_null(2),  # prlimit64, to ask only
        (44, 206): _if_null(4),  # sendto, without an address
        (53, 199): _if_stream_pair(),
    }
    return [(numbers[column], checks) for numbers, checks in calls.items()]


def _argument(index: int, *, high: bool = False) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index + (4 if high else 0))


_DECISION: list[Instruction] = [(_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]


def _if_any_bit(index: int, bits: int) -> list[Instruction]:
    return [_argument(index), (_ANY_BIT, 1, 0, bits), *_DECISION]


def _if_one_of(index: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(index), *tests, *_DECISION]


def _unless_all_bits(index: int, masks: tuple[int, ...]) -> list[Instruction]:
    checks: list[Instruction] = []
    for mask in masks:
        checks += [_argument(index), (_AND, 0, 0, mask), (_EQUAL, 0, 1, mask), (_RETURN, 0, 0, _REFUSE)]
    return [*checks, (_RETURN, 0, 0, _ALLOW)]


def _if_null(index: int) -> list[Instruction]:
    return [_argument(index), (_EQUAL, 0, 2, 0), _argument(index, high=True), (_EQUAL, 1, 0, 0), *_DECISION]


def _if_stream_pair() -> list[Instruction]:
    """AF_UNIX and SOCK_STREAM: a datagram socket could send to the addresses of others."""
    unix, stream, kind_mask = 1, 1, 0xF
    return [
        _argument(0), (_EQUAL, 0, 3, unix),
        _argument(1), (_AND, 0, 0, kind_mask), (_EQUAL, 1, 0, stream),
        *_DECISION,
    ]  # fmt: skip
