"""A corrupt or bombed file among a thousand good ones costs that file and nothing else."""

import gzip
import io
import lzma
import random
import zipfile

import pytest
from backports import zstd

GOOD = {f"good-{number}.txt": f"file {number} of a thousand" for number in range(1000)}
ZEROS = bytes(32 * 1024 * 1024)
HEADERS = "From: a@example.test\nSubject: s\nMIME-Version: 1.0\n"


def _zip(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def _deep_mail() -> bytes:
    parts = (f'Content-Type: multipart/mixed; boundary="b{number}"\n\n--b{number}\n' for number in range(2000))
    return (HEADERS + "".join(parts)).encode()


HOSTILE = {
    "bomb.zip": lambda: _zip("zeros.txt", ZEROS),
    "bomb.txt.gz": lambda: gzip.compress(ZEROS),
    "bomb.txt.xz": lambda: lzma.compress(ZEROS, preset=0),
    "bomb.txt.zst": lambda: zstd.compress(ZEROS),
    "cut.zip": lambda: _zip("a.txt", b"words " * 900)[:60],
    "noise.zip": lambda: b"PK\x03\x04" + random.Random(1).randbytes(200_000),
    "noise.7z": lambda: b"7z\xbc\xaf\x27\x1c" + random.Random(2).randbytes(200_000),
    "noise.tgz": lambda: b"\x1f\x8b\x08\0" + random.Random(3).randbytes(200_000),
    "many.zip": lambda: (b"PK\x03\x04\x14\0\x08\0\x08\0" + bytes(20)) * 50_000 + b"PK\x07\x08" * 200_000,
    "deep.eml": _deep_mail,
    "headers.eml": lambda: (
        f"{HEADERS}{('To: ' + 'a@b, ' * 2000 + chr(10)) * 100}Content-Type: multipart/x\n\n".encode()
    ),
    "separators.mbox": lambda: b"not yet\n\nFrom a\n\n" * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_among_a_thousand_good_ones_costs_only_itself(read, name):
    got = read({**GOOD, name: HOSTILE[name]()})
    assert sum(got.statuses[good] == "ok" for good in GOOD) == 1000
    rest = [item for item in got.report.items if item.path not in GOOD]
    assert rest
    assert name == "headers.eml" or all(item.status in ("bomb", "malformed") and item.reason for item in rest)
