import csv
import json
import zipfile

import pytest
from console import THREE_ROOMS, rlm_studio
from uploads import UPLOADS


@pytest.fixture
def archive(tmp_path):
    file = tmp_path / "mixed.zip"
    with zipfile.ZipFile(file, "w") as members:
        members.writestr("a.txt", "first\nÜber \x1b[2Jzwei")
        members.writestr("b.csv", "name;price\nJosé;5\n".encode("cp1252"))
        members.writestr("evil\u202egpj.png", b"\x89PNG\r\n\x1a\n....")
        members.writestr("__MACOSX/._a.txt", b"\x00\x05")
    return file


def test_the_report_is_a_table_with_status_and_reason_for_each_file(tmp_path, archive):
    result = rlm_studio(tmp_path / "home", "inspect", archive)
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("mixed.zip: 2 documents, ")
    assert "1 file of 4 could not be read" in lines[0]
    assert [line.split()[0] for line in lines[2:]] == ["status", "ok", "ok", "unsupported", "skipped"]
    assert "evil<U+202E>gpj.png" in result.stdout
    assert not (tmp_path / "home").exists()


def test_json_is_the_report_itself(tmp_path, archive):
    data = json.loads(rlm_studio(tmp_path, "inspect", archive, "--json").stdout)
    assert data["upload_status"] == "partial"
    assert data["documents"] == 2
    assert {item["path"]: item["status"] for item in data["items"]}["mixed.zip!/a.txt"] == "ok"


def test_the_report_is_written_as_csv_that_no_spreadsheet_runs(tmp_path):
    file = tmp_path / "mixed.zip"
    with zipfile.ZipFile(file, "w") as members:
        members.writestr("a.csv", "a;b\n1;2\n")
    names = ("=cmd()", "+1", "-1", "@x")
    for name in names:
        (tmp_path / name).write_text(name)
    printed = rlm_studio(tmp_path, "inspect", "--csv", "-", file, *(tmp_path / name for name in names)).stdout
    assert rlm_studio(tmp_path, "inspect", file, "--csv", tmp_path / "r.csv").stdout == ""
    rows = list(csv.DictReader(printed.splitlines()))
    assert [row["path"] for row in rows] == ["mixed.zip!/a.csv", *(f"'{name}" for name in names)]
    assert (rows[0]["status"], rows[0]["rows"], rows[0]["delimiter"]) == ("ok", "1", ";")
    assert (tmp_path / "r.csv").read_text().splitlines() == printed.splitlines()[:2]
    assert "exclude each other" in rlm_studio(tmp_path, "inspect", file, "--csv", "-", "--json").stderr


def test_a_limit_can_be_changed_for_one_archive(tmp_path, archive):
    result = rlm_studio(tmp_path, "inspect", archive, "--archive-limit", "max_entries=2", "--json")
    assert "too-large" in {item["status"] for item in json.loads(result.stdout)["items"]}
    for wrong in ("max_entries", "max_entries=x", "nothing=2"):
        assert (
            "is no limit. Write NAME=NUMBER"
            in rlm_studio(tmp_path, "inspect", archive, "--archive-limit", wrong).stderr
        )
    assert "greater than 0" in rlm_studio(tmp_path, "inspect", archive, "--archive-limit", "max_entries=0").stderr


def test_one_document_can_be_read_as_it_is_understood(tmp_path, archive):
    result = rlm_studio(tmp_path, "inspect", archive, "--document", "b.csv")
    assert result.stdout == "name;price\nJosé;5\n\n"
    assert rlm_studio(tmp_path, "inspect", archive, "--document", "a.txt").stdout == "first\nÜber ␛[2Jzwei\n"


def test_a_document_that_was_not_read_says_why(tmp_path, archive):
    unread = rlm_studio(tmp_path, "inspect", archive, "--document", "mixed.zip!/__MACOSX/._a.txt")
    assert unread.returncode == 6
    assert "was not read (skipped)" in unread.stderr
    assert "There is no document 'c.txt'" in rlm_studio(tmp_path, "inspect", archive, "--document", "c.txt").stderr


def test_the_shipped_sample_and_several_paths_are_archives(tmp_path, archive):
    result = rlm_studio(tmp_path, "inspect", "sample", archive, THREE_ROOMS)
    assert result.stdout.startswith("maintenance.zip and 2 more: ")
    assert "  mixed.zip!/a.txt " in result.stdout
    assert "  three_rooms.txt " in result.stdout


@pytest.mark.parametrize("name", UPLOADS)
def test_an_upload_of_which_nothing_can_be_read_is_exit_code_6(tmp_path, name):
    make, says = UPLOADS[name]
    make(tmp_path / name)
    result = rlm_studio(tmp_path / "home", "inspect", tmp_path / name)
    assert result.returncode == 6
    assert "nothing in it can be read" in result.stdout
    assert says in result.stdout or says == "it holds no files"


def test_a_path_where_nothing_is_is_exit_code_6(tmp_path):
    result = rlm_studio(tmp_path, "inspect", tmp_path / "nothing.zip")
    assert result.returncode == 6
    assert "There is no file or folder" in result.stderr
