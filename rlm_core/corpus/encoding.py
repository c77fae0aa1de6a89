"""Bytes to text: which encoding a file is in, judged on the whole file, never on its first kilobytes.

The ladder: byte order mark; the NUL pattern of UTF-16; strict UTF-8 over everything; what the file declares about itself;
chardet on the lines around the first byte that is not UTF-8; Windows-1252. What cannot be decoded becomes U+FFFD and is
counted. Line ends are left alone. Everything goes block by block: a file may be far larger than the memory.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from rlm_core.corpus.guessing import FALLBACK, Guess, rank, widened

_BLOCK_BYTES = 1024 * 1024
_LINE_REACH_BYTES = 2048
_SAMPLE_BYTES = 64 * 1024
_WINDOW_BYTES = 4 * 1024 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)
_IN_WORDS = {
    "gb18030": "Chinese (GB 18030)",
    "big5hkscs": "Chinese (Big5)",
    "cp932": "Japanese (Windows-932)",
    "euc_jis_2004": "Japanese (EUC)",
}
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r\b\x1b"))
_OLD_ENCODING = re.compile(r"cp\d{3,4}|iso8859-\d+|koi8-[rtu]|mac-\w+|euc_\w+|gb\w+|big5\w*|shift_ji\w+|johab|tis-620")
_NON_ASCII_TO_LINE_END = re.compile(rb"[\x80-\xff][^\n]*")


class Bytes(Protocol):
    """The bytes of a file, in memory or not: slices of them are read when they are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Judged:
    """How a file is to be decoded. `confidence` is 1 where nothing was guessed."""

    codec: str
    encoding: str
    confidence: float = 1.0
    warning: str = ""
    mark_bytes: int = 0
    """Length of the byte order mark, which is no text."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text out of bytes. `confidence` is 1 where nothing was guessed; `replaced` counts new U+FFFD."""

    text: str
    encoding: str
    confidence: float = 1.0
    replaced: int = 0
    warning: str = ""


@dataclass(frozen=True, slots=True)
class _Error:
    """The first place that is not UTF-8. `cut_off`: the file ends within a character there."""

    start: int
    cut_off: bool


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """All of `data` as text. `declared` is the encoding that the file names itself, as HTML and XML do."""
    judged = judge(data, declared)
    text = "".join(pieces(data, judged))
    replaced = text.count("�") - own_replacements(data, judged) if "�" in text else 0
    return Decoded(text, judged.encoding, judged.confidence, replaced, warning_of(judged, replaced))


def judge(data: Bytes, declared: str | None = None) -> Judged:
    """The encoding of all of `data`. `declared` is the one that the file names itself."""
    head = data[:4]
    for mark, encoding, codec in _MARKS:
        if head.startswith(mark):
            return Judged(codec, encoding, mark_bytes=len(mark))
    if (utf_16 := _utf_16_without_mark(data)) is not None:
        words = "Says nothing about its encoding; read as UTF-16 for its pattern of NUL bytes."
        return Judged(utf_16, utf_16, 0.9, words)
    if (error := _first_error(data)) is not None:
        return _not_utf_8(data, error, declared)
    if _occurrences(data, b"\x1b$") and _fits(data, "iso2022_jp"):
        return Judged("iso2022_jp", "iso2022_jp")  # plain ASCII to the eye of UTF-8, with escape sequences between
    return Judged("utf-8", "utf-8")


def pieces(data: Bytes, judged: Judged) -> Iterator[str]:
    """The text, in pieces of about a million characters."""
    decoder = codecs.getincrementaldecoder(judged.codec)("replace")
    for start in range(judged.mark_bytes, len(data), _BLOCK_BYTES):
        yield decoder.decode(data[start : start + _BLOCK_BYTES], final=start + _BLOCK_BYTES >= len(data))


def own_replacements(data: Bytes, judged: Judged) -> int:
    """How many U+FFFD the file itself holds, in encodings that can hold one."""
    can = judged.codec.startswith("utf") or judged.codec == "gb18030"
    return _occurrences(data, "�".encode(judged.codec)) if can else 0


def warning_of(judged: Judged, replaced: int) -> str:
    """What there is to say of the encoding, in sentences."""
    return " ".join(filter(None, [judged.warning, _replaced_in_words(replaced, judged.encoding)]))


