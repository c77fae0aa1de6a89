"""The file of all texts, mapped into memory, and the table that says where each document lies in it.

Runs in the child. Knows bytes, paths and decoding; refuses to decode a document before it is asked for, and to make one text
of a document that is too large for it: that is cut into parts, at line ends.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from mmap import ACCESS_READ, mmap

from rlm_core.sandbox.document import Document

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_PARTS_OF_A_TEXT = 10
"""How many parts have the size of the largest text."""


class Texts:
    """All documents by number. A document that is too large for one text has a number for each of its parts."""

    def __init__(self, data: mmap | bytes, table: list[dict[str, Any]], max_text_bytes: int) -> None:
        self.data = data
        self.max_text_bytes = max_text_bytes
        self.table = [part for row in table for part in _parts(row, data, max_text_bytes)]
        self._view = memoryview(data)
        self._starts = [row["start"] for row in self.table]
        self._last: tuple[int, Document] | None = None
        self._by_path: dict[str, range] = {}

    def document(self, number: int) -> Document:
        # The last one is kept: `context[3][i]` in a loop would decode the whole document each time.
        last = self._last
        if last is not None and last[0] == number:
            return last[1]
        row = self.table[number]
        text = self._view[row["start"] : row["start"] + row["bytes"]]
        document = Document(text, row["path"], row.get("kind", "text"), row.get("units"))
        self._last = (number, document)
        return document

    def chars(self, number: int) -> int:
        row = self.table[number]
        if "chars" not in row:
            row["chars"] = len(self.document(number))
        length: int = row["chars"]
        return length

    def numbers_of(self, path: str) -> range:
        """Where the document with this path is: one number, those of its parts, or none."""
        if not self._by_path:
            for number, row in enumerate(self.table):
                first = self._by_path.get(row["path"], range(number, number)).start
                self._by_path[row["path"]] = range(first, number + 1)
        return self._by_path.get(path, range(0))

    def holder(self, needle: bytes, wanted: range) -> int | None:
        """Number of the first of the `wanted` documents that holds `needle`."""
        found = self.data.find(needle)
        while found >= 0:
            number = bisect_right(self._starts, found) - 1
            row = self.table[number]
            if number in wanted and found + len(needle) <= row["start"] + row["bytes"]:
                return number
            found = self.data.find(needle, found + 1)
        return None


def opened(text_descriptor: int, index_descriptor: int, max_text_bytes: int) -> Texts:
    """From two open files (see `contract.ContextFiles`), which it takes over. Raises `ValueError`, `OSError`."""
    with open(index_descriptor, "rb") as index:
        table = json.loads(index.read())["documents"]
    try:
        # Zero bytes cannot be mapped.
        data = mmap(text_descriptor, 0, access=ACCESS_READ) if os.fstat(text_descriptor).st_size else b""
    finally:
        os.close(text_descriptor)
    if table and table[-1]["start"] + table[-1]["bytes"] > len(data):
        raise ValueError(f"the text of the context ends at byte {len(data):,}, before its last document does")
    return Texts(data, table, max_text_bytes)


def _parts(row: dict[str, Any], data: mmap | bytes, max_text_bytes: int) -> Iterable[dict[str, Any]]:
    """The document itself, or the parts of one that is too large."""
    return (row,) if row["bytes"] <= max_text_bytes else _cut(row, data, max_text_bytes // _PARTS_OF_A_TEXT)


def _cut(row: dict[str, Any], data: mmap | bytes, part_bytes: int) -> Iterator[dict[str, Any]]:
    """How many characters a part has is known where every character is a byte."""
    start, end = row["start"], row["start"] + row["bytes"]
    while start < end:
        stop = min(start + part_bytes, end)
        if stop < end:
            stop = data.rfind(b"\n", start, stop) + 1 or _before_a_character(data, stop)
        part = {"path": row["path"], "kind": row["kind"], "start": start, "bytes": stop - start}
        part["continues"] = start > row["start"]
        yield part | {"chars": part["bytes"]} if row["chars"] == row["bytes"] else part
        start = stop


def _before_a_character(data: mmap | bytes, stop: int) -> int:
    while data[stop] & 0xC0 == 0x80:
        stop -= 1
    return stop
