"""One file out of an upload or an archive, before anything of it was read."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from backports import zstd

from rlm_core.corpus.limits import Refused

BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, zstd.ZstdError),
    *(EOFError, OSError, ValueError, NotImplementedError, RuntimeError, OverflowError),
)
"""Everything that the unpackers of the standard library are known to raise over a damaged or hostile file; among it
`NotImplementedError`, which is zipfile's word for a compression method that it does not know."""


class Stream(Protocol):
    """What a member is read through."""

    def read(self, size: int, /) -> bytes: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Member:
    """`name` as stored, `bytes` as declared (unpacked). `refused` says why it must not be opened."""

    name: str
    bytes: int | None
    open: Callable[[], Stream]
    refused: Refused | None = None
