"""Fingerprints of a corpus: which places hold a run of characters that was seen elsewhere.

Only letters, digits and what is not ASCII count, in lower case: the *kept* bytes of the UTF-8 text. So a text that was wrapped
anew, indented or quoted with `> ` has the same kept bytes as its source. Every 16 kept bytes in a row have a hash; of the
hashes in each window the smallest is chosen (winnowing: Schleimer, Wilkerson, Aiken, SIGMOD 2003), so that any two texts which
share `window + 15` kept bytes share a chosen hash. The index is made once for each corpus, in blocks, whatever its size:

    <corpus>/fingerprints-1/kept     all kept bytes, documents one after the other
                            marks    of every 512th kept byte: its offset in corpus.txt, and the characters before it
                            starts   of each document: the number of its first kept byte; at the end, how many there are
                            table    chosen hashes with the number of the kept byte where each begins, sorted

Of a larger corpus fewer hashes are chosen (`window_of`). Knows bytes and offsets; refuses to know who was shown what.
"""

from __future__ import annotations

import mmap
import shutil
from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.errors import CorpusError

FOLDER = "fingerprints-1"
"""The number is that of the form: a later one is built anew beside it."""
HASHED = 16
"""Kept bytes that have one hash: a power of two."""
_MARK_EVERY = 512
_READ_AT_ONCE = 1 << 20
_HASHED_AT_ONCE = 1 << 16
"""What fits a processor's cache is hashed three times as fast."""
_MAX_KEPT = 1 << 32
_MULTIPLIERS = tuple(np.uint32(each) for each in (0x01000193, 0x9E3779B1, 0xC2B2AE3D, 0x27D4EB2F))

_KEPT = frozenset((*b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *range(0x80, 0x100)))
_DROPPED = bytes(byte for byte in range(256) if byte not in _KEPT)
_LOWER = bytes(range(256)).lower()
_IS_KEPT = np.array([byte in _KEPT for byte in range(256)])

Hashes = NDArray[np.uint32]
Offsets = NDArray[np.int64]


def kept_of(text: bytes) -> bytes:
    """The kept bytes of a UTF-8 text."""
    return text.translate(_LOWER, _DROPPED)


def places_of_kept(text: bytes) -> Offsets:
    """The offset of each kept byte in its text."""
    return np.flatnonzero(_IS_KEPT[np.frombuffer(text, np.uint8)])


def window_of(corpus_bytes: int) -> int:
    """Hashes of which one is chosen: 24 up to 64 MB, and twice as many for each fourfold size. At 1 GB a place is found for
    sure by 111 kept bytes, some 140 characters, and the table has 2 % as many entries as there are kept bytes."""
    window, size = 24, 64_000_000
    while size < corpus_bytes:
        window, size = 2 * window, 4 * size
    return window


def sure_of(corpus_bytes: int) -> int:
    """Kept bytes of a stretch that is found for sure, wherever it stands: one of its hashes is chosen."""
    return HASHED + window_of(corpus_bytes) - 1


def chosen(kept: NDArray[np.uint8], window: int) -> Iterator[tuple[Offsets, Hashes]]:
    """The chosen hashes of a text with the numbers of the kept bytes at which they begin, in order, block by block."""
    total = len(kept) - HASHED + 1
    window = max(1, min(window, total))
    for start in range(0, total, _HASHED_AT_ONCE):
        end = min(start + _HASHED_AT_ONCE, total)
        first = max(0, start - window + 1)
        hashes = _hashes(kept[first : min(end + window - 1, total) + HASHED - 1])
        smallest = _sliding(hashes, window, np.minimum)
        edge = np.zeros(window - 1, np.uint32)
        # A hash is chosen if it is the smallest of one of the windows that it lies in.
        at = np.flatnonzero(_sliding(np.concatenate((edge, smallest, edge)), window, np.maximum) == hashes)
        values = hashes[at]
        again = (values[1:] == values[:-1]) & (np.diff(at) < window)  # of what repeats itself, the first
        wanted = np.concatenate(([True], ~again)) & (at >= start - first) & (at < end - first)
        yield at[wanted] + first, values[wanted]


