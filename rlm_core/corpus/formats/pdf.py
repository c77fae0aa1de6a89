"""A PDF becomes the text of its pages, one unit each, parted by blank lines.

The text is what the file says, with its ligatures and with U+0002 where a word is cut at a line end; whoever looks for a quote
normalises (`evidence/normal.py`). Files attached to the PDF are handed on.

Covered: pages without a text layer (scans), said page by page; passwords; damaged pages, which cost only themselves; files that
claim more pages than anybody has written.
Not covered: reading text in pictures; the order of text in several columns is that in which the file draws it; what was filled
into forms and written into comments.
"""

from __future__ import annotations

import pypdfium2
from pypdfium2 import PdfDocument, PdfiumError

from rlm_core.corpus.formats.parts import Parts, listed
from rlm_core.corpus.limits import MIB, Refused
from rlm_core.corpus.reading import Inside, Reading

MAX_PAGES = 50_000
_MAX_ATTACHED_BYTES = 256 * MIB
_PASSWORD_NEEDED = pypdfium2.raw.FPDF_ERR_PASSWORD


def read_pdf(data: bytes, max_pages: int = MAX_PAGES) -> Reading:
    """The text layer of every page. Raises `Refused` for a file with a password, and for what cannot be opened."""
    document = _opened(data)
    pages, without_text, damaged = Parts("page"), [], []
    claimed = len(document)
    if not claimed:
        raise Refused("malformed", "The file is damaged: it has no pages.")
    for number in range(1, min(claimed, max_pages) + 1):
        try:
            text = _text_of(document, number - 1)
        except PdfiumError:
            text = ""
            damaged.append(number)
        if not text.strip():
            without_text.append(number)
        if not pages.add(str(number), text):
            break
    attached, lost = _attached(document)
    return pages.reading(
        f"Damaged and not read: {listed('page', damaged)}." if damaged else "",
        f"Only the first {max_pages:,} of its {claimed:,} pages were read." if claimed > max_pages else "",
        f"Not all of the files attached to it could be read: {listed('number', lost)}." if lost else "",
        pages=claimed,
        pages_without_text=tuple(without_text),
        inside=tuple(attached),
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
    """Text outside of the page's visible area is left out, as it is on paper."""
    page = document[number]
    try:
        text = page.get_textpage()
        try:
            return str(text.get_text_bounded()).replace("\r\n", "\n")
        finally:
            text.close()
    finally:
        page.close()


def _attached(document: PdfDocument) -> tuple[list[Inside], list[int]]:
    """The files attached to the whole document, and the numbers of those that are damaged or too much."""
    found, lost, size = [], [], 0
    for number in range(document.count_attachments()):
        try:
            attachment = document.get_attachment(number)
            data = bytes(attachment.get_data())
            size += len(data)
            if size > _MAX_ATTACHED_BYTES:
                lost.append(number + 1)
                break
            found.append(Inside(attachment.get_name() or f"attachment-{number + 1}", data))
        except PdfiumError:
            lost.append(number + 1)
    return found, lost
