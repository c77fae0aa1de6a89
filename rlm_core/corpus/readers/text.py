"""Plain text of any kind, word for word: nothing is rewritten, so that line numbers and offsets stay true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from rlm_core.corpus.encoding import (
    Bytes,
    declared_encoding,
    decode,
    judge,
    looks_binary,
    own_replacements,
    pieces,
    warning_of,
)
from rlm_core.corpus.kinds import HEAD_BYTES, not_read_reason
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading

_OLD_MAC = "Its lines ended in bare carriage returns (old Mac); they are shown as ordinary line ends."


def read_text(data: bytes, declared: str | None = None) -> Reading:
    """The decoded text. `declared` is an encoding that the file names itself. Raises `Refused` for binary data."""
    decoded = decode(data, declared)
    if looks_binary(data, decoded.encoding):
        raise Refused("unsupported", not_read_reason("binary") or "")
    text, warning = decoded.text, decoded.warning
    if "\r" in text and "\n" not in text:
        text, warning = text.replace("\r", "\n"), f"{warning} {_OLD_MAC}".strip()
    return Reading(
        text,
        encoding=decoded.encoding,
        encoding_confidence=decoded.confidence,
        replaced=decoded.replaced,
        warning=warning,
    )


def read_large_text(data: Bytes, declared: str | None = None) -> Reading:
    """The same of a file that may be larger than the memory, piece by piece. It is gone through twice before."""
    judged = judge(data, declared)
    if looks_binary(data, judged.encoding):
        raise Refused("unsupported", not_read_reason("binary") or "")
    replaced, returns, line_ends = 0, False, False
    for piece in pieces(data, judged):
        replaced += piece.count("�")
        returns, line_ends = returns or "\r" in piece, line_ends or "\n" in piece
    if replaced:
        replaced -= own_replacements(data, judged)
    warning, found = warning_of(judged, replaced), partial(pieces, data, judged)
    if returns and not line_ends:
        warning, found = f"{warning} {_OLD_MAC}".strip(), partial(_with_line_ends, found)
    return Reading(
        "",
        pieces=found,
        encoding=judged.encoding,
        encoding_confidence=judged.confidence,
        replaced=replaced,
        warning=warning,
    )


def _with_line_ends(found: Callable[[], Iterator[str]]) -> Iterator[str]:
    return (piece.replace("\r", "\n") for piece in found())


def read_xml(data: bytes) -> Reading:
    """As text, in the encoding that it declares unless it is valid UTF-8."""
    return read_text(data, declared_encoding(data))


def read_large_xml(data: Bytes) -> Reading:
    """The same of a file that may be larger than the memory."""
    return read_large_text(data, declared_encoding(data[:HEAD_BYTES]))
