"""OpenDocument files become their text: a text (.odt) as lines, slides (.odp) and sheets (.ods) as units.

Covered: tables, text boxes, notes and comments behind the paragraph that they belong to, headers and footers, notes of speakers,
hidden slides and sheets (marked). Tracked changes are read as if accepted, and the warning says so.
Not covered: charts; numbers of headings and list items; formulas of sheets, of which the values are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rlm_core.corpus.formats.cell_values import number_text
from rlm_core.corpus.formats.flow import deletions_told
from rlm_core.corpus.formats.odf_story import OdfStory
from rlm_core.corpus.formats.package import Element, Package, attribute, local
from rlm_core.corpus.formats.sheets import Row, Sheets
from rlm_core.corpus.formats.slides import Slides
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading

_MAX_COLUMNS, _MAX_ROWS = 16_384, 1_048_576
_MAX_COPIES = 1_000
"""Of one cell or row that holds something; a few bytes can ask for all cells there are."""
_BESIDE = (("header", "Headers"), ("footer", "Footers"))


def read_odt(data: bytes) -> Reading:
    """Raises `Refused` for what is encrypted, a bomb, or damaged."""
    package = _opened(data)
    root = package.xml("content.xml")
    deletions = sum(local(each.tag) == "deletion" for each in root.iter())
    parts = [_text(each) for each in root if local(each.tag) == "body"]
    for styles in package.side("styles.xml"):
        parts += [_beside(styles, name, heading) for name, heading in _BESIDE]
    warning = f"{deletions_told(deletions)} {package.damage}".strip()
    return Reading("\n\n".join(part for part in parts if part), warning=warning)


def read_odp(data: bytes) -> Reading:
    """Raises `Refused` for what is encrypted, a bomb, or damaged."""
    package, slides = _opened(data), Slides()
    root = package.xml("content.xml")
    hidden = _styles_with(root, "visibility", "hidden")
    for page in (each for each in root.iter() if local(each.tag) == "page"):
        notes = "\n".join(_text(each) for each in page if local(each.tag) == "notes")
        if not slides.add(_text(page), notes, hidden=attribute(page, "style-name") in hidden):
            break
    return slides.reading(package.damage)


def read_ods(data: bytes) -> Reading:
    """Raises `Refused` for what is encrypted, a bomb, or damaged."""
    package, sheets = _opened(data), Sheets()
    hidden: set[str | None] | None = None
    copied = _Copies()
    for table, rows in groupby(package.stream("content.xml", "table-row"), _table_of):
        if table is None:
            continue
        if hidden is None:
            hidden = _styles_with(table.getroottree().getroot(), "display", "false")
        is_hidden = attribute(table, "style-name") in hidden
        if not sheets.add(attribute(table, "name") or "", is_hidden, _rows(rows, copied)):
            break
    return sheets.reading(copied.told(), package.damage)


def _opened(data: bytes) -> Package:
    package = Package(data)
    for manifest in package.side("META-INF/manifest.xml"):
        if any(local(each.tag) == "encryption-data" for each in manifest.iter()):
            raise Refused("encrypted", "The file is protected by a password. Save it without one and upload it again.")
    return package


def _text(root: Element) -> str:
    story = OdfStory()
    story.read(root)
    return story.text()


def _beside(styles: Element, name: str, heading: str) -> str:
    """All headers or footers; those of left pages often say the same again."""
    found = (_text(each) for each in styles.iter() if local(each.tag) in (name, f"{name}-left", f"{name}-first"))
    shown = "\n".join(text for text in dict.fromkeys(found) if text)
    return f"{heading}:\n{shown}" if shown else ""


def _styles_with(root: Element, name: str, value: str) -> set[str | None]:
    """The names of the styles one of whose properties is this."""
    styles = (each for each in root.iter() if local(each.tag) == "style")
    return {attribute(style, "name") for style in styles if any(attribute(each, name) == value for each in style)}


def _table_of(row: Element) -> Element | None:
    return next((each for each in row.iterancestors() if local(each.tag) == "table"), None)


@dataclass(slots=True)
class _Copies:
    """Counts of what stands for many cells, with a limit for what holds something."""

    left_out: int = 0

    def allowed(self, wanted: int) -> int:
        self.left_out += max(wanted - _MAX_COPIES, 0)
        return min(wanted, _MAX_COPIES)

    def told(self) -> str:
        return f"Of cells that repeat themselves {_MAX_COPIES:,} copies each are read; others were left out." * bool(
            self.left_out
        )


def _rows(rows: Iterator[Element], copied: _Copies) -> Iterator[Row]:
    number = 1
    for row in rows:
        cells = list(_cells(row, copied))
        repeated = _count(row, "number-rows-repeated", _MAX_ROWS)
        for again in range(copied.allowed(repeated) if cells else 0):
            yield number + again, cells
        number += repeated


def _cells(row: Element, copied: _Copies) -> Iterator[tuple[int, str]]:
    column = 1
    for cell in row:
        repeated = _count(cell, "number-columns-repeated", _MAX_COLUMNS)
        if column <= _MAX_COLUMNS and local(cell.tag) == "table-cell" and (text := _value(cell)):
            for again in range(copied.allowed(repeated)):
                yield column + again, text
        column += repeated


def _value(cell: Element) -> str:
    """As people see it, except that days and numbers keep all that is stored."""
    kind = attribute(cell, "value-type")
    stored = {"date": "date-value", "float": "value", "currency": "value", "boolean": "boolean-value"}.get(kind or "")
    value = attribute(cell, stored) if stored else None
    if value is None:
        return _text(cell)
    if kind == "date":
        return value.removesuffix("T00:00:00").replace("T", " ")
    return value.upper() if kind == "boolean" else number_text(value)


def _count(element: Element, name: str, most: int) -> int:
    value = attribute(element, name) or "1"
    return min(max(int(value[:9]), 1), most) if value.isdecimal() else 1
