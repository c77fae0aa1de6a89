"""Files that are read piece by piece: the same text and the same facts as of small ones."""

import io
import zipfile

import pytest

from rlm_core.corpus.content import IN_MEMORY_BYTES, Content
from rlm_core.corpus.readers.table import read_csv, read_jsonl, read_large_csv, read_large_jsonl
from rlm_core.corpus.readers.text import read_large_text, read_text

MIB = 1024 * 1024
LINE = "Der Schlüssel hängt im Flur.\n"


def large(line: bytes, last: bytes = b"", bytes_: int = IN_MEMORY_BYTES) -> bytes:
    """More than fits in memory: the line over and over, and another one at the end."""
    return line * (bytes_ // len(line) + 1) + last


def text_of(reading) -> str:
    return "".join(reading.pieces())


@pytest.mark.parametrize("size", [0, 1, IN_MEMORY_BYTES, IN_MEMORY_BYTES + 1, 3 * IN_MEMORY_BYTES])
def test_slices_of_a_file_are_the_same_wherever_it_lies(tmp_path, size):
    data = (bytes(range(256)) * (size // 256 + 1))[:size]
    blocks = (data[start : start + MIB] for start in range(0, size, MIB))
    content = Content(blocks, tmp_path)
    assert len(content) == size
    for part in (slice(None), slice(3, 90), slice(-5, None), slice(size - 2, size + 9), slice(9, 3)):
        assert content[part] == data[part]
    assert not list(tmp_path.iterdir()), "the temporary file has no name"
    content.close()


def test_what_goes_wrong_while_a_file_comes_is_raised_on(tmp_path):
    def blocks():
        yield bytes(IN_MEMORY_BYTES + 1)
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        Content(blocks(), tmp_path)


def test_a_large_log_whose_last_line_is_in_an_old_encoding_is_read_whole(read):
    upload = large(b"GET /index.html 200\n", "Straße gesperrt wegen Übung, sagt Jörg Müller.\n".encode("cp1252"))
    got = read({"big.log": upload})
    item = got["big.log"]
    assert (item.status, item.encoding, item.replaced) == ("ok", "cp1252", 0)
    assert 0 < item.encoding_confidence < 1
    assert "Windows-1252" in item.warning
    assert item.chars == len(upload)
    assert item.lines == upload.count(b"\n")
    assert got.text("big.log").endswith("Straße gesperrt wegen Übung, sagt Jörg Müller.\n")


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b""),
        ("utf-32-le", b"\xff\xfe\0\0"),
    ],
)
@pytest.mark.parametrize("before", ["", "x", "xy"])
def test_characters_that_lie_on_the_border_of_two_blocks_are_read(encoding, mark, before):
    text = before + "Ein Wort 🔑 mehr\n" * 150_000
    reading = read_large_text(mark + text.encode(encoding))
    assert text_of(reading) == text
    assert (reading.encoding.removesuffix("-sig"), reading.replaced) == (encoding, 0)


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("cp932", "ポンプの漏れを修理しました。"),
        ("gb18030", "二月的收入报告已经送到办公室。"),
        ("euc_jis_2004", "漏れを修理しました。"),
    ],
)
def test_large_files_in_east_asian_encodings_are_read(encoding, line):
    text = f"{line}\n" * 90_000
    reading = read_large_text(text.encode(encoding))
    assert text_of(reading) == text
    assert reading.encoding == encoding


def test_a_few_bad_bytes_in_a_large_file_are_counted_and_cost_nothing_else():
    data = large(LINE.encode(), b"bad \xff here \xe2\x82", 3 * MIB) + b""
    reading = read_large_text(data)
    assert (reading.encoding, reading.replaced) == ("utf-8", 2)
    assert "2 characters were not valid UTF-8" in reading.warning
    assert text_of(reading).endswith("bad \ufffd here \ufffd")


def test_replacement_characters_that_a_large_file_holds_itself_are_not_counted():
    data = ("\ufffd" * 3 + "ä" * 400_000).encode() + b"\xff"
    assert read_large_text(data).replaced == 1


def test_old_line_ends_of_a_large_file_become_ordinary_ones():
    reading = read_large_text(b"line\r" * 500_000)
    assert text_of(reading) == "line\n" * 500_000
    assert "carriage returns" in reading.warning
    assert text_of(read_large_text(b"line\r\n" * 500_000)) == "line\r\n" * 500_000


def test_large_binary_data_is_refused(read):
    assert read({"a.dat": bytes(range(256)) * 70_000, "b.txt": "b"}).statuses["a.dat"] == "unsupported"


def test_records_of_a_large_table_are_counted(read):
    upload = large(b"7;pump;leaks\n", b"8;valve;closed\n")
    got = read({"big.csv": upload})["big.csv"]
    assert (got.delimiter, got.rows) == (";", upload.count(b"\n") - 1)
    table = b'a;b\n1;"two\nlines"\n\n3;4'
    for one, other in ((read_csv, read_large_csv), (read_jsonl, read_large_jsonl)):
        small, piecewise = one(table), other(table)
        assert (small.rows, small.delimiter, small.warning) == (piecewise.rows, piecewise.delimiter, piecewise.warning)


def test_lines_of_a_large_file_that_are_no_json_are_listed(read):
    got = read({"big.jsonl": large(b'{"a": 12345678901234567890, "b": "' + b"x" * 5000 + b'"}\n', b"{bad\n")})[
        "big.jsonl"
    ]
    assert got.bad_lines == (got.lines,)
    assert got.rows == got.lines - 1


def test_of_records_that_are_too_many_to_be_counted_nothing_is_said(read):
    got = read({"huge.csv": large(b"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n", bytes_=65 * MIB)})["huge.csv"]
    assert (got.status, got.rows, got.delimiter, got.warning) == ("ok", None, ",", "")


def test_a_large_file_that_is_white_space_only_is_empty(read):
    assert read({"a.txt": b" \n" * (9 * MIB), "b.txt": "b"}).statuses["a.txt"] == "empty"


def test_a_large_file_twice_is_read_once(read):
    data = large(LINE.encode())
    assert read({"a.txt": data, "b.txt": data}).statuses == {"a.txt": "ok", "b.txt": "duplicate"}


def test_a_large_file_in_an_archive_in_an_archive_is_read(read):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("big.txt", large(LINE.encode()))
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("in.zip", buffer.getvalue())
    got = read({"z.zip": outer.getvalue()})
    assert got["z.zip!/in.zip!/big.txt"].lines == large(LINE.encode()).count(b"\n")


def test_a_file_that_must_be_parsed_whole_has_a_limit_of_its_own(read):
    got = read({"a.html": "<p>" + "x" * (2 * MIB), "a.txt": "x" * (2 * MIB)}, max_parsed_mb=1)
    assert got.statuses == {"a.html": "too-large", "a.txt": "ok"}
    assert "1 MiB" in got["a.html"].reason


def test_both_ways_of_reading_agree_on_short_texts():
    for data in (
        b"",
        b"\xff",
        b"a\rb",
        "Grüße".encode("cp1252"),
        "ok é".encode(),
        b"\xef\xbb\xbfx",
        b"\x1b$B%]\x1b(B x",
    ):
        small, piecewise = read_text(data), read_large_text(data)
        assert small.text == text_of(piecewise)
        assert small.facts() == piecewise.facts()
