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
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, BinaryIO, cast

from rlm_core.corpus.limits import BLOCK

_HEADER = struct.Struct("<4s5H3L2H")
_SIZES = (struct.Struct("<4s3L"), struct.Struct("<4sL2Q"))
"""Signature, checksum, packed and unpacked size, behind the data; the second is that of zip64."""
_SIGNATURE = re.compile(rb"PK(?:\x03\x04|\x07\x08)")
_LOCAL = b"PK\x03\x04"
_SIZE_IS_BEHIND, _UTF_8 = 0x8, 0x800
_IN_EXTRA, _ZIP64 = 0xFFFFFFFF, 1
_LAST_METHOD = 99
_Behind = dict[int, tuple[int, int, int]]
"""Checksum, packed and unpacked size."""


def found(file: BinaryIO, max_members: int) -> list[zipfile.ZipInfo]:
    """What can be found, in the order in which it lies there."""
    members: list[zipfile.ZipInfo] = []
    marks = list(islice(_marks(file), 4 * max_members))
    behind = _sizes_behind(file, (at for at, signature in marks if signature != _LOCAL))
    end = 0
    for at, signature in marks:
        if signature == _LOCAL and at >= end and len(members) < max_members:
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


def _member(file: BinaryIO, at: int, behind: _Behind) -> zipfile.ZipInfo | None:
    """The member whose header stands there, if it is one."""
    file.seek(at)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    _, _, flags, method, _, _, checksum, packed, unpacked, name_bytes, extra_bytes = _HEADER.unpack(header)
    if not name_bytes or method > _LAST_METHOD:
        return None
    name, extra = file.read(name_bytes), file.read(extra_bytes)
    if _IN_EXTRA in (packed, unpacked):
        unpacked, packed = _sizes_in(extra) or (unpacked, packed)
    if flags & _SIZE_IS_BEHIND and not packed:
        start = at + len(header) + len(name) + len(extra)
        if start not in behind:
            return None
        checksum, packed, unpacked = behind[start]
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


def _sizes_behind(file: BinaryIO, places: Iterable[int]) -> _Behind:
    """What stands behind data, by where that data must begin: so far before it as it is long."""
    sizes: _Behind = {}
    for end in places:
        file.seek(end)
        told = file.read(_SIZES[1].size)
        for form in _SIZES:
            if len(told) >= form.size:
                _, checksum, packed, unpacked = form.unpack_from(told)
                sizes.setdefault(end - packed, (checksum, packed, unpacked))
    return sizes


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
