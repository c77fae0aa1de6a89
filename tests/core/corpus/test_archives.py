"""Archives: what is in them, under which names, and what happens to the hostile and the broken ones."""

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import time
import warnings
import zipfile

import pytest

from rlm_core.corpus.names import Taken

MIB = 1024 * 1024


def test_members_are_named_after_their_archive_at_every_level(read, make_zip):
    inner = make_zip(("notes.md", "nested"))
    got = read({"outer.zip": make_zip(("a/b.txt", "first"), ("a/more.zip", inner))})
    assert got.statuses == {"outer.zip!/a/b.txt": "ok", "outer.zip!/a/more.zip!/notes.md": "ok"}
    assert got.text("outer.zip!/a/more.zip!/notes.md") == "nested"
    assert got.report.upload_status == "ok"


@pytest.mark.parametrize("packed", ["", "gz", "bz2", "xz"])
def test_a_tar_is_read_however_it_is_packed(read, make_tar, packed):
    got = read({"dump.tar": make_tar(("./d/one.txt", b"one"), ("d/two.txt", b"two"), packed=packed)})
    assert got.statuses == {"dump.tar!/d/one.txt": "ok", "dump.tar!/d/two.txt": "ok"}


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_a_single_packed_file_is_read_under_its_unpacked_name(read, ending, pack):
    got = read({f"access.log.{ending}": pack(b"GET /\n")})
    assert got[f"access.log.{ending}!/access.log"].kind == "log"


def test_a_tar_inside_a_zip_inside_a_tar_is_read(read, make_zip, make_tar):
    upload = make_tar(("b.zip", make_zip(("c.tar.gz", make_tar(("d.txt", b"deep"))))))
    assert read({"a.tgz": upload}).text("a.tgz!/b.zip!/c.tar.gz!/d.txt") == "deep"


def test_archives_are_opened_five_deep_and_the_rest_is_said_to_lie_deeper(read, make_zip):
    upload = make_zip(("end.txt", "end"))
    for _ in range(6):
        upload = make_zip(("in.zip", upload), ("beside.txt", f"{len(upload)}"))
    got = read({"out.zip": upload})
    assert sum(item.status == "ok" for item in got.report.items) == 6
    assert [item.path.count("!/") for item in got.report.items if item.status == "too-large"] == [6]


def test_names_in_gbk_shift_jis_or_cyrillic_are_recovered(read):
    for names, encoding in [
        (("季度总结/收入报告.txt", "季度总结/支出明细.txt"), "gbk"),
        (("売上報告/二月.txt", "売上報告/三月.txt"), "cp932"),
        (("отчет/январь.txt", "отчет/февраль.txt"), "cp866"),
        (("Müller/Übersicht.txt", "Müller/Straße.txt"), "cp437"),
        (("Müller/Übersicht.txt", "Müller/Straße.txt"), "utf-8"),
    ]:
        got = read({"a.zip": _zip_with_raw_names([name.encode(encoding) for name in names])})
        assert got.statuses == {f"a.zip!/{name}": "ok" for name in names}


def test_names_of_a_tar_that_are_not_utf_8_are_recovered(read, make_tar):
    names = ("季度总结/收入报告.txt", "季度总结/支出明细.txt")
    upload = make_tar(*((name, name.encode()) for name in names), encoding="gbk")
    assert read({"a.tar.gz": upload}).statuses == {f"a.tar.gz!/{name}": "ok" for name in names}


def test_a_second_file_of_the_same_name_gets_a_number(read, make_zip):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        upload = make_zip(("a.txt", "one"), ("a.txt", "two"), ("a.txt", "three"))
    assert list(read({"z.zip": upload}).statuses) == ["z.zip!/a.txt", "z.zip!/a.txt (2)", "z.zip!/a.txt (3)"]


def test_thousands_of_files_of_the_same_name_are_numbered_without_trying_every_number_again():
    taken = Taken()
    assert [taken.claim("a.txt") for _ in range(50_000)][-1] == "a.txt (50000)"
    assert taken.claim("b.txt") == "b.txt"


