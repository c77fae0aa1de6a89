"""Zips that are cut off or whose directory is damaged: what is in them is read where its checksum is right."""

import io
import struct
import zipfile

import pytest


@pytest.fixture
def upload(make_zip) -> bytes:
    return make_zip(*((f"{number}.txt", f"text {number} " * 50) for number in range(20)))


def _piped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """As written to a pipe: sizes and checksums stand behind the data."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise io.UnsupportedOperation

        def tell(self) -> int:
            raise io.UnsupportedOperation

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return pipe.getvalue()


def test_a_zip_that_is_cut_off_gives_all_that_came_before_the_cut(read, upload):
    cut = upload[: upload.index(b"PK\x03\x04", len(upload) // 3) + 45]
    got = read({"z.zip": cut, "b.txt": "beside"})
    read_files = [path for path, status in got.statuses.items() if status == "ok" and path != "b.txt"]
    assert 3 < len(read_files) < 20
    assert got.text("z.zip!/3.txt") == "text 3 " * 50
    assert (got["z.zip"].status, got.report.upload_status) == ("malformed", "partial")
    assert f"{len(read_files) + 1} files were found" in got["z.zip"].reason
    assert got[f"z.zip!/{len(read_files)}.txt"].status == "malformed"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-10],
        lambda data: data.replace(b"PK\x01\x02", b"PK\x09\x02"),
        lambda data: data[: data.index(b"PK\x01\x02") + 7],
        lambda data: data.replace(b"PK\x05\x06", b"XX\x05\x06"),
    ],
)
def test_a_zip_without_its_directory_is_read_whole_and_said_to_be_damaged(read, upload, damage):
    got = read({"z.zip": damage(upload)})
    assert sum(item.status == "ok" for item in got.report.items) == 20
    assert got["z.zip"].status == "malformed"
    assert "directory is lost" in got["z.zip"].reason


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_sizes_that_stand_behind_the_data_are_found(read, make_zip, method):
    inner = make_zip(("deep.txt", "deep"), method=zipfile.ZIP_STORED)
    data = _piped(("a.txt", b"first"), ("in.zip", inner), ("b.txt", b"last"), method=method)
    got = read({"z.zip": data[: data.rindex(b"PK\x01\x02")]})
    assert {path for path, status in got.statuses.items() if status == "ok"} == {
        *("z.zip!/a.txt", "z.zip!/in.zip!/deep.txt", "z.zip!/b.txt")
    }


def test_names_passwords_and_wrong_checksums_are_judged_as_in_any_zip(read, make_zip):
    data = bytearray(make_zip(("好.txt", "fine"), ("b.txt", "locked"), ("c.txt", "wrong")))
    at = data.index(b"PK\x03\x04", 4)
    data[at + 6] |= 1
    at = data.index(b"PK\x03\x04", at + 4)
    data[at + 14] ^= 1
    data.insert(at, 0)
    got = read({"z.zip": bytes(data[: data.index(b"PK\x01\x02")])})
    assert got.statuses == {
        "z.zip!/好.txt": "ok",
        "z.zip!/b.txt": "encrypted",
        "z.zip!/c.txt": "malformed",
        "z.zip": "malformed",
    }


def test_a_zip64_without_its_directory_is_read(read):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("a.txt", "w", force_zip64=True) as member:
        member.write(b"large in spirit")
    data = buffer.getvalue()
    assert struct.unpack_from("<L", data, 18) == (0xFFFFFFFF,)
    got = read({"z.zip": data[: data.index(b"PK\x01\x02")]})
    assert got.text("z.zip!/a.txt") == "large in spirit"


@pytest.mark.parametrize("data", [b"PK\x03\x04 nothing", b"no zip at all", b"PK\x03\x04" + b"\0" * 26])
def test_where_nothing_can_be_found_only_the_archive_is_named(read, data):
    got = read({"z.zip": data, "b.txt": "beside"})
    assert got["z.zip"].status == "malformed"
    assert "damaged" in got["z.zip"].reason
    assert got["b.txt"].status == "ok"


def test_the_parts_of_a_damaged_document_are_no_documents(read, make_zip):
    data = make_zip(("[Content_Types].xml", "<x/>"), ("word/document.xml", "<x/>"))
    assert read({"a.docx": data[:-30]}).statuses == {"a.docx": "malformed"}


def test_a_hundred_thousand_false_beginnings_cost_nothing_but_themselves(read):
    got = read({"z.zip": (b"PK\x03\x04" + b"\x08" * 20) * 100_000 + b"PK\x07\x08" * 100_000, "b.txt": "beside"})
    assert got["b.txt"].status == "ok"
