"""7z, Zstandard, and programs that unpack themselves."""

import gzip
import io
import random
import tarfile

import py7zr
import pytest
from backports import zstd

MIB = 1024 * 1024
FAST = [{"id": py7zr.FILTER_LZMA2, "preset": 0}]


def seven(*members: tuple[str, bytes], **options: object) -> bytes:
    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w", **options) as archive:
        for name, content in members:
            archive.writestr(content, name.replace("..", "xx"))
            archive.header.files_info.files[-1]["filename"] = name
    return buffer.getvalue()


def test_a_7z_is_read_in_its_order_whatever_it_lies_in(read, make_zip):
    inner = seven(("a.txt", b"one"), ("d/b.txt", b"two"), ("a.txt", b"three"), ("e.txt", b""), ("../x.txt", b"evil"))
    expected = ["a.txt", "d/b.txt", "a.txt (2)", "e.txt", "../x.txt"]
    got = read({"s.7z": inner})
    assert list(got.statuses) == [f"s.7z!/{name}" for name in expected]
    assert list(got.statuses.values()) == ["ok", "ok", "ok", "empty", "unsafe-path"]
    assert got.text("s.7z!/a.txt (2)") == "three"
    assert list(read({"z.zip": make_zip(("s.7z", inner))}).statuses) == [f"z.zip!/s.7z!/{name}" for name in expected]


@pytest.mark.parametrize("header", [False, True])
def test_a_7z_with_a_password_is_encrypted_once(read, header):
    got = read({"s.7z": seven(("a.txt", b"secret"), ("b.txt", b"secret"), password="x", header_encryption=header)})
    assert got.statuses == {"s.7z": "encrypted"}
    assert "password" in got["s.7z"].reason


def test_a_bomb_in_a_7z_is_not_unpacked(read):
    got = read({"s.7z": seven(("zeros.txt", bytes(20 * MIB))), "b.txt": "beside"})
    assert got.statuses == {"s.7z!/zeros.txt": "bomb", "b.txt": "ok"}


def test_a_7z_above_the_limits_gives_what_came_before(read, tmp_path):
    noise = random.Random(7).randbytes(MIB).hex().encode()
    got = read({"s.7z": seven(("a.txt", noise), ("b.txt", noise + b"x"), filters=FAST)}, max_expanded_mb=3)
    assert got.statuses["s.7z!/a.txt"] == "ok"
    assert got.statuses["s.7z!/b.txt"] == "bomb"


@pytest.mark.parametrize("at", [8, 14, 33, 40, -25, -5])
def test_a_damaged_7z_costs_only_itself(read, at):
    data = bytearray(seven(("a.txt", b"hello " * 100), ("b.txt", b"fine " * 100)))
    data[at] ^= 0xFF
    got = read({"s.7z": bytes(data), "cut.7z": bytes(data[:-30]), "head.7z": bytes(data[:7]), "b.txt": "beside"})
    assert got["b.txt"].status == "ok"
    damaged = {path: status for path, status in got.statuses.items() if path != "b.txt"}
    assert set(damaged.values()) <= {"malformed", "ok"}
    assert "malformed" in damaged.values()
    assert all(got.text(path) == "hello " * 100 for path, status in damaged.items() if status == "ok")


def test_zstandard_is_read_alone_and_as_a_tar(read, make_tar):
    tar = zstd.compress(make_tar(("a.txt", b"one"), ("b.txt", b"two"), packed=""))
    log = zstd.compress(b"GET /\n") + zstd.compress(b"PUT /\n")
    got = read({"t.tar.zst": tar, "access.log.zst": log, "cut.txt.zst": zstd.compress(b"x" * 9000)[:12]})
    assert got.statuses == {
        "t.tar.zst!/a.txt": "ok",
        "t.tar.zst!/b.txt": "ok",
        "access.log.zst!/access.log": "ok",
        "cut.txt.zst!/cut.txt": "malformed",
    }
    assert got.text("access.log.zst!/access.log") == "GET /\nPUT /\n"


def test_a_tar_in_zstandard_whose_names_are_in_an_old_encoding_is_read(read, make_tar):
    upload = zstd.compress(
        make_tar(*(("季度总结/收入.txt", b"1"), ("季度/支出明细.txt", b"2")), packed="", encoding="gbk")
    )
    assert list(read({"t.tar.zst": upload}).statuses) == [
        "t.tar.zst!/季度总结/收入.txt",
        "t.tar.zst!/季度/支出明细.txt",
    ]


def test_a_bomb_in_zstandard_is_stopped(read):
    got = read({"zeros.txt.zst": zstd.compress(bytes(200 * MIB))})
    assert got.statuses == {"zeros.txt.zst!/zeros.txt": "bomb"}


def test_a_file_packed_in_several_members_is_read_whole(read):
    got = read({"a.log.gz": gzip.compress(b"one\n") + gzip.compress(b"two\n")})
    assert got.text("a.log.gz!/a.log") == "one\ntwo\n"


def test_a_program_that_unpacks_itself_is_opened_and_any_other_is_not(read, make_zip):
    program = b"MZ\x90\0" + b"\0\1" * 5000
    got = read({"setup.exe": program + make_zip(("a.txt", "packed")), "a.zip": b"#!x\n" + make_zip(("b.txt", "b"))})
    assert got.statuses == {"setup.exe!/a.txt": "ok", "a.zip!/b.txt": "ok"}
    assert read({"tool.exe": program, "b.txt": "b"}).statuses == {"tool.exe": "unsupported", "b.txt": "ok"}


def test_a_tar_whose_names_are_paths_on_a_drive_refuses_them(read):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in ("C:/a.txt", "ok.txt"):
            info = tarfile.TarInfo(name)
            info.size = 2
            archive.addfile(info, io.BytesIO(b"hi"))
    assert list(read({"t.tar": buffer.getvalue()}).statuses.values()) == ["unsafe-path", "ok"]
