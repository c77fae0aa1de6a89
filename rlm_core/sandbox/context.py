"""The corpus as the code in a cell sees it: a `str` for one document, else a `Context` of `Document`s.

Runs in the child. Knows the file of all texts, mapped to be searched, and the table of documents; refuses to decode several
documents before they are asked for.
"""

from __future__ import annotations

import ctypes
import json
import os
from bisect import bisect_right
from collections.abc import Sequence
from mmap import ACCESS_READ, mmap

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAX_WHOLE_BYTES = 50_000_000
_PIECE_BYTES = 4 * 1024 * 1024
_TEXT_METHODS = frozenset(name for name in dir(str) if not name.startswith("_")) - {"index", "count"}
_MAPPING_METHODS = frozenset({"keys", "values", "items", "get"})


class Document(str):
    """The text of one document. Everything that a `str` can do, and where it is from."""

    path: str
    kind: str
    pages: None

    __slots__ = ("kind", "pages", "path")

    def __new__(cls, text: str, path: str, kind: str) -> Document:
        document = super().__new__(cls, text)
        document.path, document.kind, document.pages = path, kind, None
        return document

    def __reduce__(self) -> tuple[Any, ...]:
        return Document, (str(self), self.path, self.kind)


class Touched:
    """Whether the running cell has read the context."""

    def __init__(self) -> None:
        self.yes = False


class _Store:
    """The mapped text and the table of documents."""

    def __init__(self, data: mmap | bytes, descriptor: int, table: list[dict[str, Any]], touched: Touched) -> None:
        self.data = data
        self.descriptor = descriptor
        self.table = table
        self.touched = touched
        self.starts = [row["start"] for row in table]
        self._last: tuple[int, Document] | None = None

    def document(self, number: int) -> Document:
        # The last one is kept: `context[3][i]` in a loop would decode the whole document each time.
        last = self._last
        if last is not None and last[0] == number:
            return last[1]
        row = self.table[number]
        document = Document(_text(self.descriptor, row["start"], row["bytes"]), row["path"], row.get("kind", "text"))
        self._last = (number, document)
        return document

    def holder(self, needle: bytes, wanted: range | set[int]) -> int | None:
        """Number of the first of the `wanted` documents that holds `needle`."""
        found = self.data.find(needle)
        while found >= 0:
            number = bisect_right(self.starts, found) - 1
            row = self.table[number]
            if number in wanted and found + len(needle) <= row["start"] + row["bytes"]:
                return number
            found = self.data.find(needle, found + 1)
        return None


