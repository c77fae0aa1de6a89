"""A window of lines in a document, around a line or around some characters, and words looked for in the whole of it.

Knows bytes, characters and lines. A document may be of any size and may be one single line: it is read through in blocks
and never held as a whole; a long line is cut, around what the window was opened for, and says how much is missing.
Refuses to know what the text means and how it is drawn.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.evidence.scanning import chars_between, line_start, lines_between

LINES_AROUND = 60
MAX_LINE_CHARS = 1_000
"""What is shown of one line."""
LEAD_CHARS = 300
"""Of a long line, what is shown before the characters that the window was opened for."""
MAX_WORDS_CHARS = 200
"""Longer words are cut before they are looked for."""
_BLOCK = 1 << 18
_BYTES_PER_CHAR = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a part of one. `start` is the offset of `text` in the document, in characters; `number` counts from 1."""

    number: int
    start: int
    text: str
    missing_before: int = 0
    missing_after: int = 0
    """Characters of the line that `text` leaves out."""

    def part(self, start: int, end: int) -> tuple[int, int] | None:
        """Where in `text` the characters of the document from `start` to `end` stand; `None` if not one of them does."""
        first, last = max(start - self.start, 0), min(end - self.start, len(self.text))
        return (first, last) if first < last else None

    @property
    def begin(self) -> int:
        """The offset of the whole line in the document."""
        return self.start - self.missing_before

    @property
    def chars(self) -> int:
        """How many the whole line has."""
        return self.missing_before + len(self.text) + self.missing_after


@dataclass(frozen=True, slots=True)
class Window:
    """Lines of a document in order. `line` is the one that it was opened for; 0 in an empty document."""

    lines: tuple[Line, ...]
    line: int
    total_lines: int
    total_chars: int


@dataclass(frozen=True, slots=True)
class Hits:
    """How often words stand in a document, and where one occurrence is: the `number`-th from 1, or 0 if there is none.

    Not `complete`: the search was given up, and `count` is what was found until then.
    """

    count: int = 0
    number: int = 0
    start: int = 0
    end: int = 0
    complete: bool = True


def window_at_line(corpus: Corpus, document: Document, line: int, around: int = LINES_AROUND) -> Window:
    """The window around a line; of a line that is not there, around the next that is."""
    if not document.lines:
        return Window((), 0, 0, document.chars)
    line = max(1, min(line, document.lines))
    text = _Text(corpus, document)
    begin = line_start(text.data, text.start, text.end, line)
    return _window(text, line, begin, text.chars(text.start, begin), begin, around)


def window_at_char(corpus: Corpus, document: Document, char: int, around: int = LINES_AROUND) -> Window:
    """The window around a character, which is shown however long its line is; outside the document, the nearest inside."""
    if not document.lines:
        return Window((), 0, 0, document.chars)
    char = max(0, min(char, document.chars - 1))
    text = _Text(corpus, document)
    at = text.byte_of(char)
    begin = text.line_begin(at)
    line = lines_between(text.data, text.start, begin) + 1
    return _window(text, line, begin, char - text.chars(begin, at), at, around)


def lines_at(corpus: Corpus, document: Document, chars: Sequence[int]) -> list[int]:
    """The lines, from 1, that these characters are in: given in order, found in one pass through the document."""
    text, found = _Text(corpus, document), list[int]()
    at, before, line = text.start, 0, 1
    for char in chars:
        to = text.byte_of(char, at, before)
        line += lines_between(text.data, at, to)
        at, before = to, char
        found.append(line)
    return found


def characters(corpus: Corpus, document: Document, start: int, end: int) -> str:
    """The characters of a document from `start` to `end`."""
    text = _Text(corpus, document)
    first = text.byte_of(start)
    return text.decoded(first, text.byte_of(end, first, start))


def find(corpus: Corpus, document: Document, words: str, number: int = 1, *, timeout_s: float = 5.0) -> Hits:
    """Look for words as plain text, whatever their case. Occurrences do not overlap; of a `number` too high, the last."""
    needle = _folded(words[:MAX_WORDS_CHARS])
    if not needle or not document.bytes:
        return Hits()
    deadline = time.monotonic() + timeout_s
    count = at = chosen = 0
    carried = ""
    for block in _Text(corpus, document).blocks():
        if time.monotonic() > deadline:
            return _hit(count, number, chosen, needle, complete=False)
        parts = (carried + _folded(block)).split(needle)
        before = parts[: max(0, min(number - count, len(parts) - 1))]
        if before:
            chosen = at + sum(map(len, before)) + (len(before) - 1) * len(needle)
        count += len(parts) - 1
        whole = sum(map(len, parts)) + (len(parts) - 1) * len(needle)
        carried = parts[-1][max(0, len(parts[-1]) - len(needle) + 1) :]
        at += whole - len(carried)
    return _hit(count, number, chosen, needle)


