"""What became of the files of an upload, as Ask says it: reasons, doubts, parts, encodings, and the files to download."""

from __future__ import annotations

import csv
import io
import json

import pytest

from app.backend import IngestReport, Item
from app.components import report_words as words
from app.components.archive_report import kinds_table
from app.components.report_table import json_of, problems_first, row, why_px, without_empty

LATIN = Item(
    "orders.csv", "ok", encoding="cp1252", encoding_confidence=0.73, replaced=12, chars=100, kind="csv", rows=9
)
SURVEY = Item("survey.pdf", "ok", kind="pdf", pages=12, pages_without_text=(3, 5, 6, 7), chars=900)
BOOK = Item(
    "prices.xlsx", "ok", kind="xlsx", sheets={"Prices": "visible", "Old": "hidden", "Older": "veryHidden"}, chars=50
)
CUT = Item("cut.pdf", "malformed", "The file is damaged or cut off: it cannot be opened as a PDF.")
FINE = Item("fine.txt", "ok", encoding="utf-8", encoding_confidence=1.0, chars=10, kind="text")


def test_files_that_were_lost_stand_first_and_then_those_with_doubts():
    assert problems_first((FINE, LATIN, CUT, BOOK)) == [CUT, LATIN, BOOK, FINE]


def test_the_reasons_have_the_width_of_the_longest_up_to_a_bound():
    widths = [why_px([{"Why": "x" * chars}, {"Why": ""}]) for chars in (0, 82, 100_000)]
    assert widths == [30, 456, 900]


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (CUT, "The file is damaged or cut off: it cannot be opened as a PDF. Not read."),
        (SURVEY, "No text on pages 3, 5–7 of 12."),
        (BOOK, "Hidden sheets, read like the others: Old, Older."),
        (LATIN, "12 characters could not be decoded and show as �."),
        (FINE, ""),
    ],
)
def test_each_file_says_why_it_needs_a_look(item, said):
    assert words.why(item) == said
    assert row(item)["Why"] == said


def test_pages_sheets_and_encodings_are_said_with_what_is_wrong_about_them():
    assert words.parts(SURVEY) == "12 pages, 4 without text"
    assert words.parts(BOOK) == "3 sheets, 2 hidden"
    assert words.parts(LATIN) == "9 rows"
    assert words.encoding(LATIN) == "cp1252, 73 % sure, 12 replaced"
    assert words.encoding(FINE) == "utf-8"


def test_kinds_say_of_how_many_pages_and_sheets_they_are_made():
    assert [each["Kind"] for each in kinds_table(IngestReport((SURVEY, BOOK, LATIN)))] == [
        "PDF, 12 pages",
        "Tables",
        "Spreadsheets, 3 sheets",
    ]


def test_very_many_pages_are_counted_and_not_listed():
    assert words.ranges(range(1, 4000, 2)).endswith(", 15 and 1,992 more")
    assert words.ranges([9, 1, 2, 3]) == "1–3, 9"


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_the_file_begins_as_a_formula(first):
    hostile = Item(f"{first}cmd|' /C calc'!A0.txt", "malformed", f"{first}1+1")
    cells = next(csv.DictReader(io.StringIO(IngestReport((hostile,)).to_csv(), newline="")))
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells.values())


def test_the_json_file_is_the_report_itself():
    report = IngestReport((CUT, SURVEY), 1.5)
    assert IngestReport.from_dict(json.loads(json_of(report))) == report


def test_columns_that_say_nothing_of_any_file_are_left_out():
    assert "Parts" not in without_empty([row(FINE)])[0]
    assert "Parts" in without_empty([row(FINE), row(BOOK)])[0]


def test_a_line_end_within_a_name_begins_no_line_of_the_file():
    hostile = Item("a\r=HYPERLINK(1)", "malformed", "b\n=1+1")
    lines = list(csv.reader(io.StringIO(IngestReport((hostile,)).to_csv(), newline="")))
    assert len(lines) == 2
    assert lines[1][0] == "a\r=HYPERLINK(1)"
