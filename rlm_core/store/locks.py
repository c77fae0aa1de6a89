"""The lock that makes a process the only writer of a run: `locks/<run>.lock`.

It is the operating system's (flock), so it is free again the moment its process is gone, however it went. A child that is
forked without exec would keep it: start children with their descriptors closed, as `subprocess` does.
"""

from __future__ import annotations

import fcntl
import os
import re
from pathlib import Path

from rlm_core.errors import StoreError

_RUN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")


class RunLock:
    """Held from its creation until `release`. Raises `StoreError` if another holds it, or if `run` is no name for a run."""

    def __init__(self, home: Path, run: str) -> None:
        if not _RUN.fullmatch(run):
            raise StoreError(
                f"{run!r} cannot be the id of a run. Use up to 200 letters, digits, dots, dashes and underscores."
            )
        self.path = home / "locks" / f"{run}.lock"
        while True:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                os.close(self._descriptor)
                raise StoreError(
                    f"The run {run} is being written by another process. Wait until it ends, or cancel it."
                ) from error
            if self._is_current():
                return
            os.close(self._descriptor)

    def _is_current(self) -> bool:
        """Whether the locked file is still the one under that name: who deletes a run removes its lock file."""
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self._descriptor))
        except FileNotFoundError:
            return False

    def release(self, *, remove: bool = False) -> None:
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self._descriptor)