def declared_encoding(head: bytes) -> str | None:
    """The encoding that HTML or XML names in its first bytes, if it is one for text that Python knows."""
    match = re.search(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)""", head[:4096])
    return known_encoding(match[1].decode("ascii")) if match else None


def known_encoding(declared: str) -> str | None:
    """The encoding of this name, if it is one for text that Python knows."""
    try:
        name = codecs.lookup(declared).name
    except (LookupError, ValueError):
        return None
    return widened(name) if _OLD_ENCODING.fullmatch(name) else None  # Python's codecs unpack zip and more


def looks_binary(data: Bytes, encoding: str) -> bool:
    """Whether what was decoded is no text: too many control characters for one."""
    if encoding.startswith(("utf-16", "utf-32")):
        data = data[:_BLOCK_BYTES].decode(encoding, errors="replace").encode("utf-8")
    controls = sum(len(block) - len(block.translate(None, _CONTROLS)) for block in _blocks(data))
    allowed = 0.1 if encoding.startswith("utf-8") else 0.02  # a crashed log may hold a block of NUL bytes
    return controls > allowed * len(data)


def _blocks(data: Bytes) -> Iterator[bytes]:
    return (data[start : start + _BLOCK_BYTES] for start in range(0, len(data), _BLOCK_BYTES))


def _occurrences(data: Bytes, wanted: bytes) -> int:
    count, tail = 0, b""
    for block in _blocks(data):
        block = tail + block
        count += block.count(wanted)
        tail = block[len(block) - len(wanted) + 1 :]
    return count


def _fits(data: Bytes, codec: str) -> bool:
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        for block in _blocks(data):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _first_error(data: Bytes) -> _Error | None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), _BLOCK_BYTES):
        waiting = len(decoder.getstate()[0])  # of a character that began in the block before
        last = start + _BLOCK_BYTES >= len(data)
        try:
            decoder.decode(data[start : start + _BLOCK_BYTES], final=last)
        except UnicodeDecodeError as error:
            return _Error(start - waiting + error.start, last and error.reason == "unexpected end of data")
    return None


def _not_utf_8(data: Bytes, error: _Error, declared: str | None) -> Judged:
    if (damaged := _damaged_utf_8(data, error)) is not None:
        return damaged
    if declared:
        return Judged(declared, declared)
    if looks_binary(data, FALLBACK):
        return Judged(FALLBACK, FALLBACK, 0.0)  # the caller asks the same question; spare the detection
    best = next(iter(rank(_lines_around(data, error.start))), Guess(FALLBACK, 0.1))
    words = encoding_in_words(best.encoding)
    warning = f"Says nothing about its encoding; read as {words} ({best.confidence * 100:.0f} % sure)."
    return Judged(best.encoding, best.encoding, best.confidence, warning)


def _lines_around(data: Bytes, at: int) -> bytes:
    """The lines with non-ASCII bytes near `at`; of long ones, the part around the first such byte."""
    near = data[max(0, at - _WINDOW_BYTES) : at + _WINDOW_BYTES]
    sample, size = [], 0
    for match in _NON_ASCII_TO_LINE_END.finditer(near):
        reach = max(0, match.start() - _LINE_REACH_BYTES)
        start = max(near.rfind(b"\n", reach, match.start()) + 1, reach)
        sample.append(near[start : min(match.end(), match.start() + _LINE_REACH_BYTES)])
        size += len(sample[-1])
        if size > _SAMPLE_BYTES:
            break
    return b"\n".join(sample)


def _damaged_utf_8(data: Bytes, error: _Error) -> Judged | None:
    """UTF-8 with a few bad bytes stays UTF-8: to take it for a code page would garble all that is well."""
    utf_8 = Judged("utf-8", "utf-8")
    own = own_replacements(data, utf_8)
    good, bad = -own, -own
    for text in pieces(data, utf_8):
        good += len(text) - len(text.encode("ascii", "ignore"))
        bad += text.count("\ufffd")
        if bad > 1000 and good < 2 * bad:
            return None
    good -= bad
    if good < 10 * bad and not (error.cut_off and good > 0):
        return None
    return replace(utf_8, confidence=round(good / (good + bad), 2))


def _replaced_in_words(count: int, encoding: str) -> str:
    if not count:
        return ""
    characters = "1 character was" if count == 1 else f"{count:,} characters were"
    return f"{characters} not valid {encoding_in_words(encoding)} and became �."


def encoding_in_words(encoding: str) -> str:
    """An encoding's name for people: `Windows-1252` for `cp1252`."""
    if encoding in _IN_WORDS:
        return _IN_WORDS[encoding]
    if match := re.fullmatch(r"cp(125\d|949)", encoding):
        return f"Windows-{match[1]}"
    return encoding.removesuffix("-sig").upper()


def _utf_16_without_mark(data: Bytes) -> str | None:
    """UTF-16 shows NUL bytes at every second place and hardly ever between, and reads as printable text."""
    sample = data[: 64 * 1024]
    if len(data) % 2 or b"\0" not in sample:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    codec = "utf-16-le" if odd > 10 * even else "utf-16-be" if even > 10 * odd else None
    if codec is None or (max(even, odd) < 0.3 * len(sample) / 2 and _is_utf_8(sample)):
        return None  # a text in which a NUL byte got lost
    text = codecs.getincrementaldecoder(codec)("replace").decode(sample)
    printable = sum(each.isprintable() or each in "\t\n\r" for each in text)
    return codec if printable >= 0.99 * len(text) else None


def _is_utf_8(sample: bytes) -> bool:
    """Whether the text so far reads as UTF-8 without more control characters than a text has."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return not looks_binary(sample, "utf-8")
