"""What the system will not let us read is listed with the reason, and costs only itself."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlm_core.corpus.ingest import ingest, sources_of

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of an ordinary user's, and the rights of that user: root may read everything."""
    made = Path(tempfile.mkdtemp())
    as_root = os.geteuid() == 0
    if as_root:
        os.chown(made, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield made
    finally:
        if as_root:
            os.seteuid(0)
        for each in made.rglob("*"):
            each.chmod(0o700)
        shutil.rmtree(made)


def test_a_file_that_may_not_be_read_costs_only_itself(folder: Path) -> None:
    (folder / "upload").mkdir()
    (folder / "upload" / "open.txt").write_text("fine")
    (folder / "upload" / "closed.txt").write_text("x")
    (folder / "upload" / "closed.txt").chmod(0)
    corpus, report = ingest(sources_of(folder / "upload"), folder / "corpora")
    assert {item.path: item.status for item in report.items} == {"closed.txt": "malformed", "open.txt": "ok"}
    assert corpus is not None


def test_a_folder_that_may_not_be_listed_is_told_of(folder: Path) -> None:
    (folder / "upload" / "closed").mkdir(parents=True)
    (folder / "upload" / "open.txt").write_text("fine")
    (folder / "upload" / "closed").chmod(0)
    _, report = ingest(sources_of(folder / "upload"), folder / "corpora")
    assert {item.path: item.status for item in report.items} == {"closed": "malformed", "open.txt": "ok"}
    assert report.upload_status == "partial"


def test_a_name_that_is_no_utf8_costs_nothing(tmp_path: Path) -> None:
    upload = tmp_path / "upload"
    upload.mkdir()
    (upload / os.fsdecode(b"caf\xe9.txt")).write_text("coffee")
    (upload / "tea.txt").write_text("tea")
    corpus, report = ingest(sources_of(upload), tmp_path / "corpora")
    assert corpus is not None
    assert {item.status for item in report.items} == {"ok"}
    assert {document.path for document in corpus.documents} == {"caf\N{REPLACEMENT CHARACTER}.txt", "tea.txt"}
