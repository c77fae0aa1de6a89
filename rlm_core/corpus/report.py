"""What became of each file of an upload: the nouns that ingestion reports in.

A path is the uploaded file's name; inside a container `!/` and the member's name as stored (`outer.zip!/inner/a.txt`).
Containers that open normally are no items.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import Literal

from rlm_core.spreadsheet import csv_text
from rlm_core.task import Json

ItemStatus = Literal[
    "ok",  # read
    "empty",  # no bytes, or only white space
    "no-text-layer",  # opens, has pages, none has text
    "skipped",  # litter of operating systems and office programs
    "duplicate",  # same bytes as an earlier document: listed, loaded once
    "unsupported",  # a type that is not read
    "encrypted",
    "malformed",
    "timeout",
    "too-large",
    "bomb",  # compression ratio or size of the expanded data
    "unsafe-path",  # absolute, `..`, backslash tricks, links
]
UploadStatus = Literal["ok", "partial", "failed"]

DOCUMENT_STATUSES: frozenset[str] = frozenset({"ok", "empty", "no-text-layer"})
HARMLESS: frozenset[str] = frozenset({"ok", "empty", "no-text-layer", "skipped", "duplicate"})


@dataclass(frozen=True, slots=True)
class Item:
    """One file found in an upload, and what became of it. `reason` is a sentence for the person who uploaded it."""

    path: str
    status: ItemStatus
    reason: str = ""
    bytes: int | None = None
    chars: int | None = None
    kind: str | None = None
    """`text`, `markdown`, `csv`, `json`, `jsonl`, `log`, `html`, `code`, ..."""
    encoding: str | None = None
    encoding_confidence: float | None = None
    """From 0 to 1."""
    replaced: int = 0
    """Characters that could not be decoded and became U+FFFD."""
    lines: int | None = None
    rows: int | None = None
    """Records of a table without its header, or of JSON lines."""
    delimiter: str | None = None
    bad_lines: tuple[int, ...] = ()
    """Lines from 1 that are no valid records (of JSON lines); they are in the document all the same."""
    duplicate_of: str | None = None
    pages: int | None = None
    pages_without_text: tuple[int, ...] = ()
    """Pages from 1 of which nothing can be read."""
    sheets: dict[str, str] = field(default_factory=dict)
    """Name of each sheet of a workbook -> `visible` or `hidden`."""
    cells: dict[str, str] = field(default_factory=dict)
    """`Sheet!A1` -> text, of all cells that are not empty; of small workbooks only."""
    warning: str = ""


_DEFAULTS = {each.name: {} if each.default is MISSING else each.default for each in fields(Item)}
_TUPLES = ("bad_lines", "pages_without_text")


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The whole upload: `ok` if nothing was lost, `partial` if something was, `failed` if no document is there."""

    items: tuple[Item, ...]
    elapsed_s: float = 0.0
    already_here: bool = False
    """The same files were read before, and not again; this is the report of then."""

    @property
    def documents(self) -> int:
        return sum(item.status in DOCUMENT_STATUSES for item in self.items)

    @property
    def upload_status(self) -> UploadStatus:
        if not self.documents:
            return "failed"
        return "ok" if all(item.status in HARMLESS for item in self.items) else "partial"

    def to_dict(self) -> Json:
        """The form of `rlm-studio inspect --json`."""
        return {
            "upload_status": self.upload_status,
            "documents": self.documents,
            "elapsed_s": round(self.elapsed_s, 3),
            "items": [
                {name: value for name, default in _DEFAULTS.items() if (value := getattr(item, name)) != default}
                for item in self.items
            ],
        }

    def to_csv(self) -> str:
        """One line for each file, safe to open in a spreadsheet."""
        columns = [name for name in _DEFAULTS if name != "cells"]
        return csv_text(columns, ([getattr(item, name) for name in columns] for item in self.items))

    @classmethod
    def from_dict(cls, data: Json) -> IngestReport:
        items = (Item(**item | {name: tuple(item.get(name, ())) for name in _TUPLES}) for item in data["items"])
        return cls(tuple(items), data["elapsed_s"])
