"""A mail becomes its headers as lines and its body; what is attached to it is handed on as files inside.

Covered: nested multiparts, attached mails, RFC 2047 and RFC 2231 names, headers and bodies in encodings that they do not
declare or declare wrongly, damaged base64, lost boundaries. Of a body that comes as text and as HTML, the HTML is shown where
it says more. Not covered: decryption, winmail.dat, the layout of quoted text.
"""

from __future__ import annotations

import email
import email.generator
import io
import mimetypes
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.policy import Compat32
from typing import Any, cast

from rlm_core.corpus.encoding import Decoded, declared_encoding, decode, known_encoding, looks_binary
from rlm_core.corpus.formats.html import read_page
from rlm_core.corpus.formats.html_traps import is_trap
from rlm_core.corpus.kinds import not_read_reason
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Inside, Reading
from rlm_core.corpus.units import Unit, Units

_SHOWN_HEADERS = ("From", "To", "Cc", "Bcc", "Date", "Subject")
_MAX_HEADER_CHARS = 10_000
"""What is read of one header: parsing it takes the square of its length."""
_FOLD = re.compile(r"\r?\n[ \t]*")
_WORD = re.compile(r"\w+")
_ENDINGS = mimetypes.MimeTypes()  # without the lists of this machine


class _Lenient(Compat32):
    """Headers as plain text: in whatever encoding they are, of bounded length, and written back as they came.

    The header objects of the newer policies raise on hostile values and take the square of a long one.
    """

    def header_fetch_parse(self, name: str, value: str) -> str:
        return _text_of_header(value[:_MAX_HEADER_CHARS])

    def fold_binary(self, name: str, value: str) -> bytes:
        return f"{name}: {value}{self.linesep}".encode("ascii", "surrogateescape")


_POLICY = _Lenient()


@dataclass(slots=True)
class _Contents:
    """What a mail holds. `bodies`: label and text of each."""

    bodies: list[tuple[str, Decoded]] = field(default_factory=list)
    inside: list[Inside] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read_mail(data: bytes) -> Reading:
    """Headers, an empty line, and the body; attachments are `inside`. Raises `Refused` for what is no mail."""
    if looks_binary(data, "utf-8"):
        raise Refused("unsupported", not_read_reason("binary") or "")
    try:
        message = email.message_from_bytes(data.lstrip(b"\xef\xbb\xbf\r\n"), policy=_POLICY)
        contents = _contents(message)
    except RecursionError as error:
        raise Refused(
            "malformed", "Its parts are nested deeper than those of any real mail; it was not read."
        ) from error
    parts = [("headers", _headers(message)), *((label, body.text.strip("\n")) for label, body in contents.bodies)]
    text, units = _joined([(label, part) for label, part in parts if part.strip()])
    surest = min((body for _, body in contents.bodies), key=lambda body: body.confidence, default=Decoded("", "utf-8"))
    return Reading(
        text,
        encoding=surest.encoding,
        encoding_confidence=surest.confidence,
        replaced=sum(body.replaced for _, body in contents.bodies),
        warning=" ".join(
            dict.fromkeys((*contents.warnings, *(body.warning for _, body in contents.bodies if body.warning)))
        ),
        units=units,
        inside=tuple(contents.inside),
    )


def _joined(parts: list[tuple[str, str]]) -> tuple[str, Units]:
    units: list[Unit] = []
    start, seen = 0, Counter[str]()
    for label, part in parts:
        seen[label] += 1
        units.append(Unit(label if seen[label] == 1 else f"{label} {seen[label]}", start, start + len(part)))
        start += len(part) + 2
    return "\n\n".join(part for _, part in parts), Units("part", tuple(units))


def _headers(message: Message) -> str:
    found = ((name, value) for name in _SHOWN_HEADERS for value in message.get_all(name, [])[:10])
    return "\n".join(f"{name}: {_in_words(value)}" for name, value in found)


