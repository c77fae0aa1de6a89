"""Files of old Office programs: workbooks and mails are read, others are named."""

import struct
from contextlib import closing

import pytest
from ole_making import mail_streams, ole_of, workbook

from rlm_core.corpus.converter import Converter
from rlm_core.corpus.formats.msg import unpacked_rtf
from rlm_core.corpus.limits import Refused


def test_an_old_workbook_is_read_in_the_form_of_all_workbooks(read):
    got = read({"a.xls": ole_of({"Workbook": workbook([["name", "price"], ["Müller", 3.0], ["x", 1.5]])})})
    assert got.text("a.xls") == "Sheet: Data\n\tA\tB\n1\tname\tprice\n2\tMüller\t3\n3\tx\t1.5"
    assert (got["a.xls"].kind, got["a.xls"].sheets) == ("xls", {"Data": "visible"})
    assert got["a.xls"].cells["Data!B3"] == "1.5"


def test_a_sheet_that_takes_more_memory_than_there_may_be_is_told_as_such():
    book = workbook([["name"]] + [[]] * 60_000 + [[""] * 200 + ["far"]])
    with closing(Converter(memory_mb=150)) as converter:
        with pytest.raises(Refused, match="more memory than the 150 MB") as refused:
            converter.read("xls", ole_of({"Workbook": book}))
        assert refused.value.status == "too-large"
        assert converter.read("xls", ole_of({"Workbook": workbook([["small"]])})).text.endswith("small")


def test_the_content_tells_an_old_workbook_whatever_its_name(read):
    data = ole_of({"Workbook": workbook([["name"]])})
    assert read({"no extension": data})["no extension"].status == "ok"
    assert read({"a.msg": data}).text("a.msg").endswith("name")


@pytest.mark.parametrize(
    ("stream", "status", "hint"),
    [
        *(("WordDocument", "unsupported", ".docx"), ("PowerPoint Document", "unsupported", ".pptx")),
        *(("EncryptedPackage", "encrypted", "password"), ("Contents", "unsupported", "old Office")),
    ],
)
def test_what_is_not_read_is_named_by_its_content(read, stream, status, hint):
    item = read({"file": ole_of({stream: b"x"}), "b.txt": "b"})["file"]
    assert (item.status, hint in item.reason) == (status, True)


def test_a_damaged_container_is_malformed(read):
    whole = ole_of({"Workbook": workbook([["name"]])})
    got = read({"a.xls": whole[:600], "b.xls": whole[:3000], "c.xls": whole[:8] + bytes(600), "d.txt": "d"})
    assert {got[name].status for name in ("a.xls", "b.xls", "c.xls")} == {"malformed"}


def test_a_mail_of_outlook_is_read_as_a_mail_and_its_attachments_are_walked(read):
    inner = mail_streams(24, p0037="Inner", p1000="Inner body")
    sent = bytes(2) + struct.pack("<H", 0x0039) + bytes(4) + struct.pack("<Q", 133_534_224_000_000_000)
    mail = {
        **mail_streams(
            32, p0037="Prices für May", p0C1A="Ann", p5D01="ann@example.org", p0E04="Bob", p1000="See below.\r\n"
        ),
        "__attach_version1.0_#00000000": mail_streams(8, p3707="data €.csv", p3701=b"a,b\n1,2\n"),
        "__attach_version1.0_#00000001": {**mail_streams(8), "__substg1.0_3701000D": inner},
    }
    mail["__properties_version1.0"] = bytes(32) + sent
    got = read({"a.msg": ole_of(mail)})
    assert got.statuses == {"a.msg": "ok", "a.msg!/data €.csv": "ok", "a.msg!/message-2.eml": "ok"}
    text = got.text("a.msg")
    assert "From: Ann <ann@example.org>\nTo: Bob\nDate: Mon, 26 Feb 2024" in text.replace("Cc: \n", "")
    assert "Subject: Prices für May" in text
    assert text.endswith("See below.")
    assert got["a.msg"].kind == "msg"
    assert got.text("a.msg!/message-2.eml").endswith("Inner body")


def test_bodies_in_html_and_in_rtf_are_read(read):
    rtf = rb"{\rtf1\ansi Only {\b RTF}}"
    stored = struct.pack("<II4sI", len(rtf) + 12, len(rtf), b"MELA", 0) + rtf
    packed = (
        struct.pack("<II4sI", 0, 17, b"LZFu", 0)
        + bytes([0b00000000])
        + rb"{\rtf1 x"
        + bytes([0b00000000])
        + b"yzabcde}"
    )
    html = mail_streams(p0037="s", p1013="<p>Caf\xe9 &amp; more</p>".encode("cp1252"))
    files = {
        "html.msg": ole_of(html),
        "stored.msg": ole_of(mail_streams(p0037="s", p1009=stored)),
        "packed.msg": ole_of(mail_streams(p0037="s", p1009=packed)),
    }
    got = read(files)
    assert got.text("html.msg").endswith("Café & more")
    assert got.text("stored.msg").endswith("Only RTF")
    assert got.text("packed.msg").endswith("xyzabcde")


def test_copies_in_packed_rtf_come_out_of_what_it_begins_with():
    packed = struct.pack("<II4sI", 0, 0, b"LZFu", 0) + bytes([0b11]) + struct.pack(">HH", 0 << 4 | 4, 0xCF << 4 | 4)
    assert unpacked_rtf(packed).startswith(b"{\\rtf1")