def test_the_same_bytes_are_read_once_and_listed_as_duplicate(read, make_zip):
    got = read({"a.txt": "same", "z.zip": make_zip(("b/c.txt", "same"), ("d.txt", "other"))})
    assert got["z.zip!/b/c.txt"].status == "duplicate"
    assert got["z.zip!/b/c.txt"].duplicate_of == "a.txt"
    assert [document.path for document in got.corpus.documents] == ["a.txt", "z.zip!/d.txt"]
    assert got.report.upload_status == "ok"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("__MACOSX/._a.txt", "os-metadata"),
        ("d/._a.txt", "os-metadata"),
        ("d/.DS_Store", "os-metadata"),
        ("Thumbs.db", "os-metadata"),
        ("desktop.ini", "os-metadata"),
        ("d/~$plan.docx", "office-lock-file"),
        ("d/.~lock.plan.odt#", "office-lock-file"),
        ("d/.git/config", "version-control"),
    ],
)
def test_litter_is_skipped_with_a_reason(read, make_zip, name, hint):
    got = read({"z.zip": make_zip((name, "noise"), ("a.txt", "text"))})
    assert got[f"z.zip!/{name}"].status == "skipped"
    assert hint in got[f"z.zip!/{name}"].reason
    assert got.report.upload_status == "ok"


@pytest.mark.parametrize(
    "name",
    ["../evil.txt", "/abs.txt", "a/../../evil.txt", "C:\\evil.txt", "c:/evil.txt", "..\\evil.txt", "\\\\host\\x"],
)
def test_a_name_that_leads_out_is_refused_as_stored_and_costs_only_itself(read, make_zip, make_tar, name, tmp_path):
    for upload in (make_zip((name, "evil"), ("a.txt", "fine")), make_tar((name, b"evil"), ("a.txt", b"fine"))):
        got = read({"dump": upload})
        assert got.statuses == {f"dump!/{name}": "unsafe-path", "dump!/a.txt": "ok"}
        assert got.report.upload_status == "partial"
        assert got.corpus.text(0) == "fine"
    assert not list(tmp_path.rglob("*evil*"))


def test_a_nul_character_or_a_line_end_in_a_name_hides_nothing(read, make_tar):
    got = read({"t.tar": make_tar(("a\nb.txt", b"one"), packed="")})
    assert got.statuses == {"t.tar!/a�b.txt": "ok"}


def test_links_and_devices_in_archives_are_refused(read, make_zip):
    link = zipfile.ZipInfo("link.txt")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    got = read({"z.zip": make_zip((link, "/etc/passwd"), ("a.txt", "fine"))})
    assert got["z.zip!/link.txt"].status == "unsafe-path"
    assert "symbolic-link" in got["z.zip!/link.txt"].reason

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind in [("soft", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE), ("dev", tarfile.CHRTYPE)]:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    assert set(read({"t.tar": buffer.getvalue()}).statuses.values()) == {"unsafe-path"}


def test_a_zip_whose_members_are_all_encrypted_is_reported_once(read, make_zip):
    got = read({"z.zip": _encrypted(make_zip(("a.txt", "secret"), ("b.txt", "secret too")), all_of_them=True)})
    assert got.statuses == {"z.zip": "encrypted"}
    assert "password" in got["z.zip"].reason
    assert got.corpus is None
    assert got.report.upload_status == "failed"


def test_one_encrypted_member_costs_only_itself(read, make_zip):
    got = read({"z.zip": _encrypted(make_zip(("a.txt", "secret"), ("b.txt", "open")), all_of_them=False)})
    assert got.statuses == {"z.zip!/a.txt": "encrypted", "z.zip!/b.txt": "ok"}


def test_a_member_with_a_wrong_checksum_or_a_lying_size_costs_only_itself(read, make_zip):
    data = bytearray(make_zip(("a.txt", "hello " * 100), ("b.txt", "fine"), method=zipfile.ZIP_STORED))
    data[data.index(b"hello ")] ^= 1
    assert read({"z.zip": bytes(data)}).statuses == {"z.zip!/a.txt": "malformed", "z.zip!/b.txt": "ok"}

    data = bytearray(make_zip(("a.txt", "x" * 100_000), ("b.txt", "fine")))
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 10)  # says 10 bytes
    assert read({"z.zip": bytes(data)}).statuses == {"z.zip!/a.txt": "malformed", "z.zip!/b.txt": "ok"}


