"""What a child takes of the machine, as the kernel counts it from outside, and the end of a child that takes too much.

The second layer behind the limits of `jail.py`: it looks twice a second, for as long as the child lives, and so also at the
threads that a cell leaves behind. Covered: memory and page tables, and threads, where the kernel's own limits do not count
them (a page that is written and then made read-only leaves the kernel's count; a user's threads count against all processes
of that user, so an ordinary user's cells have no limit of their own there).
Not covered: what happens between two looks; kernel memory other than page tables. Only Linux has such numbers.

Refuses to know cells and messages.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MAX_THREADS = 1_000
_LOOK_EVERY_S = 0.5
_MARGIN_BYTES = 128 * 1024 * 1024
"""More than what a cell may take in ways that the limit on memory does not count: its main stack and its page tables."""
_COUNTED = frozenset({"RssAnon", "RssShmem", "VmSwap", "VmPTE"})
"""Not `RssFile`: the documents and Python itself, which are pages of files."""


@dataclass(frozen=True, slots=True)
class Usage:
    memory_bytes: int
    """Memory of its own, in use or swapped out, and the page tables."""
    threads: int


def of(pid: int) -> Usage | None:
    """What the process uses now; `None` if it has ended, or this system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    rows = dict(line.partition(":")[::2] for line in status.splitlines())
    if "Threads" not in rows:
        return None
    memory_kb = sum(int(rows[name].split()[0]) for name in _COUNTED if name in rows)  # a zombie has no memory
    return Usage(memory_kb * 1024, int(rows["Threads"]))


def excess(now: Usage, at_start: Usage, memory_mb: int) -> str | None:
    """What of it is too much, in words."""
    if now.threads > MAX_THREADS:
        return (
            f"The cell had {now.threads:,} threads; at most {MAX_THREADS:,} are allowed. Use a pool of a few threads."
        )
    used_bytes = now.memory_bytes - at_start.memory_bytes
    if used_bytes > memory_mb * 1024 * 1024 + _MARGIN_BYTES:
        return (
            f"The cell used {used_bytes // (1024 * 1024):,} MB of memory; at most {memory_mb:,} MB are allowed. "
            "Work on smaller pieces."
        )
    return None


def watch(pid: int, memory_mb: int, gone: threading.Event, end: Callable[[str], None]) -> None:
    """Look at the process until it is `gone`; call `end` with the reason if it takes too much."""
    at_start = of(pid)
    while at_start is not None and not gone.wait(_LOOK_EVERY_S):
        now = of(pid)
        if now is None:
            return
        if reason := excess(now, at_start, memory_mb):
            end(reason)
            return
