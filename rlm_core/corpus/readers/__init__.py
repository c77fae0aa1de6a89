"""One reader for each kind of file: bytes in, text out. Text formats are read here, all others by a parser in `formats/`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rlm_core.corpus.content import IN_MEMORY_BYTES
from rlm_core.corpus.converter import Converter
from rlm_core.corpus.encoding import Bytes
from rlm_core.corpus.formats import FORMATS
from rlm_core.corpus.readers.html import read_html
from rlm_core.corpus.readers.table import read_csv, read_json, read_jsonl, read_large_csv, read_large_jsonl
from rlm_core.corpus.readers.text import read_large_text, read_large_xml, read_text, read_xml
from rlm_core.corpus.reading import Reading

Reader = Callable[[Bytes], Reading]
"""Raises `Refused` where the file cannot be read."""

_READERS: dict[str, tuple[Callable[[bytes], Reading], Reader]] = {
    "text": (read_text, read_large_text),
    "markdown": (read_text, read_large_text),
    "log": (read_text, read_large_text),
    "code": (read_text, read_large_text),
    "config": (read_text, read_large_text),
    "xml": (read_xml, read_large_xml),
    "csv": (read_csv, read_large_csv),
    "json": (read_json, read_large_text),
    "jsonl": (read_jsonl, read_large_jsonl),
}
"""For each kind of text: who reads it as a whole, and who reads it piece by piece."""


def readers_with(converter: Converter) -> dict[str, Reader]:
    """The reader for each kind. Those of formats that need a parser (`formats/`) hand the file to `converter`."""
    parsed: dict[str, Reader] = {kind: partial(converter.read, kind) for kind in FORMATS}
    texts: dict[str, Reader] = {kind: partial(_by_size, *both) for kind, both in _READERS.items()}
    return {**parsed, **texts, "html": lambda data: read_html(data[:], converter)}


def _by_size(whole: Callable[[bytes], Reading], in_pieces: Reader, data: Bytes) -> Reading:
    return in_pieces(data) if len(data) > IN_MEMORY_BYTES else whole(data[:])


__all__ = ["Reader", "Reading", "readers_with"]