def test_a_file_that_unpacks_to_a_thousand_times_its_size_is_a_bomb_and_the_one_beside_it_is_read(read, tmp_path):
    zeros = zipfile.ZipInfo("zeros.txt")
    zeros.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w") as archive, archive.open(zeros, "w") as member:
        for _ in range(64):
            member.write(bytes(MIB))
    with zipfile.ZipFile(tmp_path / "bomb.zip", "a") as archive:
        archive.writestr("good.txt", "good")
    started = time.monotonic()
    got = read({"bomb.zip": tmp_path / "bomb.zip"})
    assert got.statuses == {"bomb.zip!/zeros.txt": "bomb", "bomb.zip!/good.txt": "ok"}
    assert "times its packed size" in got["bomb.zip!/zeros.txt"].reason
    assert time.monotonic() - started < 5


def test_a_bomb_in_a_tar_is_found_by_what_comes_out_of_it(read, make_tar):
    got = read({"t.tar.gz": make_tar(("zeros.txt", bytes(30 * MIB)), ("good.txt", b"good"))})
    assert got.statuses == {"t.tar.gz!/zeros.txt": "bomb", "t.tar.gz!/good.txt": "ok"}


def test_a_single_packed_file_may_be_a_bomb_as_well(read):
    assert read({"a.txt.gz": gzip.compress(bytes(30 * MIB))}).statuses == {"a.txt.gz!/a.txt": "bomb"}


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_headers_of_a_tar_may_be_bombs_and_are_never_read_whole(read, make_tar, kind):
    huge = tarfile.TarInfo("notes")
    huge.type, huge.size = kind, 1 << 50
    upload = gzip.compress(_tar_header("first.txt", 0) + huge.tobuf(tarfile.GNU_FORMAT) + bytes(30 * MIB))
    got = read({"t.tar.gz": upload, "b.txt": "beside"})
    assert got.statuses == {"t.tar.gz!/first.txt": "empty", "t.tar.gz": "bomb", "b.txt": "ok"}
    assert "one of its files takes more than 4 MiB" in got["t.tar.gz"].reason


def test_headers_of_a_tar_count_as_unpacked(read):
    long_name = _tar_header("././@LongLink", MIB, tarfile.GNUTYPE_LONGNAME) + b"a" * MIB
    upload = gzip.compress((long_name + _tar_header("a.txt", 0)) * 3)
    got = read({"t.tar.gz": upload}, max_expanded_mb=2)
    assert list(got.statuses.values()) == ["empty", "bomb"]
    assert "2 MiB, which is the limit" in got["t.tar.gz"].reason


def test_members_that_share_their_data_are_bombs(read, make_zip):
    data = bytearray(make_zip(("a.txt", "shared " * 100), ("b.txt", "other " * 100)))
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<I", 0)  # points at the data of the first
    got = read({"z.zip": bytes(data)})
    assert sorted(got.statuses.values()) == ["bomb", "ok"]


def test_what_goes_beyond_the_total_is_refused_and_earlier_documents_are_kept(read, make_zip):
    noise = [random.Random(number).randbytes(400_000).hex() for number in range(4)]
    got = read({"z.zip": make_zip(*((f"{at}.txt", each) for at, each in enumerate(noise)))}, max_expanded_mb=2)
    assert list(got.statuses.values()) == ["ok", "ok", "bomb", "bomb"]


def test_a_file_above_the_limit_for_one_file_is_too_large(read, make_zip):
    text = random.Random(1).randbytes(600_000).hex()
    got = read({"big.txt": text, "z.zip": make_zip(("big.txt", text), ("a.txt", "fine"))}, max_member_mb=1)
    assert got.statuses == {"big.txt": "too-large", "z.zip!/big.txt": "too-large", "z.zip!/a.txt": "ok"}
    assert "1 MiB" in got["big.txt"].reason


def test_an_upload_above_its_limit_keeps_what_fits(read):
    got = read({"a.txt": "a" * MIB, "b.txt": "b" * MIB}, max_upload_mb=1)
    assert got.statuses == {"a.txt": "ok", "b.txt": "too-large"}


