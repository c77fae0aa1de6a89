"""The filter of system calls, run in a small interpreter of its instructions: for both kinds of machines, on any machine."""

import struct

import pytest

from rlm_core.sandbox.seccomp import filter_program

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
PID = 4321


def decide(machine: str, number: int, arguments=(), audit: int | None = None) -> int:
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, AUDIT[machine] if audit is None else audit, 0, *padded)
    program, at, register = filter_program(machine, PID), 0, 0
    while True:
        operation, if_true, if_false, value = program[at]
        at += 1
        if operation == 0x20:
            (register,) = struct.unpack_from("=I", data, value)
        elif operation == 0x54:
            register &= value
        elif operation == 0x06:
            return value
        else:
            test = {0x15: register == value, 0x25: register > value, 0x45: bool(register & value)}[operation]
            at += if_true if test else if_false


NUMBERS = {
    "read": (0, 63), "openat": (257, 56), "futex": (202, 98), "clone": (56, 220), "clone3": (435, 435), "kill": (62, 129),
    "tgkill": (234, 131), "fcntl": (72, 25), "ioctl": (16, 29), "prctl": (157, 167), "mmap": (9, 222),
    "prlimit64": (302, 261), "sendto": (44, 206), "socketpair": (53, 199), "socket": (41, 198), "execve": (59, 221),
    "fchmodat": (268, 53), "getpid": (39, 172),
}  # fmt: skip


@pytest.mark.parametrize("machine", AUDIT)
@pytest.mark.parametrize(
    ("name", "arguments", "decision"),
    [
        ("read", (0,), ALLOW),
        ("openat", (), ALLOW),
        ("futex", (), ALLOW),
        ("getpid", (), ALLOW),
        ("clone", (0x3D0F00,), ALLOW),
        ("clone", (0x01200011,), EPERM),
        ("clone3", (), ENOSYS),
        ("kill", (PID, 2), ALLOW),
        ("kill", (1, 9), EPERM),
        ("kill", (0xFFFFFFFF, 9), EPERM),
        ("tgkill", (PID, 5, 2), ALLOW),
        ("tgkill", (1, 1, 9), EPERM),
        ("fcntl", (1, 3), ALLOW),
        ("fcntl", (1, 1030), ALLOW),
        ("fcntl", (1, 8), EPERM),
        ("fcntl", (1, 10), EPERM),
        ("ioctl", (1, 0x5401), ALLOW),
        ("ioctl", (1, 0x5412), EPERM),
        ("prctl", (15,), ALLOW),
        ("prctl", (1,), EPERM),
        ("mmap", (0, 4096, 3, 0x22), ALLOW),
        ("mmap", (0, 4096, 1, 0x01, 5), ALLOW),
        ("mmap", (0, 4096, 3, 0x21), EPERM),
        ("mmap", (0, 4096, 3, 0x122), EPERM),
        ("prlimit64", (0, 2, 0, 0x7FFF00000000), ALLOW),
        ("prlimit64", (0, 2, 0x7FFF00000000, 0), EPERM),
        ("prlimit64", (0, 2, 0x1000, 0), EPERM),
        ("sendto", (5, 1, 1, 0, 0, 0), ALLOW),
        ("sendto", (5, 1, 1, 0, 0x1000, 16), EPERM),
        ("sendto", (5, 1, 1, 0, 0x100000000, 16), EPERM),
        ("socketpair", (1, 1 | 0o2000000), ALLOW),
        ("socketpair", (1, 2), EPERM),
        ("socketpair", (2, 1), EPERM),
        ("socket", (2, 1), EPERM),
        ("execve", (), EPERM),
        ("fchmodat", (), EPERM),
    ],
)
def test_each_call_is_decided_by_its_number_and_its_arguments(machine, name, arguments, decision):
    assert decide(machine, NUMBERS[name][machine == "aarch64"], arguments) == decision


@pytest.mark.parametrize("machine", AUDIT)
def test_calls_that_are_newer_than_the_list_look_as_if_they_did_not_exist(machine):
    assert decide(machine, 9_999) == ENOSYS


def test_calls_by_another_table_of_the_machine_end_the_process():
    assert decide("x86_64", 0, audit=0x40000003) == KILL
    assert decide("x86_64", 0x40000000) == ENOSYS


def test_a_machine_that_is_not_known_is_said():
    with pytest.raises(OSError, match="not written for riscv64 machines"):
        filter_program("riscv64", 1)
