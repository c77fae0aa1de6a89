"""A corpus: the documents of one upload, read once and kept as one UTF-8 file with a table of where each document lies.

    <corpora>/<id>/corpus.txt       all documents, joined by a line end
                   documents.json   name and table; the form of `ContextFiles` in `sandbox/contract.py`
                   report.json      what became of each uploaded file

Knows offsets, paths and decoding on access. Refuses to know file formats (`readers/`) and what the text means.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

from rlm_core.corpus.report import IngestReport
from rlm_core.corpus.units import Units
from rlm_core.errors import CorpusError
from rlm_core.tokens import BYTES_PER_TOKEN

MAX_BYTES_OF_A_CHARACTER = 4
TEXT_NAME, INDEX_NAME, REPORT_NAME = "corpus.txt", "documents.json", "report.json"
_REMOVED = ".removed"
_CHARS_WRITTEN_AT_ONCE = 1024 * 1024
_COLUMNS = ("path", "kind", "start", "bytes", "chars", "lines")
_columns: Callable[[dict[str, Any]], tuple[str, str, int, int, int, int]] = itemgetter(*_COLUMNS)


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a corpus. `start` and `bytes` are offsets in `corpus.txt`."""

    index: int
    path: str
    kind: str
    start: int
    bytes: int
    chars: int
    lines: int
    units: Units | None = None
    """Its pages, sheets, ..., where it has any."""


class Corpus:
    """A corpus on disk; cheap to open, whatever its size."""

    def __init__(self, folder: Path, name: str, documents: tuple[Document, ...]) -> None:
        self.folder = folder
        self.id = folder.name
        self.name = name
        self.documents = documents
        self.chars = sum(document.chars for document in documents)

    @classmethod
    def open(cls, folder: Path) -> Corpus:
        """The corpus in `folder`. Raises `CorpusError` if there is none."""
        try:
            index = json.loads((folder / INDEX_NAME).read_bytes())
            documents = tuple(_document(number, row) for number, row in enumerate(index["documents"]))
            if not (folder / TEXT_NAME).is_file():
                raise FileNotFoundError(TEXT_NAME)
            return cls(folder, index["name"], documents)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CorpusError(
                f"The corpus {folder.name} is not there or is damaged ({error}). Upload its files again."
            ) from error

    @property
    def text_path(self) -> Path:
        return self.folder / TEXT_NAME

    @property
    def index_path(self) -> Path:
        return self.folder / INDEX_NAME

    @property
    def tokens_estimate(self) -> int:
        """Roughly how many tokens the text has. An estimate: show it with a `~`."""
        return sum(document.bytes for document in self.documents) // BYTES_PER_TOKEN

    @cached_property
    def data(self) -> mmap.mmap:
        """All of `corpus.txt`, mapped into memory and read only where it is looked at."""
        with self.text_path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def text(self, index: int) -> str:
        """The text of one document."""
        document = self.documents[index]
        return self.data[document.start : document.start + document.bytes].decode("utf-8")

    def beginning(self, index: int, chars: int) -> str:
        """The first characters of one document, without reading all of it."""
        document = self.documents[index]
        end = document.start + min(document.bytes, chars * MAX_BYTES_OF_A_CHARACTER)
        return self.data[document.start : end].decode("utf-8", "ignore")[:chars]

    def find(self, path: str) -> Document | None:
        """The document with this path; else the only one whose path ends so; else the only one of that file name; else the
        same without regard to case, and to the file name's extension. `None` if there is none or no single one."""
        path = path.strip().replace("\\", "/")
        if (exact := self._by_path.get(path)) is not None:
            return self.documents[exact]
        base = _base_name(path)
        candidates = [self.documents[index] for index in self._by_base_name.get(base.casefold(), ())]
        endings = (f"/{path.lstrip('/')}", f"!/{path.lstrip('/')}")
        for chosen in (
            [each for each in candidates if each.path.endswith(endings)],
            [each for each in candidates if _base_name(each.path) == base],
            [each for each in candidates if each.path.casefold().endswith(path.casefold())],
            candidates,
        ):
            if len(chosen) == 1:
                return chosen[0]
        return None

    def report(self) -> IngestReport:
        """What became of each file of the upload."""
        try:
            return IngestReport.from_dict(json.loads((self.folder / REPORT_NAME).read_bytes()))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CorpusError(
                f"The report of corpus {self.id} cannot be read ({error}). Upload its files again."
            ) from error

    def delete(self) -> None:
        """Remove the corpus from disk; it cannot be used afterwards."""
        if mapped := self.__dict__.pop("data", None):
            mapped.close()
        remove(self.folder)

    @cached_property
    def _by_path(self) -> dict[str, int]:
        return {document.path.replace("\\", "/"): document.index for document in self.documents}

    @cached_property
    def _by_base_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for document in self.documents:
            base = _base_name(document.path).casefold()
            for name in {base, base.rpartition(".")[0] or base}:
                found.setdefault(name, []).append(document.index)
        return found