def _hit(count: int, number: int, start: int, needle: str, *, complete: bool = True) -> Hits:
    if not count:
        return Hits(complete=complete)
    return Hits(count, max(1, min(number, count)), start, start + len(needle), complete)


def _folded(text: str) -> str:
    """Without regard to case, character for character: what would change the length is replaced first."""
    return text.replace("\u0130", "i").lower().replace("ς", "σ")


def _window(text: _Text, line: int, begin: int, chars: int, sight: int, around: int) -> Window:
    """`line` begins at the byte `begin`, which is the character `chars`; the byte `sight` in it is kept in sight."""
    number, at = line, begin
    while number > max(1, line - around):
        at = text.line_begin(at - 1)
        number -= 1
    start = chars - text.chars(at, begin)
    lines = []
    while at < text.end and number <= line + around:
        end = text.line_end(at)
        cut_at = end - (end < text.end and text.data[end - 1 : end] == b"\r" and end > at)
        shown = _line(text, number, start, at, cut_at, sight)
        lines.append(shown)
        start += shown.chars + text.chars(cut_at, end) + 1
        at, number = end + 1, number + 1
    return Window(tuple(lines), line, text.document.lines, text.document.chars)


def _line(text: _Text, number: int, start: int, at: int, end: int, sight: int) -> Line:
    """What is shown of the line in these bytes, whose first character is `start`."""
    chars = text.chars(at, end)
    if chars <= MAX_LINE_CHARS:
        return Line(number, start, text.decoded(at, end))
    middle = sight if at < sight < end else at
    before = text.decoded(max(at, middle - _BYTES_PER_CHAR * LEAD_CHARS), middle)[-LEAD_CHARS:]
    behind = text.decoded(middle, min(end, middle + _BYTES_PER_CHAR * MAX_LINE_CHARS))
    shown = (before + behind)[:MAX_LINE_CHARS]
    missing = text.chars(at, middle) - len(before)
    return Line(number, start + missing, shown, missing, chars - missing - len(shown))


class _Text:
    """The bytes of one document, and the ways between bytes, characters and lines."""

    def __init__(self, corpus: Corpus, document: Document) -> None:
        self.data = corpus.data
        self.document = document
        self.start, self.end = document.start, document.start + document.bytes
        self._one_byte_each = document.bytes == document.chars

    def chars(self, start: int, end: int) -> int:
        """How many characters begin in these bytes."""
        return end - start if self._one_byte_each else chars_between(self.data, start, end)

    def byte_of(self, char: int, at: int | None = None, before: int = 0) -> int:
        """Where a character begins; the end if there are fewer. The byte `at` is known to begin the character `before`."""
        if self._one_byte_each:
            return min(self.start + char, self.end)
        at, char = (self.start, char) if at is None else (at, char - before)
        while at < self.end:
            block = self.data[at : min(at + _BLOCK, self.end)]
            here = chars_between(block, 0, len(block))
            if char < here:
                skipped = _inside_character(block)
                text = block[skipped:].decode("utf-8", "ignore")  # the last character may be cut
                return at + skipped + len(text[:char].encode())
            char -= here
            at += len(block)
        return self.end

    def decoded(self, start: int, end: int) -> str:
        """These bytes as text; a character that is cut at an end is left out."""
        return self.data[start:end].decode("utf-8", "ignore")

    def line_begin(self, at: int) -> int:
        """Where the line begins that the byte `at` is in; the line feed at its end belongs to it."""
        found = self.data.rfind(b"\n", self.start, at)
        return self.start if found < 0 else found + 1

    def line_end(self, at: int) -> int:
        """Where the line ends: at its line feed, or with the document."""
        found = self.data.find(b"\n", at, self.end)
        return self.end if found < 0 else found

    def blocks(self) -> Iterator[str]:
        at = self.start
        while at < self.end:
            end = min(at + _BLOCK, self.end)
            while end < self.end and self.data[end] & 0xC0 == 0x80:
                end -= 1
            yield self.data[at:end].decode("utf-8")
            at = end


def _inside_character(block: bytes) -> int:
    """How many bytes at the beginning belong to a character that began before."""
    return next((number for number, byte in enumerate(block[:_BYTES_PER_CHAR]) if byte & 0xC0 != 0x80), 0)
