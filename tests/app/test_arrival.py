"""The stream of an upload, cut into files: whatever its blocks, whatever is in it."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uploaded import as_sent

from app.backend.arrival import MAX_LIST_BYTES, Arrival, NoRoom, TooLarge
from rlm_core.corpus.limits import MIB
from rlm_core.errors import CorpusError
from rlm_core.ingest_limits import IngestLimits

SMALL = IngestLimits(max_upload_mb=1, max_entries=3)


def arrived(folder: Path, body: bytes, block_bytes: int = 1_000_000, limits: IngestLimits = SMALL) -> Arrival:
    with closing(Arrival(folder, limits)) as arrival:
        for at in range(0, len(body), block_bytes):
            arrival.write(body[at : at + block_bytes])
        arrival.finish()
    return arrival


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=3), st.integers(1, 60))
def test_files_are_the_same_however_they_are_cut_into_blocks(contents, block_bytes):
    files = [(f"file {number}", content) for number, content in enumerate(contents)]
    with TemporaryDirectory() as name:
        arrival = arrived(Path(name), as_sent(*files), block_bytes)
        assert [Path(name, str(number)).read_bytes() for number in range(len(files))] == contents
    assert arrival.names == [each for each, _ in files]


def test_a_name_is_kept_as_it_is_and_is_no_path(tmp_path: Path):
    names = ["../../../etc/passwd", "/abs\0olute", "C:\\x", "é\n中", "a/b/c.txt"]
    limits = IngestLimits()
    assert arrived(tmp_path, as_sent(*((name, b"x") for name in names)), limits=limits).names == names
    assert sorted(each.name for each in tmp_path.iterdir()) == ["0", "1", "2", "3", "4"]


def test_half_a_character_in_a_name_becomes_one_that_can_be_written(tmp_path: Path):
    assert arrived(tmp_path, b'[["\\ud800.txt", 1]]\nx').names == ["?.txt"]


@pytest.mark.parametrize(
    "body",
    [b"", b'[["a", 3]]', b'[["a", 3]]\n', b'[["a", 3]]\nab', b'[["a", 1], ["b", 1]]\na', b'[["a", 0], ["b", 1]]\n'],
)
def test_what_ends_too_early_is_refused(tmp_path: Path, body: bytes):
    with pytest.raises(CorpusError, match="cut off before its end"):
        arrived(tmp_path, body)


def test_more_than_was_listed_is_refused(tmp_path: Path):
    with pytest.raises(CorpusError, match="More has arrived than was listed"):
        arrived(tmp_path, as_sent(("a", b"abc")) + b"d")


BROKEN_LISTS = [
    "",
    "no json",
    "{}",
    "7",
    "null",
    '[["a"]]',
    '[["a", -1]]',
    '[["a", 1.5]]',
    '[["a", true]]',
    "[[7, 1]]",
    '["ab"]',
    "[" * 100_000,
    f'[["a", {"9" * 5_000}]]',
    json.dumps([["n" * 5_000, 1]]),
]


@pytest.mark.parametrize("line", BROKEN_LISTS, ids=range(len(BROKEN_LISTS)))
def test_a_list_that_is_none_is_refused(tmp_path: Path, line: str):
    with pytest.raises(CorpusError, match=r"cannot be read|no files"):
        arrived(tmp_path, line.encode() + b"\nabc")
    assert list(tmp_path.iterdir()) == []


def test_an_upload_of_no_files_is_refused(tmp_path: Path):
    with pytest.raises(CorpusError, match="There are no files"):
        arrived(tmp_path, b"[]\n")


def test_too_many_bytes_are_refused_by_what_the_list_says_before_anything_is_written(tmp_path: Path):
    with pytest.raises(TooLarge, match=r"These files have 1\.1 MB; an upload may have 1\.0 MB"):
        arrived(tmp_path, b'[["a", 1000000], ["b", 100000]]\n')
    with pytest.raises(TooLarge, match=r"4 files; an upload may have 3"):
        arrived(tmp_path, as_sent(*((str(number), b"") for number in range(4))))
    assert list(tmp_path.iterdir()) == []


def test_exactly_as_much_as_is_allowed_is_taken(tmp_path: Path):
    arrived(tmp_path, as_sent(("a", bytes(MIB))), block_bytes=65_536)
    assert (tmp_path / "0").stat().st_size == MIB


def test_a_disk_without_room_is_said_with_both_sizes(tmp_path: Path):
    with pytest.raises(NoRoom, match=r"1,000,000,000\.0 MB, and the disk of the data folder has room for [0-9,.]+ MB"):
        arrived(tmp_path, b'[["a", 1000000000000000]]\n', limits=IngestLimits(max_upload_mb=10**12))


def test_a_list_without_an_end_does_not_fill_the_memory(tmp_path: Path):
    with closing(Arrival(tmp_path, SMALL)) as arrival:
        for _ in range(MAX_LIST_BYTES // MIB):
            arrival.write(b"x" * MIB)
        with pytest.raises(TooLarge, match="names of the files"):
            arrival.write(b"x" * MIB)
