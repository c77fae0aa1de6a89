"""Office documents written by hand: the parts that matter, and nothing else."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def package_of(parts: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def relations(*targets: tuple[str, str]) -> str:
    """Pairs of kind and target, with the ids rId1, rId2, ..."""
    found = "".join(
        f'<Relationship Id="rId{at}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets, 1)
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{found}</Relationships>'
    )


def docx_of(body: str, beside: Mapping[str, str] | None = None, **more: str | bytes) -> bytes:
    """A Word document with this XML as its body. `beside`: kind of part (`header`, `footnotes`, ...) -> its XML."""
    beside = beside or {}
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("officeDocument", "word/document.xml")),
        "word/document.xml": f"<w:document {W} {R} {_EXTRA}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(*((kind.rstrip("0123456789"), f"{kind}.xml") for kind in beside)),
        **{f"word/{kind}.xml": f"<w:root {W}>{content}</w:root>" for kind, content in beside.items()},
        **more,
    }
    return package_of(parts)


_EXTRA = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def p(*runs: str) -> str:
    """A paragraph; what does not begin with `<` is the text of a run."""
    return f"<w:p>{''.join(run if run.startswith('<') else r(run) for run in runs)}</w:p>"


def r(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def row(*cells: str) -> str:
    """Cells of XML, or of plain text."""
    filled = (cell if cell.startswith("<") else p(cell) for cell in cells)
    return f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in filled)}</w:tr>"
