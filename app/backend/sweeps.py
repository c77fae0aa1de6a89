"""Python's search for garbage, which waits while a large run is read: what is made then is kept, and has no circles.

Without that it goes through all that was made so far again and again, which takes as long as half of the reading itself.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Waits:
    readers: int = 0
    """Threads that read something large now."""
    before: bool = True
    """Whether garbage was searched for before the first of them began."""
    lock: threading.Lock = field(default_factory=threading.Lock)


_waits = _Waits()


@contextmanager
def put_off() -> Iterator[None]:
    """No search for garbage begins until this ends, in all threads that are inside."""
    with _waits.lock:
        if not _waits.readers:
            _waits.before = gc.isenabled()
            gc.disable()
        _waits.readers += 1
    try:
        yield
    finally:
        with _waits.lock:
            _waits.readers -= 1
            if not _waits.readers and _waits.before:
                gc.enable()
