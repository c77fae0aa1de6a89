"""Tables in parquet, as CSV."""

import io
from datetime import date, datetime, timedelta

import pyarrow
from pyarrow import parquet

from rlm_core.corpus.formats.parquet import read_parquet


def file_of(columns: dict[str, list], **options: object) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), buffer, **options)
    return buffer.getvalue()


def test_rows_are_records_under_the_names_of_the_columns(read):
    columns = {
        "id": [9007199254740993, None],
        "name": ["Müller, Ann", 'say "hi"'],
        "day": [date(2024, 3, 5), None],
        "at": [datetime(2024, 3, 5, 14, 30), None],
        "list": [[1, 2], None],
        "ok": [True, False],
        "raw": [b"text", b"\xff\x00"],
        "x": [1.5, 3.0],
        "none": [None, None],
    }
    got = read({"a.parquet": file_of(columns)})
    header, first, second = got.text("a.parquet").splitlines()
    assert header == "id,name,day,at,list,ok,raw,x,none"
    assert first == '9007199254740993,"Müller, Ann",2024-03-05,2024-03-05 14:30:00,"[1, 2]",true,text,1.5,'
    assert second == ',"say ""hi""",,,,false,ff00,3,'
    item = got["a.parquet"]
    assert (item.kind, item.rows, item.delimiter) == ("parquet", 2, ",")


def test_durations_are_read_as_well():
    reading = read_parquet(file_of({"d": [timedelta(hours=1), None]}))
    assert (reading.warning, reading.text.splitlines()[0], len(reading.text.splitlines())) == ("", "d", 3)
    assert reading.text.splitlines()[1]


def test_records_inside_are_json(read):
    text = read({"a.parquet": file_of({"r": [{"a": 9007199254740993, "b": ["é"]}]})}).text("a.parquet")
    assert text == 'r\n"{""a"": 9007199254740993, ""b"": [""é""]}"\n'


def test_a_file_that_is_cut_off_is_malformed(read):
    whole = file_of({"a": list(range(1000))})
    assert read({"a.parquet": whole[:-20], "b.txt": "b"})["a.parquet"].status == "malformed"


def test_a_few_bytes_that_stand_for_endless_rows_are_cut_off_and_that_is_said():
    reading = read_parquet(file_of({"a": ["word"] * 200_000}), max_chars=1_000)
    assert 1_000 <= len(reading.text) < 1_100
    assert "only its first 200 rows" in reading.warning
    assert reading.rows == 200_000
