"""An Excel workbook (.xlsx, .xlsm, .xltx) becomes its sheets, one unit each, in the form that `sheets.py` gives them.

Read as a stream, cell by cell: what a sheet claims to span costs nothing. Numbers keep all digits that are stored.

Covered: hidden sheets (marked), errors, dates (ISO), formulas (their stored values, or themselves where none is stored),
comments, text boxes. Not covered: hidden rows and columns, which are read like others; charts, whose numbers are in the sheets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from rlm_core.corpus.formats.calamine import read_workbook
from rlm_core.corpus.formats.cell_values import BUILT_IN_FORMATS, number_text
from rlm_core.corpus.formats.package import Element, Package, attribute, local
from rlm_core.corpus.formats.sheets import Row, Sheets, one_line
from rlm_core.corpus.formats.story import text_in
from rlm_core.corpus.reading import Reading

_ADDRESS = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})?", re.IGNORECASE)
_ESCAPED = re.compile(r"_x(?!d[89a-f])([0-9a-f]{4})_", re.IGNORECASE)
_MAX_COLUMNS = 16_384


@dataclass(slots=True)
class _Book:
    """What all sheets share. `formats` are the number formats by style."""

    package: Package
    strings: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    from_1904: bool = False
    without_value: int = 0


def read_xlsx(data: bytes) -> Reading:
    """Raises `Refused` for what is encrypted, a bomb, or no workbook."""
    package = Package(data)
    main = package.main("xl/workbook.xml")
    if main.endswith(".bin"):
        return read_workbook(data)
    root, relations, sheets = package.xml(main), package.relations(main), Sheets()
    book = _Book(package, from_1904=_is_from_1904(root))
    for part in package.related(main, "sharedStrings"):
        book.strings = [_string(each) for each in package.stream(part, "si")]
    for part in package.related(main, "styles"):
        book.formats = [code for styles in package.side(part) for code in _formats(styles)]
    for sheet in (each for each in root.iter() if local(each.tag) == "sheet"):
        relation = relations.get(attribute(sheet, "id") or "")
        part = relation.target if relation else ""
        hidden = sheet.get("state", "visible") != "visible"
        if not sheets.add(sheet.get("name") or "", hidden, _rows(book, part), _beside(package, part)):
            break
    return sheets.reading(_formulas(book.without_value), package.damage)


def _rows(book: _Book, part: str) -> Iterator[Row]:
    number = 0
    for row in book.package.stream(part, "row"):
        stated = row.get("r") or ""
        number = int(stated) if stated.isdecimal() and len(stated) < 8 else number + 1
        yield number, list(_cells(book, row))


def _cells(book: _Book, row: Element) -> Iterator[tuple[int, str]]:
    column = 0
    for cell in row:
        address = _ADDRESS.match(cell.get("r") or "")
        column = _column(address[1]) if address else column + 1
        if column <= _MAX_COLUMNS and (text := _text(book, cell)):
            yield column, text


def _text(book: _Book, cell: Element) -> str:
    kind, value, formula, inline = cell.get("t", "n"), "", "", ""
    for each in cell:
        name = local(each.tag)
        if name == "v":
            value = each.text or ""
        elif name == "f":
            formula = each.text or ""
        elif name == "is":
            inline = _string(each)
    if kind == "inlineStr":
        return inline or value
    if not value and formula:
        book.without_value += 1
        return f"={formula}"
    if kind == "s":
        return book.strings[int(value)] if value.isdecimal() and int(value) < len(book.strings) else ""
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    if kind == "n" and value:
        style = cell.get("s", "0")
        known = style.isdecimal() and int(style) < len(book.formats)
        return number_text(value.strip(), book.formats[int(style)] if known else "General", book.from_1904)
    return _unescaped(value)


def _string(element: Element) -> str:
    """Its runs joined, without the reading aids of Japanese."""
    runs = (
        each.text or ""
        for each in element.iter()
        if local(each.tag) == "t" and local(getattr(each.getparent(), "tag", "")) != "rPh"
    )
    return _unescaped("".join(runs))


def _unescaped(text: str) -> str:
    """Excel writes characters that XML forbids as `_x000D_`."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _formats(styles: Element) -> Iterator[str]:
    """The number format of each cell style, in order."""
    own: dict[str, str] = {}
    for each in styles.iter():
        if local(each.tag) == "numFmt":
            own[each.get("numFmtId", "")] = each.get("formatCode", "")
    for each in (style for styles_of in styles if local(styles_of.tag) == "cellXfs" for style in styles_of):
        number = each.get("numFmtId", "0")
        built_in = BUILT_IN_FORMATS.get(int(number), "General") if number.isdecimal() else "General"
        yield own.get(number) or built_in


def _beside(package: Package, part: str) -> Iterator[str]:
    """What hangs on a sheet: comments by address, text in boxes."""
    for kind in ("comments", "threadedComment"):
        for each in package.related(part, kind):
            for root in package.side(each):
                for comment in (below for below in root.iter() if local(below.tag) in ("comment", "threadedComment")):
                    if text := one_line(_said(comment)).strip():
                        yield f"Comment on {comment.get('ref')}: {text}"
    for each in package.related(part, "drawing"):
        for root in package.side(each):
            yield from (f"Text box: {one_line(line)}" for line in text_in(root).splitlines())


def _said(comment: Element) -> str:
    return "".join(each.text or "" for each in comment.iter() if local(each.tag) in ("t", "text"))


def _is_from_1904(root: Element) -> bool:
    return any(local(each.tag) == "workbookPr" and each.get("date1904") in ("1", "true") for each in root)


@lru_cache(maxsize=4096)
def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _formulas(count: int) -> str:
    if not count:
        return ""
    are = "1 formula has" if count == 1 else f"{count:,} formulas have"
    return f"{are} no stored value and can be read only as written: open the file in Excel and save it, then upload it again."