def _hashes(kept: NDArray[np.uint8]) -> Hashes:
    """One hash for every `HASHED` bytes in a row: those of one byte, of two, of four and so on, each made of two before it."""
    hashes, size = kept.astype(np.uint32), 1
    for multiplier in _MULTIPLIERS:
        hashes = hashes[:-size] * multiplier + hashes[size:]
        hashes ^= hashes >> np.uint32(15)
        hashes *= _MULTIPLIERS[1]
        size *= 2
    hashes ^= hashes >> np.uint32(13)
    return hashes


def _sliding(values: Hashes, window: int, of: Any) -> Hashes:
    """The smallest, or largest, of every `window` values in a row."""
    size = 1
    while 2 * size <= window:
        values, size = of(values[:-size], values[size:]), 2 * size
    rest = window - size
    return of(values[: len(values) - rest], values[rest:]) if rest else values


class Fingerprints:
    """The index of one corpus. Use `Fingerprints.of`; may be used from several threads."""

    def __init__(self, corpus: Corpus) -> None:
        folder = corpus.folder / FOLDER
        self.corpus = corpus
        self.window = window_of(corpus.text_path.stat().st_size)
        self.kept: mmap.mmap | bytes = _mapped(folder / "kept")
        self.letters = np.frombuffer(self.kept, np.uint8)
        self.starts: Offsets = np.fromfile(folder / "starts", np.int64)
        self._marks: Offsets = np.frombuffer(_mapped(folder / "marks"), np.int64).reshape(-1, 2)
        self._table: NDArray[np.uint64] = np.frombuffer(_mapped(folder / "table"), np.uint64)
        self._chars_before = np.cumsum([0, *(document.chars + 1 for document in corpus.documents)])

    @classmethod
    def of(cls, corpus: Corpus) -> Fingerprints:
        """The fingerprints of a corpus, made if they are not there. Raises `CorpusError` if they cannot be made."""
        folder = corpus.folder / FOLDER
        try:
            if not folder.is_dir():
                with FileLock(corpus.folder / f"{FOLDER}.lock"):
                    if not folder.is_dir():
                        _build(corpus, folder)
            return cls(corpus)
        except OSError as error:
            raise CorpusError(
                f"The fingerprints of corpus {corpus.id} cannot be made or read ({error}). Is there space, and may "
                f"{corpus.folder} be written to? Without them it is not known what the models were shown."
            ) from error

    @cached_property
    def has_backslashes(self) -> bool:
        """Whether what looks like an escape in a text may be the corpus's own."""
        return self.corpus.data.find(b"\\") >= 0

    def candidates(self, hashes: Hashes) -> tuple[Offsets, Offsets]:
        """For each hash the rows of the table that hold it: from, to."""
        wanted = hashes.astype(np.uint64) << np.uint64(32)
        order = np.argsort(wanted)  # neighbours are found much faster
        low = np.empty(len(wanted), np.int64)
        low[order] = np.searchsorted(self._table, wanted[order])
        high = low + self._holds(low, hashes)
        more = np.flatnonzero((high > low) & self._holds(high, hashes))
        high[more] = np.searchsorted(self._table, wanted[more] | np.uint64(_MAX_KEPT - 1), "right")
        return low, high

    def _holds(self, rows: Offsets, hashes: Hashes) -> NDArray[np.bool_]:
        there = rows < len(self._table)
        there[there] = self._table[rows[there]] >> np.uint64(32) == hashes[there]
        return there

    def positions(self, low: int, high: int) -> list[int]:
        """The kept bytes that these rows of the table name, in order."""
        return (self._table[low:high] & np.uint64(_MAX_KEPT - 1)).tolist()  # type: ignore[no-any-return]

    def first_at(self, low: int, high: int, position: int) -> int:
        """The row, of those with one hash from `low` to `high`, whose kept byte is the first at or after `position`."""
        wanted = (self._table[low] & ~np.uint64(_MAX_KEPT - 1)) | np.uint64(max(0, position))
        return low + int(np.searchsorted(self._table[low:high], wanted))

    def documents_of(self, start: int, end: int) -> Iterator[tuple[Document, int, int]]:
        """The documents that these kept bytes lie in, with the part in each."""
        at = int(np.searchsorted(self.starts, start, "right")) - 1
        while start < end:
            stop = min(end, int(self.starts[at + 1]))
            if start < stop:
                yield self.corpus.documents[at], start, stop
            start, at = max(start, stop), at + 1

    def document_around(self, kept: int) -> tuple[int, int]:
        """The first kept byte of the document with this one, and the one behind its last."""
        at = int(np.searchsorted(self.starts, kept, "right")) - 1
        return int(self.starts[at]), int(self.starts[at + 1])

    def byte_of(self, kept: int) -> int:
        """Where a kept byte lies in `corpus.txt`."""
        row, more = divmod(kept, _MARK_EVERY)
        first = int(self._marks[row, 0])
        end = int(self._marks[row + 1, 0]) if row + 1 < len(self._marks) else len(self.corpus.data)
        return first + int(places_of_kept(self.corpus.data[first:end])[more])

    def char_of(self, document: Document, byte: int) -> int:
        """The character of a document at an offset in `corpus.txt`."""
        if document.chars == document.bytes:
            return byte - document.start
        row = max(0, int(np.searchsorted(self._marks[:, 0], byte, "right")) - 1)
        marked, before = self._marks[row] if len(self._marks) else (0, 0)
        if marked > byte:  # what lies before the first kept byte is ASCII
            return byte - document.start
        return int(before) + _chars(self.corpus.data[marked:byte]) - int(self._chars_before[document.index])


