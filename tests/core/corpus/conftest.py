"""Uploads made in memory, read into a folder of the test."""

import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import IngestLimits, Source, ingest
from rlm_core.corpus.report import IngestReport, Item


@dataclass(frozen=True)
class Read:
    corpus: Corpus | None
    report: IngestReport

    def __getitem__(self, path: str) -> Item:
        found = [item for item in self.report.items if item.path == path]
        assert len(found) == 1, (path, [item.path for item in self.report.items])
        return found[0]

    def text(self, path: str) -> str:
        assert self.corpus is not None
        document = self.corpus.find(path)
        assert document is not None
        return self.corpus.text(document.index)

    @property
    def statuses(self) -> dict[str, str]:
        return {item.path: item.status for item in self.report.items}


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Read]:
    def run(files: Mapping[str, bytes | str | Path], **limits: int) -> Read:
        sources = [
            Source(name, content.encode() if isinstance(content, str) else content) for name, content in files.items()
        ]
        read = Read(*ingest(sources, tmp_path / "corpora", IngestLimits(**limits)))
        assert not list((tmp_path / "corpora").glob(".new-*")), "temporary folders are left behind"
        return read

    return run


def zip_of(*members: tuple[str | zipfile.ZipInfo, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def tar_of(*members: tuple[str, bytes], packed: str = "gz", encoding: str = "utf-8") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{packed}", format=tarfile.GNU_FORMAT, encoding=encoding) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture
def make_zip() -> Callable[..., bytes]:
    return zip_of


@pytest.fixture
def make_tar() -> Callable[..., bytes]:
    return tar_of
