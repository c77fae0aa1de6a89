"""Uploads of which nothing can be read: how to make each, and a word of the reason that a person must be given."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable
from pathlib import Path

NOISE = random.Random(1).randbytes(2_000)


def _zip(file: Path, **members: bytes) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_", "."), data)


def _with_password(file: Path) -> None:
    """A zip whose member says that it is encrypted: nothing here could write a real one."""
    _zip(file, a_txt=NOISE)
    data = bytearray(file.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    file.write_bytes(data)


def _cut_off(file: Path) -> None:
    _zip(file, a_txt=b"words " * 5_000)
    file.write_bytes(file.read_bytes()[:60])


UPLOADS: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing": (lambda file: file.mkdir(), "it holds no files"),
    "no_bytes.txt": (lambda file: file.write_bytes(b""), "has no bytes"),
    "no_zip.zip": (lambda file: file.write_bytes(b"PK this is no archive"), "malformed"),
    "cut_off.zip": (_cut_off, "damaged or cut off"),
    "password.zip": (_with_password, "password"),
    "binaries.zip": (lambda file: _zip(file, a_exe=b"MZ" + NOISE, b_png=b"\x89PNG\r\n\x1a\n" + NOISE), "unsupported"),
}
