"""Bytes to text: which encoding a file is in, judged on the whole file, never on its first kilobytes.

The ladder: byte order mark; the NUL pattern of UTF-16; strict UTF-8 over everything; what the file declares about itself;
chardet on the lines around the first byte that is not UTF-8; Windows-1252. What cannot be decoded becomes U+FFFD and is
counted. Line ends are left alone.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text out of bytes. `confidence` is 1 where nothing was guessed; `replaced` counts new U+FFFD."""

    text: str
    encoding: str
    confidence: float = 1.0
    replaced: int = 0
    warning: str = ""


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """All of `data` as text. `declared` is the encoding that the file names itself, as HTML and XML do."""
    for mark, encoding, codec in _MARKS:
        if data.startswith(mark):
            return _with(memoryview(data)[len(mark) :], codec, encoding)
    if (utf_16 := _utf_16_without_mark(data)) is not None:
        return _with(
            data, utf_16, utf_16, 0.9, "Says nothing about its encoding; read as UTF-16 for its pattern of NUL bytes."
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf_8(data, error, declared)
    if "\x1b$" in text and (japanese := _iso_2022_jp(data)) is not None:
        return japanese
    return Decoded(text, "utf-8")


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


def looks_binary(data: bytes, encoding: str) -> bool:
    """Whether what was decoded is no text: too many control characters for one."""
    if encoding.startswith(("utf-16", "utf-32")):
        data = data[: 1024 * 1024].decode(encoding, errors="replace").encode("utf-8")
    blocks = (data[start : start + _BLOCK_BYTES] for start in range(0, len(data), _BLOCK_BYTES))
    controls = sum(len(block) - len(block.translate(None, _CONTROLS)) for block in blocks)
    allowed = 0.1 if encoding.startswith("utf-8") else 0.02  # a crashed log may hold a block of NUL bytes
    return controls > allowed * len(data)


def _not_utf_8(data: bytes, error: UnicodeDecodeError, declared: str | None) -> Decoded:
    if (damaged := _damaged_utf_8(data, error)) is not None:
        return damaged
    if declared:
        return _with(data, declared, declared)
    if looks_binary(data, FALLBACK):
        return Decoded("", FALLBACK, 0.0)  # the caller asks the same question; spare the detection
    best = next(iter(rank(_lines_around(data, error.start))), Guess(FALLBACK, 0.1))
    words = encoding_in_words(best.encoding)
    warning = f"Says nothing about its encoding; read as {words} ({best.confidence * 100:.0f} % sure)."
    return _with(data, best.encoding, best.encoding, best.confidence, warning)


def _lines_around(data: bytes, at: int) -> bytes:
    """The lines with non-ASCII bytes near `at`; of long ones, the part around the first such byte."""
    sample, size = [], 0
    for match in _NON_ASCII_TO_LINE_END.finditer(data, max(0, at - _WINDOW_BYTES), at + _WINDOW_BYTES):
        reach = max(0, match.start() - _LINE_REACH_BYTES)
        start = max(data.rfind(b"\n", reach, match.start()) + 1, reach)
        sample.append(data[start : min(match.end(), match.start() + _LINE_REACH_BYTES)])
        size += len(sample[-1])
        if size > _SAMPLE_BYTES:
            break
    return b"\n".join(sample)


def _damaged_utf_8(data: bytes, error: UnicodeDecodeError) -> Decoded | None:
    """UTF-8 with a few bad bytes stays UTF-8: to take it for a code page would garble all that is well."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    own = data.count(b"\xef\xbf\xbd")
    good, bad = -own, -own
    for start in range(0, len(data), _BLOCK_BYTES):  # in blocks, to spare the memory of a second text
        text = decoder.decode(data[start : start + _BLOCK_BYTES], final=start + _BLOCK_BYTES >= len(data))
        good += len(text) - len(text.encode("ascii", "ignore"))
        bad += text.count("\ufffd")
        if bad > 1000 and good < 2 * bad:
            return None
    good -= bad
    cut_off = error.end >= len(data) and error.reason == "unexpected end of data"
    if good < 10 * bad and not (cut_off and good > 0):
        return None
    return replace(_with(data, "utf-8", "utf-8"), confidence=round(good / (good + bad), 2))


def _with(data: bytes | memoryview, codec: str, encoding: str, confidence: float = 1.0, warning: str = "") -> Decoded:
    text = codecs.decode(data, codec, "replace")
    replaced = text.count("�")
    if replaced and (codec.startswith("utf") or codec == "gb18030"):  # these can hold a U+FFFD of their own
        replaced -= bytes(data).count("�".encode(codec))
    return Decoded(
        text, encoding, confidence, replaced, " ".join(filter(None, [warning, _replaced_in_words(replaced, encoding)]))
    )


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


def _utf_16_without_mark(data: bytes) -> str | None:
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


def _iso_2022_jp(data: bytes) -> Decoded | None:
    """This encoding is plain ASCII to the eye of UTF-8, with escape sequences between."""
    try:
        return Decoded(data.decode("iso2022_jp"), "iso2022_jp")
    except UnicodeDecodeError:
        return None