class Context(Sequence[Document]):
    """Many documents, as a list: `len`, iteration, `context[3]`, `context[:10]`, `context["path"]`, `"text" in context`."""

    def __init__(self, store: _Store, numbers: Sequence[int]) -> None:
        self._store = store
        self._numbers = numbers

    @property
    def paths(self) -> list[str]:
        """The path of every document, in order."""
        self._store.touched.yes = True
        return [self._store.table[number]["path"] for number in self._numbers]

    @property
    def is_whole(self) -> bool:
        """Whether this is the session's context itself, and no part of it."""
        return len(self._numbers) == len(self._store.table)

    @property
    def chars(self) -> int:
        """Characters of all documents together."""
        return sum(self._store.table[number]["chars"] for number in self._numbers)

    def __len__(self) -> int:
        self._store.touched.yes = True
        return len(self._numbers)

    def __iter__(self) -> Iterator[Document]:
        self._store.touched.yes = True
        return map(self._store.document, self._numbers)

    def __getitem__(self, key: Any) -> Any:
        self._store.touched.yes = True
        if isinstance(key, str):
            return self._store.document(self._number_of(key))
        if isinstance(key, slice):
            return Context(self._store, self._numbers[key])
        try:
            return self._store.document(self._numbers[key])
        except IndexError:
            last = len(self._numbers) - 1
            raise IndexError(f"context has {last + 1} documents: context[0] to context[{last}], not [{key}]") from None
        except TypeError:
            raise TypeError(
                f"context[...] takes a number, a slice or a path, not {type(key).__name__}. "
                "Examples: context[0], context[:10], context['notes/a.txt']"
            ) from None

    def __contains__(self, text: object) -> bool:
        """Whether `text` stands in one of the documents (or is the path of one)."""
        self._store.touched.yes = True
        if not isinstance(text, str):
            raise TypeError(f"'in context' searches the documents for a text; {type(text).__name__} is none")
        if any(self._store.table[number]["path"] == text for number in self._numbers):
            return True
        wanted = self._numbers if isinstance(self._numbers, range) else set(self._numbers)
        return self._store.holder(text.encode("utf-8", "surrogatepass"), wanted) is not None

    def __str__(self) -> str:
        size = sum(self._store.table[number]["bytes"] for number in self._numbers)
        if size > MAX_WHOLE_BYTES:
            raise ValueError(
                f"str(context) would copy {size:,} bytes into one text; at most {MAX_WHOLE_BYTES:,} are allowed. "
                "Go through the documents instead: for document in context: ..."
            )
        return "\n".join(self)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        self._store.touched.yes = True
        first = f"; context[0].path = {self.paths[0]!r}" if self._numbers else ""
        return f"<context: {len(self._numbers):,} documents, {self.chars:,} characters{first}>"

    def __add__(self, other: object) -> Any:
        raise TypeError("context is a list of documents; for one text use str(context), for a list use list(context)")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        many = f"context is a list of {len(self._numbers):,} documents, not one text"
        if name in _TEXT_METHODS:
            raise AttributeError(
                f"{many}: it has no .{name}(). Use it on each document: "
                f"[document.{name}(...) for document in context], or on all as one text: str(context).{name}(...)"
            )
        if name in _MAPPING_METHODS:
            raise AttributeError(
                f"{many}, and no dict: it has no .{name}(). Use context.paths for the paths, context['a path'] for one "
                "document, and `for document in context: document.path, document` for all"
            )
        raise AttributeError(f"{many}: it has no .{name}. It has .paths and .chars; each document has .path and .kind")

    def _number_of(self, path: str) -> int:
        rows = [(number, self._store.table[number]["path"]) for number in self._numbers]
        for number, own in rows:
            if own == path:
                return number
        ending = [(number, own) for number, own in rows if path and own.endswith(path)]
        if len(ending) == 1:
            return ending[0][0]
        if ending:
            several = ", ".join(repr(own) for _, own in ending[:5])
            raise KeyError(f"{len(ending)} documents end in {path!r}: {several}{', ...' if len(ending) > 5 else ''}")
        near = [own for _, own in rows if path.lower() in own.lower()] or [own for _, own in rows]
        raise KeyError(
            f"no document has the path {path!r}. There are, for example: {', '.join(map(repr, near[:5]))}. "
            "context.paths lists all"
        )


def load(text_descriptor: int, index_descriptor: int, touched: Touched) -> str | Context:
    """The context from two open files (see `contract.ContextFiles`), which it takes over. Raises `ValueError`, `OSError`."""
    with open(index_descriptor, "rb") as index:
        table = json.loads(index.read())["documents"]
    if len(table) == 1:
        try:
            return _text(text_descriptor, table[0]["start"], table[0]["bytes"])
        finally:
            os.close(text_descriptor)
    # Zero bytes cannot be mapped.
    data = mmap(text_descriptor, 0, access=ACCESS_READ) if os.fstat(text_descriptor).st_size else b""
    return Context(_Store(data, text_descriptor, table, touched), range(len(table)))


def _text(descriptor: int, start: int, size: int) -> str:
    """That part of the file as one text, put together in pieces without a second copy of it: `PyUnicode_Append` enlarges a
    text in place that nothing else holds. Only a first wider character, which widens all others, moves the text once."""
    pieces = _pieces(descriptor, start, start + size)
    if size <= _PIECE_BYTES:
        return "".join(pieces)
    text = next(pieces)
    append = ctypes.pythonapi.PyUnicode_Append
    append.argtypes, append.restype = [ctypes.c_void_p, ctypes.py_object], None
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(text))
    place = ctypes.c_void_p(id(text))
    del text  # from here on only `place` holds it
    for piece in pieces:
        append(ctypes.byref(place), piece)
    whole: str = ctypes.cast(place, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(whole))
    return whole


def _pieces(descriptor: int, start: int, end: int) -> Iterator[str]:
    while start < end:
        data = os.pread(descriptor, min(_PIECE_BYTES, end - start), start)
        if not data:
            raise ValueError(f"the text of the context ends at byte {start:,}, before its document does")
        whole = len(data) if start + len(data) == end else _whole_characters(data)
        start += whole
        yield data[:whole].decode("utf-8")


def _whole_characters(data: bytes) -> int:
    """How many bytes of `data` come before its last character, of which a part may be missing."""
    place = len(data) - 1
    while place > 0 and data[place] & 0xC0 == 0x80:
        place -= 1
    return place or len(data)
