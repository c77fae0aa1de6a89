"""The members of a tar file, packed or not, and the one member of a packed file (`access.log.gz`), in stored order.

Covered: names that are not UTF-8, links and devices, compression bombs (what is skipped and what headers take is counted as
well), archives that are cut off (all before the cut is read). Not covered: sparse files with lying maps, tars in parts.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO, cast

from backports import zstd

from rlm_core.corpus.limits import BLOCK, DEVICE, HARD_LINK, SYMBOLIC_LINK, Allowance, Refused, Watched
from rlm_core.corpus.members import BROKEN, Member, Stream
from rlm_core.corpus.names import recover_names

_WINDOW, _MAX_WINDOW_LOG = zstd.DecompressionParameter.window_log_max, 27
"""Of Zstandard: 128 MiB, as its own program allows unless told otherwise."""
_MAX_HEADER_BYTES = 4 * BLOCK
"""What may stand before the data of one file: its name, times and notes, which `tarfile` reads whole."""


def members(kind: str, name: str, file: BinaryIO, allowance: Allowance) -> Iterator[Member]:
    """The files of a tar, or the one file that was packed. Raises `Refused` where the archive is damaged."""
    unpacked = _Unpacked(kind, file, allowance)
    if kind == "tar" or _holds_tar(kind, file):
        yield from _tar_members(kind, file, unpacked, allowance)
    else:
        yield Member(
            _unpacked_name(name, kind), None, lambda: Watched(io.BufferedReader(unpacked), allowance.limits, file.tell)
        )


def _tar_members(kind: str, file: BinaryIO, unpacked: _Unpacked, allowance: Allowance) -> Iterator[Member]:
    read = 0
    odd_names: dict[str, str] = {}
    try:
        headers = _Headers(unpacked, allowance)
        with tarfile.open(fileobj=headers, mode="r:") as archive:
            for info in headers.of(archive):
                if info.isdir():
                    continue
                if not odd_names and not _is_utf_8(info.name):
                    odd_names = _recovered_names(kind, file, allowance)
                name = odd_names.get(info.name, info.name)
                yield Member(name, info.size, partial(_open, archive, info, file, allowance), _refusal(info))
                read += 1
    except BROKEN as error:
        raise Refused(
            "malformed",
            f"The archive is damaged or cut off; {read:,} of its files were reached ({error}). Pack or download it again.",
        ) from error


def _open(archive: tarfile.TarFile, info: tarfile.TarInfo, file: BinaryIO, allowance: Allowance) -> Stream:
    stream = archive.extractfile(info)
    if stream is None:
        raise Refused("malformed", "The archive holds no data for this file. Pack it again.")
    return Watched(stream, allowance.limits, file.tell)


def _refusal(info: tarfile.TarInfo) -> Refused | None:
    if info.issym():
        return SYMBOLIC_LINK
    if info.islnk():
        return HARD_LINK
    if not info.isfile():
        return DEVICE
    return None


def _holds_tar(kind: str, file: BinaryIO) -> bool:
    try:
        header = _opened(kind, file).read(tarfile.BLOCKSIZE)
        return bool(tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape"))
    except BROKEN:
        return False
    finally:
        file.seek(0)


def _is_utf_8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False  # `tarfile` keeps other bytes as lone surrogates
    return True


def _recovered_names(kind: str, file: BinaryIO, allowance: Allowance) -> dict[str, str]:
    """All names of the tar that are not UTF-8, judged together. Reads the headers a second time; such tars are rare."""
    position = file.tell()
    file.seek(0)
    stored: list[str] = []
    try:
        headers = _Headers(_Unpacked(kind, file, allowance), allowance)
        with tarfile.open(fileobj=headers, mode="r:") as archive:
            for info in headers.of(archive):
                if not _is_utf_8(info.name):
                    stored.append(info.name)
    except BROKEN:
        pass  # the names before the damage are all that the first reading will meet, too
    finally:
        file.seek(position)
    return dict(
        zip(stored, recover_names([name.encode("utf-8", "surrogateescape") for name in stored], "cp1252"), strict=True)
    )


def _unpacked_name(name: str, kind: str) -> str:
    base = name.rpartition("/")[2]
    return base[: -len(kind) - 1] if base.casefold().endswith(f".{kind}") else base


def _opened(kind: str, file: BinaryIO) -> io.BufferedReader:
    file.seek(0)
    match kind:
        case "gz":  # told its mode: else it takes on that of a temporary file
            return cast(io.BufferedReader, gzip.GzipFile(fileobj=file, mode="rb"))
        case "bz2":
            return cast(io.BufferedReader, bz2.BZ2File(file))
        case "xz":
            return cast(io.BufferedReader, lzma.LZMAFile(file))
        case "zst":
            return cast(io.BufferedReader, zstd.ZstdFile(file, options={_WINDOW: _MAX_WINDOW_LOG}))
        case _:
            return cast(io.BufferedReader, file)


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of a file, counted against the allowance even where they are only skipped."""

    def __init__(self, kind: str, file: BinaryIO, allowance: Allowance) -> None:
        self._stream = _opened(kind, file)
        self._allowance = allowance
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read1(len(buffer))  # `read` would lose all that came before a cut
        buffer[: len(block)] = block
        self._position += len(block)
        return len(block)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """To an absolute position; skipped data has to be unpacked, so it counts."""
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only absolute positions")
        if offset < self._position:
            self._position = self._stream.seek(offset)
        while self._position < offset:
            block = self._stream.read(min(BLOCK, offset - self._position))
            if not block:
                break
            self._allowance.count_skipped(len(block))
            self._position += len(block)
        return self._position


class _Headers(io.BufferedReader):
    """What `tarfile` reads a tar through. Whoever reads the data of a member counts it; what `tarfile` reads for itself, the
    headers, is counted here, before there is memory for it."""

    def __init__(self, unpacked: _Unpacked, allowance: Allowance) -> None:
        super().__init__(unpacked, BLOCK)
        self._allowance = allowance
        self._bytes: int | None = 0
        """Those of the header under way; `None` while there is none."""

    def of(self, archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
        """Its members in stored order, none of them kept."""
        while (info := archive.next()) is not None:
            archive.members = []  # type: ignore[attr-defined]  # it would keep every header
            self._bytes = None
            yield info
            self._bytes = 0

    def read(self, size: int | None = -1, /) -> bytes:
        if self._bytes is not None:
            self._bytes += size or 0
            if self._bytes > _MAX_HEADER_BYTES or (size or -1) < 0:
                raise Refused(
                    "bomb",
                    f"What the archive says about one of its files takes more than {_MAX_HEADER_BYTES // BLOCK} MiB, "
                    "as only compression bombs do; the rest was not read. Pack it again.",
                )
            self._allowance.count_expanded(size or 0)
        return super().read(size)
