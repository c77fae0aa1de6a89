"""How much an upload may cost, and the one way in which a file is refused.

Knows numbers and counts what was really read: declared sizes are never trusted. Knows no archive format.

Covered: size of the upload, of one file and of all unpacked data; number of files; depth; compression ratio; wall clock.
Not covered: memory and time inside one reader (of text, bounded by the size of a file; of HTML, by `converter.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO

from rlm_core.corpus.report import ItemStatus
from rlm_core.ingest_limits import IngestLimits

MIB = 1024 * 1024
BLOCK = MIB
_IN_PARTS = "Upload it in parts, or raise the limit in Settings."
_IF_GENUINE = "If it is none, unpack it and upload the result, or raise the limit in Settings."
RATIO_APPLIES_ABOVE = 10 * MIB
"""Small files compress absurdly well and harm nobody."""
TOTAL_RATIO_APPLIES_ABOVE = 100 * MIB


class Refused(Exception):
    """A file, or the rest of an archive, is not read. `reason` is a sentence for the person who uploaded it."""

    def __init__(self, status: ItemStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(slots=True)
class Allowance:
    """What an upload has used of its limits so far. One per upload."""

    limits: IngestLimits
    uploaded_bytes: int = 0
    expanded_bytes: int = 0
    skipped_bytes: int = 0
    entries: int = 0
    started: float = field(default_factory=time.monotonic)

    def count_upload(self, size: int) -> None:
        if self.uploaded_bytes + size > self.limits.max_upload_mb * MIB:
            raise Refused(
                "too-large",
                f"With this file the upload has more than {self.limits.max_upload_mb:,} MiB, which is the limit. "
                f"{_IN_PARTS}",
            )
        self.uploaded_bytes += size
        self.check_time()

    def count_entry(self) -> None:
        self.entries += 1
        if self.entries > self.limits.max_entries:
            raise Refused(
                "too-large",
                f"An upload may hold {self.limits.max_entries:,} files; the rest was not read. {_IN_PARTS}",
            )
        self.check_time()

    def count_expanded(self, size: int) -> None:
        """Count bytes that came out of an archive, before they are kept."""
        self.expanded_bytes += size
        self._check_expanded()
        allowed = self.limits.max_total_ratio * max(self.uploaded_bytes, 1)
        if self.expanded_bytes > max(allowed, TOTAL_RATIO_APPLIES_ABOVE):
            raise Refused(
                "bomb",
                f"The upload unpacks to more than {self.limits.max_total_ratio} times its size, "
                f"as only compression bombs do; this was not read. {_IF_GENUINE}",
            )
        self.check_time()

    def count_skipped(self, size: int) -> None:
        """Count bytes that had to be unpacked only to get past them."""
        self.skipped_bytes += size
        self._check_expanded()
        self.check_time()

    def _check_expanded(self) -> None:
        if self.expanded_bytes + self.skipped_bytes > self.limits.max_expanded_mb * MIB:
            raise Refused(
                "bomb",
                f"Unpacked, the upload has more than {self.limits.max_expanded_mb:,} MiB, which is the limit; "
                f"this was not read. {_IN_PARTS}",
            )

    def check_time(self) -> None:
        if time.monotonic() - self.started > self.limits.timeout_s:
            raise Refused(
                "timeout",
                f"Reading the upload took longer than {self.limits.timeout_s:g} s; this was not read any more. {_IN_PARTS}",
            )


class Watched:
    """A stream out of an archive that measures what really comes out of it and refuses to be a bomb."""

    def __init__(self, stream: IO[bytes], limits: IngestLimits, packed_bytes: Callable[[], int]) -> None:
        self._stream = stream
        self._limits = limits
        self._packed_bytes = packed_bytes
        self._bytes = 0

    def read(self, size: int, /) -> bytes:
        block = self._stream.read(size)
        self._bytes += len(block)
        if self._bytes > RATIO_APPLIES_ABOVE:
            ratio = self._bytes / max(self._packed_bytes(), 1)
            if ratio > self._limits.max_ratio:
                raise bomb(ratio, self._limits)
        return block

    def close(self) -> None:
        self._stream.close()


SYMBOLIC_LINK = Refused(
    "unsafe-path",
    "symbolic-link: it only points to another file, and links are not followed. Upload the file that it points to.",
)
HARD_LINK = Refused(
    "unsafe-path",
    "hard-link: it only points to another file of the archive, and links are not followed. That file is read.",
)
DEVICE = Refused("unsafe-path", "It is a device or pipe, not a file; it has no text of its own.")


def bomb(ratio: float, limits: IngestLimits) -> Refused:
    """The refusal of a file for its compression ratio."""
    return Refused(
        "bomb",
        f"It unpacks to {ratio:,.0f} times its packed size; above {limits.max_ratio} a file is taken for a compression bomb. "
        f"{_IF_GENUINE}",
    )


def too_large(allowed_mb: int) -> Refused:
    """The refusal of a file for its size."""
    return Refused(
        "too-large",
        f"The file has more than {allowed_mb:,} MiB, the limit for one file of its kind. "
        "Split it into smaller files, or raise the limit in Settings.",
    )
