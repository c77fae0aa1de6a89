"""The members of a zip whose directory is lost or damaged: found by the header that stands before each of them.

Covered: zips that are cut off, damaged directories, zip64, sizes that stand only behind the data. What is found is read
like any member: never beyond its size, and only where the checksum is right.
Not covered: members whose sizes are told nowhere but in the directory.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import IO, BinaryIO, cast

from rlm_core.corpus.limits import BLOCK

_HEADER = struct.Struct("<4s5H3L2H")
_BEHIND = (struct.Struct("<4s3L"), struct.Struct("<4sL2Q"))
"""Signature, checksum, packed and unpacked size, behind the data; the second is that of zip64."""
_SIGNATURE = re.compile(rb"PK(?:\x03\x04|\x07\x08)")
_LOCAL = b"PK\x03\x04"
_SIZE_IS_BEHIND, _UTF_8 = 0x8, 0x800
_IN_EXTRA, _ZIP64 = 0xFFFFFFFF, 1
_MAX_TRIES = 100
"""What else in the data of one member may look like the end of it."""


def found(file: BinaryIO, max_members: int) -> list[zipfile.ZipInfo]:
    """What can be found, in the order in which it lies there."""
    members: list[zipfile.ZipInfo] = []
    marks = list(islice(_marks(file), 4 * max_members))
    end = 0
    for number, (at, signature) in enumerate(marks):
        if signature == _LOCAL and at >= end and len(members) < max_members:
            behind = (each for each, other in islice(marks, number + 1, number + 1 + _MAX_TRIES) if other != _LOCAL)
            info = _member(file, at, behind)
            if info is not None:
                members.append(info)
                end = at + _HEADER.size + info.compress_size
    return members


def opened(file: BinaryIO, info: zipfile.ZipInfo) -> IO[bytes]:
    """The unpacked bytes of a member that was found. Raises `zipfile.BadZipFile` at its end if the checksum is wrong."""
    file.seek(info.header_offset)
    *_, name_bytes, extra_bytes = _HEADER.unpack(file.read(_HEADER.size))
    file.seek(name_bytes + extra_bytes, io.SEEK_CUR)
    return cast(IO[bytes], zipfile.ZipExtFile(file, "r", info))


def _member(file: BinaryIO, at: int, behind: Iterator[int]) -> zipfile.ZipInfo | None:
    """The member whose header stands there. `behind`: where its sizes may stand."""
    file.seek(at)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    _, _, flags, method, _, _, checksum, packed, unpacked, name_bytes, extra_bytes = _HEADER.unpack(header)
    name, extra = file.read(name_bytes), file.read(extra_bytes)
    if _IN_EXTRA in (packed, unpacked):
        unpacked, packed = _sizes_in(extra) or (unpacked, packed)
    if flags & _SIZE_IS_BEHIND and not packed:
        sizes = _sizes_behind(file, at + len(header) + len(name) + len(extra), behind)
        if sizes is None:
            return None
        checksum, packed, unpacked = sizes
    info = zipfile.ZipInfo(name.decode("utf-8" if flags & _UTF_8 else "cp437", "replace"))
    info.flag_bits, info.compress_type, info.header_offset = flags, method, at
    info.CRC, info.compress_size, info.file_size = checksum, packed, unpacked
    return info


def _sizes_in(extra: bytes) -> tuple[int, int] | None:
    """Unpacked and packed size of zip64."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<2H", extra)
        if kind == _ZIP64 and 16 <= size <= len(extra) - 4:
            unpacked, packed = struct.unpack_from("<2Q", extra, 4)
            return unpacked, packed
        extra = extra[4 + size :]
    return None


def _sizes_behind(file: BinaryIO, start: int, behind: Iterator[int]) -> tuple[int, int, int] | None:
    """Checksum, packed and unpacked size of data that starts there, where they fit what lies between."""
    for end in behind:
        file.seek(end)
        told = file.read(_BEHIND[1].size)
        for form in _BEHIND:
            if len(told) >= form.size:
                _, checksum, packed, unpacked = form.unpack_from(told)
                if packed == end - start:
                    return checksum, packed, unpacked
    return None


def _marks(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Where something stands that may be the header of a member, or the sizes behind it."""
    file.seek(0)
    position, tail = 0, b""
    while block := file.read(BLOCK):
        block = tail + block
        for match in _SIGNATURE.finditer(block):
            yield position - len(tail) + match.start(), match[0]
        position += len(block) - len(tail)
        tail = block[-3:]
