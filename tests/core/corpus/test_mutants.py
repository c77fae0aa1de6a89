"""Good archives and mails with a few bytes changed: no crash, nothing outside the folder, and nothing wrong taken for right."""

import random
import zipfile
from contextlib import suppress

import pytest

from rlm_core.corpus.formats.mail import read_mail
from rlm_core.corpus.limits import Refused

GOOD = {"a.txt": b"the pump leaks " * 40, "d/b.csv": b"x;y\n1;2\n" * 30, "c.json": b'{"a": [1, 2]}'}
MUTANTS = 150
MAIL = b"""From: a@example.test
Subject: =?utf-8?q?=C3=9Cbersicht?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="frame"

--frame
Content-Type: text/html; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

<p>H&auml;ppy =FC</p>
--frame
Content-Type: text/csv
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename*=utf-8''d%C3%A4ta.csv

aWQsdgoxLEFUVC1DU1YtT0sK
--frame
Content-Type: message/rfc822

Subject: inner

INNER
--frame--
"""


def mutant(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(changed))
        match chance.randrange(5):
            case 0:
                changed[at] ^= 1 << chance.randrange(8)
            case 1:
                changed[at : at + 4] = chance.choice((bytes(4), b"\xff" * 4, b"\xff\xff\xff\x7f", b"/../"))
            case 2:
                del changed[at : at + chance.choice((1, 4, 60))]
            case 3:
                changed[at:at] = changed[chance.randrange(len(changed)) :][: chance.randrange(60)]
            case _:
                changed = changed[: max(at, 1)]
        changed = changed or bytearray(b"x")
    return bytes(changed)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_mutants_of_a_zip_cost_only_themselves_and_never_give_wrong_text(read, make_zip, method):
    chance, upload = random.Random(method), make_zip(*GOOD.items(), method=method)
    for number in range(MUTANTS):
        got = read({"z.zip": mutant(upload, chance), "good.txt": f"good {number}"})
        assert got["good.txt"].status == "ok"
        for path, status in got.statuses.items():
            if status == "ok" and path != "good.txt":
                assert got.text(path).encode() in GOOD.values(), (number, path)


@pytest.mark.parametrize("packed", ["", "gz", "xz"])
def test_mutants_of_a_tar_cost_only_themselves(read, make_tar, packed):
    chance, upload = random.Random(packed), make_tar(*GOOD.items(), packed=packed)
    for number in range(MUTANTS):
        got = read({"t.tar": mutant(upload, chance), "good.txt": f"good {number}"})
        assert got["good.txt"].status == "ok"
        assert all(item.reason for item in got.report.items if item.status not in ("ok", "empty"))


def test_mutants_of_a_mail_are_read_or_refused():
    chance = random.Random(11)
    for _ in range(10 * MUTANTS):
        with suppress(Refused):
            assert all(each.name for each in read_mail(mutant(MAIL, chance)).inside)
