"""Large texts as files named by what is in them: `blobs/ab/<sha256>`.

A file appears whole or not at all, and never changes. Who refers to a file, and when it may go, is the database's business.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rlm_core.errors import StoreError

UNFINISHED = ".part"
ABANDONED_S = 3600.0
"""An unfinished file this old has nobody who will finish it."""


PIECE_BYTES, OVERLAP_BYTES = 4_000_000, 2_000


@dataclass(frozen=True, slots=True)
class Blobs:
    folder: Path

    def path(self, sha: str) -> Path:
        return self.folder / sha[:2] / sha

    def has(self, sha: str) -> bool:
        return self.path(sha).exists()

    def size(self, sha: str) -> int:
        """In bytes; nothing for a file that is gone."""
        return self.path(sha).stat().st_size if self.has(sha) else 0

    def put(self, sha: str, text: str) -> None:
        """Keep `text` under its hash; does nothing if it is there. Raises `OSError` and leaves nothing when it fails."""
        path = self.path(sha)
        if path.exists():
            return
        path.parent.mkdir(mode=0o700, exist_ok=True)
        unfinished = path.with_name(f"{sha}.{secrets.token_hex(4)}{UNFINISHED}")
        try:
            with unfinished.open("wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise

    def text(self, sha: str) -> str:
        """Raises `StoreError` if the file is gone."""
        try:
            return self.path(sha).read_bytes().decode("utf-8")
        except FileNotFoundError as error:
            raise StoreError(
                f"A text of this run is missing: the file {self.path(sha)} is gone. "
                "Restore the data folder from a backup; the rest of the run can still be read."
            ) from error

    def pieces(self, sha: str) -> Iterator[bytes]:
        """The text in pieces that overlap, so that a few words stand whole in one of them; nothing of a file that is gone."""
        try:
            file = self.path(sha).open("rb")
        except FileNotFoundError:
            return
        with file:
            before = b""
            while piece := file.read(PIECE_BYTES):
                yield before + piece
                before = piece[-OVERLAP_BYTES:]

    def keep_only(self, shas: set[str]) -> None:
        """Remove every other file, those that a dead process left unfinished included."""
        for path in self.folder.glob("*/*"):
            abandoned = path.suffix == UNFINISHED and time.time() - path.stat().st_mtime > ABANDONED_S
            if abandoned or (path.suffix != UNFINISHED and path.name not in shas):
                path.unlink(missing_ok=True)
