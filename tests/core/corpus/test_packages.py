"""Documents that are zip files inside, made to do harm: found before any parser sees them."""

import random
import struct
import zlib
from contextlib import closing

import pytest
from office_making import W, docx_of, p, package_of

from rlm_core.corpus.converter import Converter
from rlm_core.corpus.formats.package import Package
from rlm_core.corpus.limits import Refused

MIB = 1024 * 1024


def status_of(read, data: bytes) -> str:
    got = read({"a.docx": data, "good.txt": "good"})
    assert got["good.txt"].status == "ok"
    assert got["a.docx"].reason.endswith(".")
    return got["a.docx"].status


def test_a_part_that_unpacks_to_absurdly_much_is_a_bomb(read):
    assert status_of(read, docx_of(p("x"), **{"word/media/a.bin": bytes(30 * MIB)})) == "bomb"


def test_many_parts_that_unpack_to_absurdly_much_together_are_a_bomb(read):
    part = random.Random(1).randbytes(1000) + bytes(9 * MIB)
    assert status_of(read, docx_of(p("x"), **{f"word/media/{at}.bin": part for at in range(14)})) == "bomb"


def test_a_part_that_is_larger_than_it_says_is_a_bomb(read):
    """The checksum of its first bytes is right, so that readers which stop there notice nothing."""
    data = docx_of(p("x"), **{"word/media/a.bin": bytes(30 * MIB)})
    place = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/media/a.bin"))
    said = struct.pack("<I", zlib.crc32(bytes(10))) + data[place + 20 : place + 24] + struct.pack("<I", 10)
    assert status_of(read, data[: place + 16] + said + data[place + 28 :]) == "bomb"


def test_parts_that_share_their_data_are_a_bomb(read):
    data = docx_of(p("x"), **{"word/a.xml": bytes(1000), "word/b.xml": bytes(1000)})
    first, second = (data.rindex(b"PK\x01\x02", 0, data.rindex(name)) for name in (b"word/a.xml", b"word/b.xml"))
    shared = data[: second + 42] + data[first + 42 : first + 46] + data[second + 46 :]
    assert status_of(read, shared) == "bomb"


def test_a_document_of_absurdly_many_parts_is_a_bomb():
    with pytest.raises(Refused) as refused:
        Package(package_of({f"{at}": b"" for at in range(20_001)}))
    assert refused.value.status == "bomb"


def test_a_part_that_is_encrypted_is_told_as_such(read):
    data = bytearray(docx_of(p("x")))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = -1
        while (place := data.find(mark, place + 1)) >= 0:
            data[place + offset] |= 1
    assert status_of(read, bytes(data)) == "encrypted"


@pytest.mark.parametrize("doctype", ['<!ENTITY a "many"><!ENTITY b "&a;&a;&a;">', '<!ENTITY b SYSTEM "/etc/hostname">'])
def test_entities_of_a_document_are_not_filled_in(read, doctype):
    xml = f"<!DOCTYPE w [{doctype}]><w:document {W}><w:body>{p('start &b; end')}</w:body></w:document>"
    got = read({"a.docx": docx_of("", **{"word/document.xml": xml})})
    assert got["a.docx"].status in ("ok", "malformed")
    if got.corpus:
        assert set(got.text("a.docx").split()) <= {"start", "end"}


def test_entities_that_grow_without_end_cost_only_the_file(read):
    entities = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 12))
    xml = f'<!DOCTYPE w [<!ENTITY e0 "lol">{entities}]><w:document {W} a="&e11;">&e11;</w:document>'
    assert status_of(read, docx_of("", **{"word/document.xml": xml})) == "malformed"


def test_a_damaged_part_is_told_by_name(read):
    data = docx_of(p("x" * 1000))
    place = data.index(b"word/document.xml") + len(b"word/document.xml") + 5
    got = read({"a.docx": data[:place] + b"\xff\xff\xff" + data[place + 3 :]})
    assert got["a.docx"].status == "malformed"
    assert "word/document.xml" in got["a.docx"].reason


def test_a_text_too_large_for_memory_costs_only_the_file():
    words = random.Random(1).choices([f"<w:p><w:r><w:t>{at}</w:t></w:r></w:p>" for at in range(50_000)], k=300_000)
    with closing(Converter(memory_mb=60)) as converter:
        with pytest.raises(Refused):
            converter.read("docx", docx_of("".join(words)))
        assert converter.read("docx", docx_of(p("small"))).text == "small"
