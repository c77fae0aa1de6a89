"""One reader for each kind of file: bytes in, text out. Text formats are read here, all others by a parser in `formats/`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rlm_core.corpus.converter import Converter
from rlm_core.corpus.formats import FORMATS
from rlm_core.corpus.readers.html import read_html
from rlm_core.corpus.readers.table import read_csv, read_json, read_jsonl
from rlm_core.corpus.readers.text import read_text, read_xml
from rlm_core.corpus.reading import Reading

Reader = Callable[[bytes], Reading]
"""Raises `Refused` where the file cannot be read."""

_READERS: dict[str, Reader] = {
    "text": read_text,
    "markdown": read_text,
    "log": read_text,
    "code": read_text,
    "config": read_text,
    "xml": read_xml,
    "csv": read_csv,
    "json": read_json,
    "jsonl": read_jsonl,
}


def readers_with(converter: Converter) -> dict[str, Reader]:
    """The reader for each kind. Those of formats that need a parser (`formats/`) hand the file to `converter`."""
    parsed: dict[str, Reader] = {kind: partial(converter.read, kind) for kind in FORMATS}
    return {**parsed, **_READERS, "html": partial(read_html, converter=converter)}


__all__ = ["Reader", "Reading", "readers_with"]
