"""Office documents written by hand: the parts that matter, and nothing else."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


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


def xlsx_of(
    sheets: Mapping[str, str], strings: str = "", styles: str = "", hidden: tuple[str, ...] = (), **more: str | bytes
) -> bytes:
    """A workbook: name of each sheet -> the XML of its rows."""
    shown = dict.fromkeys(hidden, ' state="hidden"')
    listed = "".join(
        f'<sheet name="{name}" sheetId="{at}" r:id="rId{at}"{shown.get(name, "")}/>'
        for at, name in enumerate(sheets, 1)
    )
    related = [*(("worksheet", f"worksheets/sheet{at}.xml") for at in range(1, len(sheets) + 1))]
    related += [("sharedStrings", "sharedStrings.xml"), ("styles", "styles.xml")]
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f"<workbook {S} {R}><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations(*related),
        "xl/sharedStrings.xml": f"<sst {S}>{strings}</sst>",
        "xl/styles.xml": f"<styleSheet {S}>{styles}</styleSheet>",
        **{
            f"xl/worksheets/sheet{at}.xml": f"<worksheet {S}><sheetData>{rows}</sheetData></worksheet>"
            for at, rows in enumerate(sheets.values(), 1)
        },
        **more,
    }
    return package_of(parts)


def cell(address: str, value: object = "", kind: str = "n", **more: str) -> str:
    """`kind` as in the file: n, s, b, e, str, inlineStr. `formula` and `style` may be given."""
    formula = f"<f>{more['formula']}</f>" if "formula" in more else ""
    inner = f"<is><t>{value}</t></is>" if kind == "inlineStr" else f"{formula}<v>{value}</v>"
    return f'<c r="{address}" t="{kind}" s="{more.get("style", "0")}">{inner}</c>'


def sheet_row(number: int, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


PRESENTATION = (
    f'{R} xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
)


def pptx_of(*slides: str, **more: str | bytes) -> bytes:
    """A presentation: the shapes of each slide; what begins with `<p:sld` is a whole slide."""
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{255 + at}" r:id="rId{at}"/>' for at in numbers)
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {PRESENTATION}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(*(("slide", f"slides/slide{at}.xml") for at in numbers)),
        **{f"ppt/slides/slide{at}.xml": _slide(slide) for at, slide in enumerate(slides, 1)},
        **more,
    }
    return package_of(parts)


def _slide(shapes: str) -> str:
    return shapes if shapes.startswith("<p:sld") else f"<p:sld {PRESENTATION}><p:cSld>{shapes}</p:cSld></p:sld>"


def shape(*paragraphs: str, placeholder: str = "") -> str:
    said = "".join(f"<a:p><a:r><a:t>{each}</a:t></a:r></a:p>" for each in paragraphs)
    kind = f'<p:nvSpPr><p:nvPr><p:ph type="{placeholder}"/></p:nvPr></p:nvSpPr>' if placeholder else ""
    return f"<p:sp>{kind}<p:txBody>{said}</p:txBody></p:sp>"