def test_too_many_files_are_reported_once_and_the_first_are_kept(read, make_zip):
    got = read({"z.zip": make_zip(*((f"{at}.txt", str(at)) for at in range(8)))}, max_entries=5)
    assert list(got.statuses.values()) == ["ok"] * 5 + ["too-large"]
    got = read({"z.zip": make_zip(*((f"{at}.txt", str(at)) for at in range(12)))}, max_entries=5)
    assert got.statuses == {"z.zip": "too-large"}


def test_a_tar_that_is_cut_off_keeps_what_was_read(read, make_tar):
    noise = [(f"{at}.txt", random.Random(at).randbytes(20_000).hex().encode()) for at in range(10)]
    data = make_tar(*noise)
    got = read({"t.tar.gz": data[: len(data) // 2]})
    statuses = list(got.statuses.values())
    assert statuses.count("ok") >= 4
    assert got["t.tar.gz"].status == "malformed"
    assert "cut off" in got["t.tar.gz"].reason
    assert got.report.upload_status == "partial"


def test_an_archive_of_binaries_fails_with_a_reason_for_each(read, make_zip):
    noise = random.Random(0).randbytes(1000)
    files = [("a.png", b"\x89PNG\r\n\x1a\n" + noise), ("b.exe", b"MZ\0\0" + noise), ("c.dat", noise)]
    got = read({"z.zip": make_zip(*files)})
    assert got.report.upload_status == "failed"
    assert got.corpus is None
    assert set(got.statuses.values()) == {"unsupported"}
    assert all(item.reason.endswith(".") for item in got.report.items)


@pytest.mark.parametrize(
    ("name", "data", "hint"),
    [
        ("a.rar", b"Rar!\x1a\x07\0", "zip"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "old kind"),
        ("smime.p7s", b"0\x82\x01\0", "signature"),
    ],
)
def test_a_type_that_is_not_read_is_named(read, name, data, hint):
    item = read({name: data, "b.txt": "text"})[name]
    assert item.status == "unsupported"
    assert hint in item.reason


def test_office_files_are_known_by_what_is_in_them(read, make_zip):
    docx = make_zip(("[Content_Types].xml", "<x/>"), ("word/document.xml", "<x/>"))
    odt = make_zip(("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "<x/>"))
    got = read({"no extension": docx, "a.odt": odt, "z.zip": make_zip(("b.docx", docx), ("c.txt", "c"))})
    assert got["no extension"].kind == got["z.zip!/b.docx"].kind == "docx"
    assert got["a.odt"].kind == "odt"


def test_a_name_that_promises_what_the_content_does_not_hold_is_malformed(read):
    got = read(
        {
            "fake.docx": "not a zip",
            "fake.pdf": "no pdf",
            "fake.zip": "no zip",
            "locked.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        }
    )
    assert got.statuses == {
        "fake.docx": "malformed",
        "fake.pdf": "malformed",
        "fake.zip": "malformed",
        "locked.docx": "encrypted",
    }


def test_a_method_that_is_not_unpacked_is_named(read, make_zip):
    data = bytearray(make_zip(("a.txt", "text"), ("b.txt", "fine"), method=zipfile.ZIP_STORED))
    directory = data.index(b"PK\x01\x02")
    data[8:10] = data[directory + 10 : directory + 12] = struct.pack("<H", 9)
    got = read({"z.zip": bytes(data)})
    assert got.statuses == {"z.zip!/a.txt": "unsupported", "z.zip!/b.txt": "ok"}
    assert "Deflate64" in got["z.zip!/a.txt"].reason


def _tar_header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


def _zip_with_raw_names(names: list[bytes]) -> bytes:
    """A zip whose names are these bytes, without the flag for UTF-8."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for at, name in enumerate(names):
            archive.writestr(f"{at:x}" * len(name), name)
    data = buffer.getvalue()
    for at, name in enumerate(names):
        data = data.replace(f"{at:x}".encode() * len(name), name)
    return data


def _encrypted(data: bytes, *, all_of_them: bool) -> bytes:
    changed = bytearray(data)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = changed.find(signature)
        while at >= 0:
            changed[at + offset] |= 1
            at = changed.find(signature, at + 4) if all_of_them else -1
    return bytes(changed)
