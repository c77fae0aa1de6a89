"""Plain text of any kind, word for word: nothing is rewritten, so that line numbers and offsets stay true."""

from __future__ import annotations

from rlm_core.corpus.encoding import declared_encoding, decode, looks_binary
from rlm_core.corpus.kinds import not_read_reason
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
    return Reading(text, decoded.encoding, decoded.confidence, decoded.replaced, warning)


def read_xml(data: bytes) -> Reading:
    """As text, in the encoding that it declares unless it is valid UTF-8."""
    return read_text(data, declared_encoding(data))
