"""A mail that Outlook saved (.msg) is written down as an ordinary mail, and read as one (`mail.py`).

Knows the numbers of Outlook's properties. Covered: headers, bodies as text, HTML and RTF, attached files and attached mails.
Not covered: tasks, contacts and appointments beyond their subject and body; winmail.dat.
"""

from __future__ import annotations

import codecs
import hashlib
import struct
from base64 import encodebytes
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from urllib.parse import quote

from olefile import OleFileIO

from rlm_core.corpus.formats.mail import read_mail
from rlm_core.corpus.formats.rtf import read_rtf
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading

_HEADERS = {"From": 0x0C1A, "To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02, "Subject": 0x0037}
_SENDER_ADDRESS, _SENDER_ADDRESS_OF_OLD, _SENT, _BODY, _HTML, _RTF = 0x5D01, 0x0C1F, 0x0039, 0x1000, 0x1013, 0x1009
_DATA, _NAMES_OF_FILE = 0x3701, (0x3707, 0x3704, 0x3001)
_CODE_PAGES = (0x3FDE, 0x3FFD)
_TEXT, _OLD_TEXT, _BINARY, _INSIDE = "001F", "001E", "0102", "000D"
_MAX_DEPTH = 5
"""Of mails attached to mails; deeper ones are left out as hostile."""
_TIME_ZERO = datetime(1601, 1, 1, tzinfo=UTC)
_PREFILLED = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArial"
    rb"Times New RomanCourier{\colortbl\red0\green0\blue0" + b"\r\n" + rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""What a decompressor of Outlook's RTF knows before it begins."""


def read_msg(container: OleFileIO) -> Reading:
    """Raises `Refused` for what holds no mail."""
    return read_mail(_Message(container, (), head_bytes=32).as_mail())


class _Message:
    """One message at a place in the container. Properties are streams, or eight bytes in a table of them."""

    def __init__(
        self, container: OleFileIO, place: tuple[str, ...], head_bytes: int, code_page: str = "cp1252"
    ) -> None:
        """`head_bytes`: what comes before the table, by the kind of message. `code_page`: that of the mail around it."""
        self._container = container
        self._place = place
        self._fixed = dict(self._table(head_bytes))
        pages = (self._fixed.get(number) for number in _CODE_PAGES)
        self._code_page = next((_known(int.from_bytes(page[:4], "little")) for page in pages if page), code_page)

    def as_mail(self) -> bytes:
        head = [f"{name}: {value}" for name, value in self._headers() if value]
        boundary = f"=_{hashlib.sha256(repr(self._place).encode()).hexdigest()}"
        head += ["MIME-Version: 1.0", f'Content-Type: multipart/mixed; boundary="{boundary}"', "", ""]
        parts = b"".join(f"--{boundary}\n".encode() + part + b"\n" for part in self._parts())
        return "\n".join(head).encode() + parts + f"--{boundary}--\n".encode()

    def _headers(self) -> Iterator[tuple[str, str]]:
        for name, number in _HEADERS.items():
            value = self._text(number)
            if name == "From":
                address = self._text(_SENDER_ADDRESS) or self._text(_SENDER_ADDRESS_OF_OLD)
                value = f"{value} <{address}>" if "@" in address and address != value else value
            yield name, " ".join(value.split())
        if sent := self._fixed.get(_SENT):
            yield "Date", _moment(int.from_bytes(sent, "little"))

    def _parts(self) -> Iterator[bytes]:
        text, page = self._text(_BODY), self._text(_HTML) or self._decoded(self._stream(_HTML, _BINARY))
        if not text and not page and (packed := self._stream(_RTF, _BINARY)):
            text = read_rtf(unpacked_rtf(packed)).text
        if text or not page:
            yield _part("text/plain; charset=utf-8", text.encode())
        if page:
            yield _part("text/html; charset=utf-8", page.encode())
        for storage in self._storages("__attach_version1.0_"):
            yield from self._attachment(storage)

    def _attachment(self, storage: str) -> Iterator[bytes]:
        attached = _Message(self._container, (*self._place, storage), head_bytes=8, code_page=self._code_page)
        inside = (*attached._place, f"__substg1.0_{_DATA:04X}{_INSIDE}")
        if self._container.exists([*inside, "__properties_version1.0"]):
            if len(inside) <= 2 * _MAX_DEPTH:
                mail = _Message(self._container, inside, head_bytes=24, code_page=self._code_page)
                yield b"Content-Type: message/rfc822\n\n" + mail.as_mail()
            return
        name = next(filter(None, map(attached._text, _NAMES_OF_FILE)), "")
        disposition = f"attachment; filename*=utf-8''{quote(name, safe='')}" if name else "attachment"
        yield _part("application/octet-stream", attached._stream(_DATA, _BINARY), disposition)

    def _storages(self, beginning: str) -> list[str]:
        depth = len(self._place)
        paths = self._container.listdir(streams=False, storages=True)
        return [
            path[-1]
            for path in paths
            if len(path) == depth + 1 and tuple(path[:depth]) == self._place and path[-1].startswith(beginning)
        ]

    def _text(self, number: int) -> str:
        if found := self._stream(number, _TEXT):
            return found.decode("utf-16-le", "replace").rstrip("\0")
        return self._decoded(self._stream(number, _OLD_TEXT)).rstrip("\0")

    def _decoded(self, data: bytes) -> str:
        return data.decode(self._code_page, "replace")

    def _stream(self, number: int, kind: str) -> bytes:
        return self._bytes(f"__substg1.0_{number:04X}{kind}")

    def _bytes(self, name: str) -> bytes:
        path = [*self._place, name]
        return bytes(self._container.openstream(path).read()) if self._container.exists(path) else b""

    def _table(self, head_bytes: int) -> Iterator[tuple[int, bytes]]:
        table = self._bytes("__properties_version1.0")[head_bytes:]
        for at in range(0, len(table) - 15, 16):
            yield int.from_bytes(table[at + 2 : at + 4], "little"), table[at + 8 : at + 16]


def _part(kind: str, data: bytes, disposition: str = "inline") -> bytes:
    head = f"Content-Type: {kind}\nContent-Disposition: {disposition}\nContent-Transfer-Encoding: base64\n\n"
    return head.encode() + encodebytes(data)


def _moment(ticks: int) -> str:
    """From tenths of microseconds since 1601."""
    try:
        return format_datetime(_TIME_ZERO + timedelta(microseconds=ticks // 10))
    except OverflowError:
        return ""


def _known(page: int) -> str:
    name = {65001: "utf-8", 20127: "ascii", 28591: "iso8859-1", 936: "gb18030", 50220: "iso2022_jp"}.get(
        page, f"cp{page}"
    )
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


def unpacked_rtf(packed: bytes) -> bytes:
    """RTF as Outlook compresses it (MS-OXRTFCP): copies out of what came before, 4,096 bytes of it in a ring."""
    if len(packed) < 16:
        raise Refused("malformed", "The file is damaged: its text is cut off.")
    _, size, kind = struct.unpack("<II4s", packed[:12])
    if kind == b"MELA":
        return packed[16 : 16 + size]
    ring, place, out, at = bytearray(4096), len(_PREFILLED), bytearray(), 16
    ring[:place] = _PREFILLED
    while at < len(packed):
        control, at = packed[at], at + 1
        for bit in range(8):
            if not control >> bit & 1:
                copied, at = packed[at : at + 1], at + 1
            else:
                reference, at = int.from_bytes(packed[at : at + 2], "big"), at + 2
                start, length = reference >> 4, (reference & 15) + 2
                if start == place % 4096:
                    return bytes(out)
                copied = b""
                for step in range(length):
                    copied += ring[(start + step) % 4096 : (start + step) % 4096 + 1]
                    ring[(place + step) % 4096] = copied[-1]
            for byte in copied:
                ring[place % 4096] = byte
                place += 1
            out += copied
    return bytes(out)
