"""A corpus made of a value that code has handed over as the context of a child frame.

A text is one document; a list or dict of texts is one document each; anything else is read as JSON text. The value comes
from a cell and is hostile: nothing of it is executed, and its names are names only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rlm_core.corpus.corpus import Corpus, CorpusWriter
from rlm_core.corpus.report import IngestReport
from rlm_core.errors import CorpusError

MAX_DOCUMENTS = 100_000
MAX_NAME_CHARS = 200


def parts_of(value: Any) -> list[tuple[str, str]]:
    """The documents in `value`: names and texts."""
    parts = list(_parts(value))
    if len(parts) > MAX_DOCUMENTS:
        raise CorpusError(f"A context of {len(parts):,} parts is too many; at most {MAX_DOCUMENTS:,} are taken.")
    if not any(text.strip() for _, text in parts):
        raise CorpusError("The context that was handed over is empty.")
    return parts


def corpus_of(parts: list[tuple[str, str]], folder: Path) -> Corpus:
    """The corpus, written below `folder`, which the caller removes."""
    building = folder / "building"
    building.mkdir(parents=True)
    writer = CorpusWriter(building)
    for name, text in parts:
        writer.add(name, "text", text.encode("utf-8", "replace").decode("utf-8"))
    return writer.finish("context of a child frame", folder, IngestReport(items=()))


def _parts(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value.get("$type") in ("tuple", "set", "frozenset"):
        value = value.get("value")
    if isinstance(value, str):
        yield "context", value
    elif isinstance(value, list):
        for number, each in enumerate(value, 1):
            yield _name(each) or f"part {number}", _text(each)
    elif isinstance(value, dict) and "$type" not in value and all(isinstance(each, str) for each in value.values()):
        for name, each in value.items():
            yield str(name)[:MAX_NAME_CHARS] or "part", each
    else:
        yield _name(value) or "context", _text(value)


def _name(value: Any) -> str:
    """Path of a document, if the value is one."""
    return (
        str(value.get("path"))[:MAX_NAME_CHARS] if isinstance(value, dict) and value.get("$type") == "document" else ""
    )


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "$type" in value:
        return str(value.get("value"))
    return json.dumps(value, ensure_ascii=False, indent=1)
