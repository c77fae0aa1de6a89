"""The bytes of one file out of an upload: in memory if they are few, else in a temporary file without a name.

They are hashed as they come. What reads them takes slices, so that a file may be larger than the memory.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

IN_MEMORY_BYTES = 16 * 1024 * 1024


class Content:
    """All bytes of a file; slices of them are `bytes`. To be closed."""

    def __init__(self, blocks: Iterable[bytes], spill: Path) -> None:
        """`spill`: a folder for the temporary file. What `blocks` raises is raised on."""
        digest = hashlib.sha256()
        self._bytes = 0
        self._memory: bytes | None = None
        self._file: IO[bytes] | None = None
        waiting: list[bytes] = []
        try:
            for block in blocks:
                digest.update(block)
                self._bytes += len(block)
                waiting.append(block)
                if self._bytes > IN_MEMORY_BYTES:
                    self._spill(waiting, spill)
        except BaseException:
            self.close()
            raise
        if self._file is None:
            self._memory = waiting[0] if len(waiting) == 1 else b"".join(waiting)
        self.digest = digest.digest()
        """SHA-256."""

    def __len__(self) -> int:
        return self._bytes

    def __getitem__(self, part: slice, /) -> bytes:
        if self._memory is not None:
            return self._memory[part]
        assert self._file is not None
        start, stop, _ = part.indices(self._bytes)
        self._file.seek(start)
        return self._file.read(max(0, stop - start))

    def close(self) -> None:
        """Let go of the bytes."""
        self._memory = None
        if self._file is not None:
            self._file.close()

    def _spill(self, waiting: list[bytes], folder: Path) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._file.writelines(waiting)
        waiting.clear()
