"""A corpus made of a value that code has handed over as the context of a child frame.

A text is one document; a list or dict of texts is one document each; documents of the archive keep their paths and kinds;
anything else is read as JSON text. The value comes from a cell and is hostile: nothing of it is executed, and its names are
names only.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from rlm_core.corpus.corpus import Corpus, CorpusWriter
from rlm_core.corpus.report import IngestReport
from rlm_core.corpus.units import Units, claimed
from rlm_core.errors import CorpusError

MAX_DOCUMENTS = 100_000
MAX_NAME_CHARS = 200
PREFIX = "rlm-child-"
ORPHANED_S = 24 * 3600.0
"""No child takes as long: a folder this old has nobody who will remove it."""
MAX_JSON_CHARS = 20_000_000
"""Of a value that is no text: what is nested deeply is mostly indentation, and a thousand times longer as text."""


@dataclass(frozen=True, slots=True)
class Part:
    """One document that was handed over."""

    path: str
    kind: str
    text: str
    units: Units | None = None


def parts_of(value: Any) -> list[Part]:
    """The documents in `value`. Raises `CorpusError` for too many of them, or none with text."""
    try:
        parts = list(islice(_parts(value), MAX_DOCUMENTS + 1))
    except RecursionError:
        raise CorpusError("The context that was handed over is nested too deeply. Make texts of its parts.") from None
    if len(parts) > MAX_DOCUMENTS:
        raise CorpusError(f"A context of more than {MAX_DOCUMENTS:,} parts is too many. Join some of them.")
    if not any(part.text.strip() for part in parts):
        raise CorpusError("The context that was handed over is empty.")
    return parts


@contextmanager
def folder_for_it() -> Iterator[Path]:
    """A folder for such a corpus, for as long as it is used. What killed processes have left behind goes, too."""
    _remove_orphans()
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _remove_orphans() -> None:
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            facts = path.lstat()
        except OSError:
            continue  # another process was faster
        if facts.st_uid == os.geteuid() and time.time() - facts.st_mtime > ORPHANED_S and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)


def corpus_of(parts: list[Part], folder: Path) -> Corpus:
    """The corpus, written below `folder`, which the caller removes."""
    building = folder / "building"
    building.mkdir(parents=True)
    writer = CorpusWriter(building)
    for part in parts:
        writer.add(part.path, part.kind, part.text.encode("utf-8", "replace").decode("utf-8"), part.units)
    return writer.finish("context of a child frame", folder, IngestReport(items=()))


def _parts(value: Any) -> Iterator[Part]:
    if isinstance(value, dict) and value.get("$type") in ("tuple", "set", "frozenset"):
        value = value.get("value")
    if isinstance(value, list):
        for number, each in enumerate(value, 1):
            yield _part(each, f"part {number}")
    elif isinstance(value, dict) and "$type" not in value and all(isinstance(each, str) for each in value.values()):
        for name, each in value.items():
            yield Part(str(name)[:MAX_NAME_CHARS] or "part", "text", each)
    else:
        yield _part(value, "context")


def _part(value: Any, name: str) -> Part:
    if isinstance(value, str):
        return Part(name, "text", value)
    if isinstance(value, dict) and value.get("$type") == "document":
        path, kind = (str(value.get(each) or "")[:MAX_NAME_CHARS] for each in ("path", "kind"))
        text = str(value.get("value"))
        return Part(path or name, kind or "text", text, claimed(value.get("units"), len(text)))
    if isinstance(value, dict) and "$type" in value:
        return Part(name, "text", str(value.get("value")))
    return Part(name, "text", _json(value))


def _json(value: Any) -> str:
    pieces, chars = [], 0
    for piece in json.JSONEncoder(ensure_ascii=False, indent=1).iterencode(value):
        pieces.append(piece)
        chars += len(piece)
        if chars > MAX_JSON_CHARS:
            raise CorpusError(
                f"A part of the context has more than {MAX_JSON_CHARS:,} characters as JSON. Hand over texts instead."
            )
    return "".join(pieces)