def remove(folder: Path) -> None:
    """Remove all that was written of a corpus. It is no corpus any more before its files go one by one; those of a removal
    that was broken off go as well. Raises `OSError`."""
    (folder / INDEX_NAME).unlink(missing_ok=True)
    folder.rename(folder.with_name(f".{folder.name}{_REMOVED}"))
    for each in folder.parent.glob(f".*{_REMOVED}"):
        shutil.rmtree(each)


def _document(number: int, row: dict[str, Any]) -> Document:
    units = Units.from_list(row["units"]) if "units" in row else None
    return Document(number, *_columns(row), units)


def _base_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Added:
    """What was appended. `blank`: nothing but white space."""

    chars: int
    lines: int
    blank: bool


def _small(text: str | Iterable[str]) -> Iterator[str]:
    for piece in (text,) if isinstance(text, str) else text:
        for at in range(0, len(piece), _CHARS_WRITTEN_AT_ONCE):
            yield piece[at : at + _CHARS_WRITTEN_AT_ONCE]


class CorpusWriter:
    """Writes a corpus document by document into `folder`, which is no corpus before `finish`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = (folder / TEXT_NAME).open("wb")
        self._digest = hashlib.sha256()
        self._rows: list[dict[str, Any]] = []
        self._position = 0
        self.chars = 0

    def add(self, path: str, kind: str, text: str | Iterable[str], units: Units | None = None) -> Added:
        """Append one document; its text may come in pieces."""
        if self._rows:
            self._write(b"\n")
        start, chars, line_ends, last, blank = self._position, 0, 0, "\n", True
        for piece in _small(text):
            self._write(piece.encode("utf-8"))
            chars += len(piece)
            line_ends += piece.count("\n")
            last = piece[-1]
            blank = blank and piece.isspace()
        added = Added(chars, line_ends + (last != "\n"), blank)
        row = dict(zip(_COLUMNS, (path, kind, start, self._position - start, chars, added.lines), strict=True))
        self._rows.append(row | ({"units": units.to_list()} if units else {}))
        self.chars += chars
        return added

    def finish(self, name: str, corpora: Path, report: IngestReport) -> Corpus:
        """Put the corpus into its place at once. Its id is made of its text, its documents and what was not read: the same
        upload gives the same corpus, which is then not written again."""
        self.close()
        self._digest.update(json.dumps([self._rows, [(i.path, i.status) for i in report.items]]).encode())
        place = corpora / f"c-{self._digest.hexdigest()[:12]}"
        if not (place / INDEX_NAME).is_file():
            index = {"name": name, "documents": self._rows}
            (self._folder / INDEX_NAME).write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")
            (self._folder / REPORT_NAME).write_text(json.dumps(report.to_dict(), ensure_ascii=False), encoding="utf-8")
            try:
                self._folder.rename(place)
            except OSError:
                if not (place / INDEX_NAME).is_file():  # else somebody else has just written the same corpus
                    raise
        return Corpus.open(place)

    def close(self) -> None:
        self._file.close()

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._digest.update(data)
        self._position += len(data)
