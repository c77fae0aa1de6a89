"""PDFs written by hand: just enough of the format for text on pages."""

from __future__ import annotations

from collections.abc import Sequence


def pdf_of(
    *pages: str | bytes, trailer: bytes = b"", extra: Sequence[bytes] = (), encoding: bytes = b"", catalog: bytes = b""
) -> bytes:
    """Pages of lines of text; bytes are a page's drawing commands as they are. `extra` objects are numbered from 4 on."""
    first_page = 4 + len(extra)
    kids = b" ".join(b"%d 0 R" % (first_page + 2 * at) for at in range(len(pages)))
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica %s >>" % encoding
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
        font,
        *extra,
    ]
    for at, page in enumerate(pages):
        drawn = page if isinstance(page, bytes) else _drawn(page)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (first_page + 2 * at + 1)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    return _file(objects, trailer)


def _drawn(text: str) -> bytes:
    lines = [line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in text.split("\n")]
    shown = b" T* ".join(b"(%s) Tj" % line.encode("cp1252") for line in lines)
    return b"BT /F1 12 Tf 14 TL 72 720 Td %s ET" % shown


def _file(objects: Sequence[bytes], trailer: bytes) -> bytes:
    out, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, trailer)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % table)