def _chars(text: bytes) -> int:
    return len(text) if text.isascii() else int(np.count_nonzero(_begins(text)))


def _begins(text: bytes) -> NDArray[np.bool_]:
    """Which bytes begin a character."""
    return np.asarray((np.frombuffer(text, np.uint8) & 0xC0) != 0x80)


def _mapped(path: Path) -> mmap.mmap | bytes:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""


def _build(corpus: Corpus, folder: Path) -> None:
    """All files in a folder of another name, which is given its own once it is whole. In blocks: one that is a few MB large
    is all that is held in memory; the table is sorted where it lies."""
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    with (part / "kept").open("wb") as kept, (part / "marks").open("wb") as marks:
        starts = _keep(corpus, kept, marks)
    if starts[-1] >= _MAX_KEPT:
        raise OSError(f"{starts[-1]:,} letters and digits are too many; up to {_MAX_KEPT:,} are taken")
    starts.tofile(part / "starts")
    with (part / "table").open("wb") as table:
        letters = np.frombuffer(_mapped(part / "kept"), np.uint8)
        for at, hashes in chosen(letters, window_of(corpus.text_path.stat().st_size)):
            ((hashes.astype(np.uint64) << np.uint64(32)) | at.astype(np.uint64)).tofile(table)
        empty = not table.tell()
    if not empty:
        rows = np.memmap(part / "table", np.uint64, "r+")
        rows.sort()
        rows.flush()
    part.rename(folder)


def _keep(corpus: Corpus, kept: BinaryIO, marks: BinaryIO) -> Offsets:
    """Write kept bytes and marks; returns the number of the first kept byte of each document."""
    begin = np.array([document.start for document in corpus.documents], np.int64)
    starts = np.zeros(len(begin) + 1, np.int64)
    done = chars = offset = 0
    with corpus.text_path.open("rb") as file:
        for block in iter(partial(file.read, _READ_AT_ONCE), b""):
            at = places_of_kept(block)
            kept.write(kept_of(block))
            within = slice(*np.searchsorted(begin, (offset, offset + len(block))))
            starts[:-1][within] = done + np.searchsorted(at, begin[within] - offset)
            marked = at[-done % _MARK_EVERY :: _MARK_EVERY]
            before = marked if block.isascii() else np.cumsum(_begins(block))[marked] - _begins(block)[marked]
            np.stack((marked + offset, before + chars), axis=1).tofile(marks)
            done, chars, offset = done + len(at), chars + _chars(block), offset + len(block)
    starts[np.searchsorted(begin, offset) :] = done
    return starts