def _contents(message: Message) -> _Contents:
    contents = _Contents()
    for part in _leaves(message):
        if part.get_content_type() in ("message/rfc822", "message/global") and part.is_multipart():
            _attach(part, _attached_mail(part), "message", ".eml", contents)
        elif _is_body(part):
            _add_body(part, contents)
        else:
            ending = _ENDINGS.guess_extension(part.get_content_type()) or ""
            _attach(part, _decoded(part, contents), "part", ending, contents)
    said = {word for label, body in contents.bodies if label != "HTML" for word in _WORD.findall(body.text.casefold())}
    contents.bodies = [
        (label, body)
        for label, body in contents.bodies
        if label != "HTML" or not said.issuperset(_WORD.findall(body.text.casefold()))
    ]
    return contents


def _leaves(message: Message) -> Iterator[Message]:
    """The parts of a mail in their order; an attached mail is one of them."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            waiting.extend(reversed(cast("list[Message]", part.get_payload())))
        else:
            yield part


def _is_body(part: Message) -> bool:
    if part.get_content_disposition() == "attachment" or part.get_filename("").strip():
        return False
    return part.get_content_maintype() in ("text", "message", "multipart")  # a multipart that lost its boundary is text


def _add_body(part: Message, contents: _Contents) -> None:
    data, declared = _decoded(part, contents), known_encoding(str(part.get_content_charset() or ""))
    if part.get_content_type() != "text/html":
        body = decode(data, declared)
        contents.bodies.append(("text", _with_text(body, body.text.replace("\r\n", "\n"))))
        return
    body = decode(data, declared or declared_encoding(data))
    if is_trap(body.text):
        contents.warnings.append("Its HTML nests tags as no real mail does and is shown as its source.")
    else:
        body = _with_text(body, read_page(body.text.encode("utf-8", "replace")).text)
    contents.bodies.append(("HTML", body))


def _with_text(body: Decoded, text: str) -> Decoded:
    return Decoded(text, body.encoding, body.confidence, body.replaced, body.warning)


def _attach(part: Message, data: bytes, stem: str, ending: str, contents: _Contents) -> None:
    name = _in_words(part.get_filename("")).encode("utf-8", "replace").decode("utf-8")
    contents.inside.append(Inside(name or f"{stem}-{len(contents.inside) + 1}{ending}", data))


def _attached_mail(part: Message) -> bytes:
    """The source of an attached mail, as it came."""
    inner = cast("list[Message]", part.get_payload())[0]
    if not inner.keys() and not inner.is_multipart() and "Content-Transfer-Encoding" in part:
        inner["Content-Transfer-Encoding"] = part["Content-Transfer-Encoding"]  # packed, against the rules
        return cast(bytes, inner.get_payload(decode=True))
    return _source(inner)


def _source(message: Message) -> bytes:
    buffer = io.BytesIO()
    email.generator.BytesGenerator(buffer, mangle_from_=False, policy=_POLICY).flatten(message)
    return buffer.getvalue()


def _decoded(part: Message, contents: _Contents) -> bytes:
    """The bytes of a part, out of base64 or whatever they were sent in."""
    if part.is_multipart():
        return _source(part).partition(b"\n\n")[2]  # such as the status of a delivery: headers only
    known = len(part.defects)
    data: Any = part.get_payload(decode=True)
    if len(part.defects) > known:
        name = _in_words(part.get_filename("")) or part.get_content_type()
        contents.warnings.append(f"The base64 of {name} is damaged; as much as possible of it was read.")
    return cast(bytes, data)


def _in_words(value: str) -> str:
    """A header with its encoded words decoded, on one line."""
    value = _FOLD.sub(" ", value)
    try:
        chunks = decode_header(value)
    except (HeaderParseError, ValueError):
        return value.strip()
    return "".join(_chunk(chunk, charset) for chunk, charset in chunks).strip()


def _chunk(chunk: str | bytes, charset: str | None) -> str:
    if isinstance(chunk, str):
        return chunk
    if charset is None:
        return chunk.decode("raw-unicode-escape")  # the way in which `decode_header` has encoded it
    return decode(chunk, known_encoding(charset)).text


def _text_of_header(value: str) -> str:
    if value.isascii():
        return value
    return decode(value.encode("utf-8", "surrogateescape")).text
