"""An upload read by a process of its own: its archive, its progress, and that it leaves nothing when it is given up."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from rlm_core.errors import CorpusError
from rlm_core.jobs.asking import NothingRead
from rlm_core.jobs.upload_reading import FoundLogs, ImportedLogs, Reading, ReadUpload, What
from rlm_core.store.store import Store


def uploaded(folder: Path, *contents: bytes) -> Path:
    folder.mkdir()
    for number, content in enumerate(contents):
        (folder / str(number)).write_bytes(content)
    return folder


def archive_of(read: object) -> str:
    assert isinstance(read, ReadUpload)
    return read.archive


def log_of(answer: str, more: bytes = b"") -> bytes:
    """A log of rlms with one run."""
    metadata = {"type": "metadata", "timestamp": "2026-03-01T10:00:00", "root_model": "big"}
    iteration = {"type": "iteration", "iteration": 1, "response": "Nine.", "code_blocks": [], "final_answer": answer}
    return b"".join(json.dumps(each).encode() + b"\n" for each in (metadata, iteration)) + more


def test_files_under_numbers_become_an_archive_of_their_names(tmp_path: Path):
    files = uploaded(tmp_path / "files", b"Room A12 is wet.\n", b"Room B07 is dry.\n")
    with closing(Reading(tmp_path / "home")) as reading:
        archive = archive_of(reading.read(files, ["notes/a.txt", "notes/b.txt"], lambda _: None))
    row = Store.open(tmp_path / "home").corpus(archive)
    assert row is not None
    assert (row.name, row.documents) == ("notes", 2)
    assert [each["path"] for each in row.report["items"]] == ["notes/a.txt", "notes/b.txt"]


def test_the_same_files_once_more_are_the_archive_of_then_and_keep_its_date(tmp_path: Path):
    files = uploaded(tmp_path / "files", b"Room A12 is wet.\n")
    read, added_at = list[ReadUpload](), list[float]()
    for _ in range(2):
        with closing(Reading(tmp_path / "home")) as reading:
            found = reading.read(files, ["a.txt"], lambda _: None)
        assert isinstance(found, ReadUpload)
        read.append(found)
        row = Store.open(tmp_path / "home").corpus(read[-1].archive)
        assert row is not None
        added_at.append(row.added_at)
    assert [each.already_here for each in read] == [False, True]
    assert len({each.archive for each in read}) == len(set(added_at)) == 1


def test_a_name_that_leads_elsewhere_is_refused_and_costs_only_its_file(tmp_path: Path):
    files = uploaded(tmp_path / "files", b"Room A12 is wet.\n", b"Room B07 is dry.\n")
    with closing(Reading(tmp_path / "home")) as reading:
        archive = archive_of(reading.read(files, ["../../outside.txt", "inside.txt"], lambda _: None))
    row = Store.open(tmp_path / "home").corpus(archive)
    assert row is not None
    assert [each["status"] for each in row.report["items"]] == ["unsafe-path", "ok"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["files", "home"]


def test_an_upload_without_any_text_comes_with_its_report(tmp_path: Path):
    files = uploaded(tmp_path / "files", b"\x89PNG\r\n\x1a\n" + bytes(64))
    with closing(Reading(tmp_path / "home")) as reading, pytest.raises(NothingRead) as nothing:
        reading.read(files, ["photo.png"], lambda _: None)
    assert [(each.path, each.status) for each in nothing.value.report.items] == [("photo.png", "unsupported")]


def test_a_data_folder_of_no_use_is_said(tmp_path: Path):
    (tmp_path / "home").write_text("a file")
    files = uploaded(tmp_path / "files", b"text\n")
    with closing(Reading(tmp_path / "home")) as reading, pytest.raises(CorpusError, match="home"):
        reading.read(files, ["a.txt"], lambda _: None)


def test_reading_can_be_given_up_in_the_middle_and_nothing_is_left(tmp_path: Path):
    files = uploaded(tmp_path / "files", *(b"Room %d is wet.\n" % number for number in range(30_000)))
    with closing(Reading(tmp_path / "home")) as reading, pytest.raises(CorpusError, match="not read to their end"):
        reading.read(files, [f"{number}.txt" for number in range(30_000)], lambda _: reading.give_up())
    assert list((tmp_path / "home" / "corpora").iterdir()) == []
    assert Store.open(tmp_path / "home").corpora() == []


def test_a_process_that_is_never_asked_ends_at_once(tmp_path: Path):
    with closing(Reading(tmp_path / "home")):
        pass
    assert not (tmp_path / "home").exists()


def read_as(what: What, folder: Path, **files: bytes) -> object:
    """What files become that lie in a new folder beside the others."""
    kept = uploaded(folder / str(len(list(folder.iterdir()))), *files.values())
    with closing(Reading(folder / "home")) as reading:
        return reading.read(kept, list(files), lambda _: None, what)


def test_logs_become_runs_and_what_cannot_be_read_of_them_is_said(tmp_path: Path):
    first = read_as("runs", tmp_path, a=log_of("nine"))
    found = read_as("runs", tmp_path, a=log_of("nine"), b=log_of("ten", b"{cut off"), notes=b"Not a log.\n")
    assert isinstance(first, ImportedLogs)
    assert isinstance(found, ImportedLogs)
    assert [(each.is_new, each.tool, each.file) for each in found.runs] == [(False, "rlms", "a"), (True, "rlms", "b")]
    assert found.runs[0].run == first.runs[0].run
    (words,) = found.runs[1].unread
    assert words.startswith("Line 3 of the log cannot be read: it may have been cut off there.")
    (refused,) = found.unread
    assert refused.startswith("notes is no log that can be read here.")
    assert len(Store.open(tmp_path / "home").runs()) == 2


def test_logs_alone_are_not_taken_for_an_archive_before_somebody_says_so(tmp_path: Path):
    assert read_as("archive unless logs", tmp_path, a=log_of("nine"), b=log_of("ten")) == FoundLogs(("rlms",))
    assert not (tmp_path / "home").exists()
    assert isinstance(read_as("archive", tmp_path, a=log_of("nine")), ReadUpload)
    mixed = read_as("archive unless logs", tmp_path, a=log_of("nine"), notes=b"Not a log.\n")
    assert isinstance(mixed, ReadUpload)
