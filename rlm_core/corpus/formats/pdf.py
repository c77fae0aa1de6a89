"""A PDF becomes the text of its pages, one unit each, parted by blank lines.

Covered: pages without a text layer (scans), said page by page; passwords; damaged pages, which cost only themselves.
Not covered: reading text in pictures; the order of text in several columns is that in which the file draws it.
"""

from __future__ import annotations

import pypdfium2
from pypdfium2 import PdfDocument, PdfiumError

from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading
from rlm_core.corpus.units import Unit, Units

_PASSWORD_NEEDED = pypdfium2.raw.FPDF_ERR_PASSWORD
_BETWEEN = "\n\n"


def read_pdf(data: bytes) -> Reading:
    """The text layer of every page. Raises `Refused` for a file with a password, and for what cannot be opened."""
    document = _opened(data)
    texts, damaged = [], []
    for number in range(len(document)):
        try:
            texts.append(_text_of(document, number))
        except PdfiumError:
            texts.append("")
            damaged.append(number + 1)
    units, start = [], 0
    for number, text in enumerate(texts, 1):
        units.append(Unit(str(number), start, start + len(text)))
        start += len(text) + len(_BETWEEN)
    return Reading(
        _BETWEEN.join(texts),
        warning=f"Damaged and not read: page {', '.join(map(str, damaged))}." if damaged else "",
        units=Units("page", tuple(units)),
        pages=len(texts),
        pages_without_text=tuple(number for number, text in enumerate(texts, 1) if not text.strip()),
    )


def _opened(data: bytes) -> PdfDocument:
    try:
        return PdfDocument(data)
    except PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_NEEDED:
            raise Refused(
                "encrypted", "The file is protected by a password. Save it without one and upload it again."
            ) from error
        raise Refused("malformed", "The file is damaged or cut off: it cannot be opened as a PDF.") from error


def _text_of(document: PdfDocument, number: int) -> str:
    page = document[number]
    try:
        text = page.get_textpage()
        try:
            return str(text.get_text_bounded()).replace("\r\n", "\n")
        finally:
            text.close()
    finally:
        page.close()
