"""Workbooks of other kinds (.xls, .xlsb) become their sheets, in the form that `sheets.py` gives them.

Knows the library python-calamine. Not covered: error values, which it gives as empty cells; comments; formulas. It holds a sheet
in memory with all empty cells between the first and the last one: what a hostile sheet claims to span ends at the limit of the
converter process, and costs the file.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetVisibleEnum

from rlm_core.corpus.formats.cell_values import value_text
from rlm_core.corpus.formats.parts import listed
from rlm_core.corpus.formats.sheets import Row, Sheets
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading


def read_workbook(data: bytes) -> Reading:
    """`data` is no zip file, or one that was measured. Raises `Refused` for what is encrypted or damaged."""
    book = _opened(data)
    sheets, damaged = Sheets(), []
    for number, sheet in enumerate(book.sheets_metadata):
        try:
            rows = _rows(book.get_sheet_by_index(number))
        except CalamineError:
            damaged.append(sheet.name)
            rows = iter(())
        if not sheets.add(sheet.name, sheet.visible != SheetVisibleEnum.Visible, rows):
            break
    return sheets.reading(f"Damaged and not read: {listed('sheet', damaged)}." if damaged else "")


def _opened(data: bytes) -> CalamineWorkbook:
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except PasswordError as error:
        raise Refused(
            "encrypted", "The file is protected by a password. Save it without one and upload it again."
        ) from error
    except CalamineError as error:
        raise Refused("malformed", f"The file is damaged: it cannot be opened as a workbook ({error}).") from error


def _rows(sheet: CalamineSheet) -> Iterator[Row]:
    first_row, first_column = sheet.start or (0, 0)
    for number, row in enumerate(sheet.to_python(skip_empty_area=True), first_row + 1):
        yield number, [(column, value_text(value)) for column, value in enumerate(row, first_column + 1) if value != ""]
