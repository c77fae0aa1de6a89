"""The members of a zip file, in stored order.

Covered: names in old encodings, encrypted members, members that share their data (overlap bombs), links and devices, sizes
that lie (never more than the declared size is unpacked, and the checksum is verified), directories of absurd length.
A zip whose directory is lost is read without it (`salvage.py`).
Not covered: split zips, methods other than stored, deflate, bzip2 and LZMA.
"""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, BinaryIO

from rlm_core.corpus import kinds, salvage
from rlm_core.corpus.limits import BLOCK, DEVICE, SYMBOLIC_LINK, Allowance, Refused, Watched, bomb
from rlm_core.corpus.limits import RATIO_APPLIES_ABOVE as LARGE
from rlm_core.corpus.members import BROKEN, Member, Stream
from rlm_core.corpus.names import recover_names

_METHODS = {9: "Deflate64", 93: "Zstandard", 95: "XZ", 96: "JPEG", 97: "WavPack", 98: "PPMd", 99: "AES"}
_UTF_8 = 0x800
_ENCRYPTED = 0x1
_UNIX = 3
_END_BYTES = 22 + 65535
"""Within so many bytes of the end the directory's own end must stand."""


def open_zip(file: BinaryIO, allowance: Allowance) -> zipfile.ZipFile:
    """The zip file, its directory read. Raises `Refused` if it is none, is damaged, or lists far too much."""
    count = _directory_entries(file)
    if count > 2 * allowance.limits.max_entries:
        raise Refused(
            "too-large",
            f"The archive lists {count:,} files; an upload may hold {allowance.limits.max_entries:,}. Upload it in parts.",
        )
    try:
        archive = zipfile.ZipFile(file)
        if _is_of_a_member(archive, file):
            raise zipfile.BadZipFile("its directory is lost")
        return archive
    except BROKEN as error:
        raise Refused(
            "malformed", f"The archive is damaged or cut off and cannot be opened ({error}). Pack or download it again."
        ) from error


def _is_of_a_member(archive: zipfile.ZipFile, file: BinaryIO) -> bool:
    """Whether the directory is not that of the file, which is cut off, but that of a zip that lies in it."""
    first = min((info.header_offset for info in archive.infolist()), default=0)
    if first == 0:
        return False
    file.seek(0)
    begins_with_a_member = file.read(4) == b"PK\x03\x04"
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END_BYTES))
    end = file.read()
    return begins_with_a_member and end.rfind(b"PK\x05\x06") + 22 + len(archive.comment) < len(end)


def document_kind(archive: zipfile.ZipFile) -> str | None:
    """The office document or book that the zip really is, or `None` for a plain archive."""
    names = {info.filename for info in archive.infolist()[:5000]}
    first = b""
    if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
        try:
            first = archive.read("mimetype")
        except BROKEN:
            return None  # a broken member is reported when the archive is walked
    return kinds.kind_in_zip(names, first)


def members(archive: zipfile.ZipFile, allowance: Allowance) -> Iterator[Member]:
    """Its files. Raises `Refused` if all of them are encrypted."""
    return _members(archive.infolist(), archive.open, allowance)


def salvaged(file: BinaryIO, damage: Refused, allowance: Allowance) -> Iterator[Member]:
    """The files of a zip that cannot be opened for `damage`. Raises `Refused` in the end, or at once for a document."""
    infos = salvage.found(file, allowance.limits.max_entries)
    names = {info.filename for info in infos}
    if not infos or "mimetype" in names or kinds.kind_in_zip(names, b""):
        raise damage
    yield from _members(infos, partial(salvage.opened, file), allowance)
    files = "1 file was" if len(infos) == 1 else f"{len(infos):,} files were"
    raise Refused(
        "malformed",
        f"The archive is damaged or cut off and its directory is lost. {files} found without it; others may be missing. "
        "Pack or download it again.",
    )


def _members(
    listed: list[zipfile.ZipInfo], opened: Callable[[zipfile.ZipInfo], IO[bytes]], allowance: Allowance
) -> Iterator[Member]:
    infos = [info for info in listed if not info.orig_filename.endswith("/")]
    if infos and all(info.flag_bits & _ENCRYPTED for info in infos):
        raise Refused("encrypted", "The archive is protected by a password. Unpack it and upload the folder.")
    names = dict(zip((id(info) for info in infos), _names(infos), strict=True))
    overlapping = _overlapping(infos)
    for info in infos:
        refused = _refusal(info, allowance)
        if id(info) in overlapping:
            refused = Refused(
                "bomb",
                "It shares its packed data with another file of the archive, as only compression bombs do. Pack it again.",
            )
        yield Member(names[id(info)], info.file_size, partial(_open, opened, info, allowance), refused)


def _open(opened: Callable[[zipfile.ZipInfo], IO[bytes]], info: zipfile.ZipInfo, allowance: Allowance) -> Stream:
    return Watched(opened(info), allowance.limits, lambda: info.compress_size)


def _refusal(info: zipfile.ZipInfo, allowance: Allowance) -> Refused | None:
    mode = info.external_attr >> 16
    if info.create_system == _UNIX and stat.S_IFMT(mode):
        if stat.S_ISLNK(mode):
            return SYMBOLIC_LINK
        if not stat.S_ISREG(mode):
            return DEVICE
    if info.flag_bits & _ENCRYPTED:
        return Refused("encrypted", "The file is protected by a password. Unpack the archive and upload the folder.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        method = _METHODS.get(info.compress_type, f"method {info.compress_type}")
        return Refused(
            "unsupported", f"It is compressed with {method}, which is not unpacked. Pack it as an ordinary zip."
        )
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > LARGE and ratio > allowance.limits.max_ratio:
        return bomb(ratio, allowance.limits)
    return None


def _names(infos: list[zipfile.ZipInfo]) -> list[str]:
    """Names as the packer meant them: without the flag for UTF-8, `zipfile` has read them all as code page 437."""
    names = [info.orig_filename for info in infos]
    odd = [at for at, info in enumerate(infos) if not info.flag_bits & _UTF_8 and not info.orig_filename.isascii()]
    for at, name in zip(odd, recover_names([names[at].encode("cp437") for at in odd], "cp437"), strict=True):
        names[at] = name
    return names


def _overlapping(infos: list[zipfile.ZipInfo]) -> set[int]:
    """Ids of the members whose packed data begins within that of another."""
    found: set[int] = set()
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            found.add(id(info))
        end = max(end, info.header_offset + 30 + info.compress_size)
    return found


def _directory_entries(file: BinaryIO) -> int:
    """How many entries reading the directory can give at most. `zipfile` would build an object for each before we can count."""
    file.seek(0)
    count, tail = 0, b""
    while block := file.read(BLOCK):
        count += (tail + block).count(b"PK\x01\x02")
        tail = block[-3:]
    file.seek(0)
    return count
