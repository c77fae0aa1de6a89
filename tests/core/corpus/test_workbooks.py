"""Cells of workbooks, each with its address and as people see it."""

from datetime import date, datetime, time, timedelta

import pytest
from office_making import R, S, cell, package_of, relations, sheet_row, xlsx_of

from rlm_core.corpus.formats.cell_values import meaning, number_text, value_text
from rlm_core.corpus.formats.sheets import letters_of


def one_sheet(*rows: str, **more: str) -> bytes:
    return xlsx_of({"Data": "".join(rows)}, **more)


def cells_of(read, data: bytes) -> dict[str, str]:
    got = read({"a.xlsx": data})
    assert (got["a.xlsx"].status, got["a.xlsx"].kind) == ("ok", "xlsx"), got["a.xlsx"].reason
    return got["a.xlsx"].cells


def test_addresses_can_be_read_off_the_text_and_sheets_are_units(read):
    rows = sheet_row(1, cell("B1", "price", "inlineStr")), sheet_row(5, cell("A5", 1), cell("D5", "far", "inlineStr"))
    got = read({"a.xlsx": xlsx_of({"Data": "".join(rows), "Old": sheet_row(2, cell("A2", 7))}, hidden=("Old",))})
    assert (
        got.text("a.xlsx") == "Sheet: Data\n\tA\tB\tC\tD\n1\t\tprice\n5\t1\t\t\tfar\n\nSheet: Old (hidden)\n\tA\n2\t7"
    )
    assert got["a.xlsx"].sheets == {"Data": "visible", "Old": "hidden"}
    assert got["a.xlsx"].cells == {"Data!B1": "price", "Data!A5": "1", "Data!D5": "far", "Old!A2": "7"}
    units = got.corpus.find("a.xlsx").units
    assert (units.kind, [unit.label for unit in units.spans]) == ("sheet", ["Data", "Old"])
    assert units.at(got.text("a.xlsx").index("2\t7")).label == "Old"


def test_text_stays_text(read):
    strings = "<si><t>NA</t></si><si><r><t>NU</t></r><r><t>LL</t></r><rPh><t>yomi</t></rPh></si><si><t>00123</t></si>"
    row = sheet_row(1, *(cell(f"{letter}1", at, "s") for at, letter in enumerate("ABCD")))
    assert cells_of(read, one_sheet(row, strings=strings)) == {"Data!A1": "NA", "Data!B1": "NULL", "Data!C1": "00123"}


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        *(("12345678901234567890", "12345678901234567890"), ("3.0", "3"), ("-7", "-7"), ("0", "0")),
        *(
            ("0.30000000000000004", "0.3"),
            ("1.5", "1.5"),
            ("1E+20", "1E+20"),
            ("1.0E2", "100"),
            ("nonsense", "nonsense"),
        ),
    ],
)
def test_numbers_keep_their_digits(read, stored, shown):
    assert cells_of(read, one_sheet(sheet_row(1, cell("A1", stored)))) == {"Data!A1": shown}


def test_errors_and_booleans_are_written_as_in_a_sheet(read):
    row = sheet_row(1, cell("A1", "#N/A", "e"), cell("B1", 1, "b"), cell("C1", 0, "b"), cell("D1", "#DIV/0!", "e"))
    assert list(cells_of(read, one_sheet(row)).values()) == ["#N/A", "TRUE", "FALSE", "#DIV/0!"]


@pytest.mark.parametrize(
    ("code", "stored", "shown"),
    [
        *(("yyyy-mm-dd", "45356", "2024-03-05"), ("d/m/yy h:mm", "45356.60417824", "2024-03-05 14:30:01")),
        *(("d/m/yy h:mm", "45356", "2024-03-05"), ("h:mm", "0.5", "12:00:00"), ("[h]:mm:ss", "1.25", "30:00:00")),
        *(('[$-409]d" of "mmm', "1", "1900-01-01"), ("mmm yy", "61", "1900-03-01"), ("yyyy", "-5", "-5")),
        *(
            ("0%", "0.25", "25%"),
            ("0.00%", "0.12345", "12.35%"),
            ("00000", "123", "00123"),
            ("General", "45356", "45356"),
        ),
        *(
            ('0" days"', "3", "3"),
            ("#,##0.00", "1234.5", "1234.5"),
            ("[Red]0;[Blue]-0", "4", "4"),
            ("0.00E+00", "5", "5"),
        ),
        *(
            ("yyyy-mm-dd", "1e300", "1E+300"),
            ("[h]:mm", "1e300", "1E+300"),
            ("yyyy", "nan", "NAN"),
            ("0%", "nan", "nan%"),
        ),
    ],
)
def test_a_number_is_shown_in_its_format(code, stored, shown):
    assert number_text(stored, code) == shown


def test_days_are_counted_from_1904_where_the_workbook_says_so():
    assert number_text("0", "yyyy-mm-dd", from_1904=True) == "1904-01-01"


def test_formats_of_cells_are_those_of_their_styles(read):
    styles = (
        '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>'
    )
    row = sheet_row(1, *(cell(f"{letter}1", 45356, style=str(at)) for at, letter in enumerate("ABCD")))
    assert list(cells_of(read, one_sheet(row, styles=styles)).values()) == [
        "45356",
        "2024-03-05",
        "2024-03-05",
        "45356",
    ]


def test_line_ends_and_tabs_in_a_cell_become_spaces(read):
    got = read(
        {"a.xlsx": one_sheet(sheet_row(1, cell("A1", "a\tb\n\nc_x000D_d", "inlineStr"), cell("B1", "e", "str")))}
    )
    assert got.text("a.xlsx").endswith("\n1\ta b c d\te")


def test_a_formula_is_its_value_or_itself_where_none_is_stored(read):
    got = read({"a.xlsx": one_sheet(sheet_row(1, cell("A1", 3, formula="1+2"), cell("B1", "", formula="A1*2")))})
    assert got["a.xlsx"].cells == {"Data!A1": "3", "Data!B1": "=A1*2"}
    assert "1 formula has no stored value" in got["a.xlsx"].warning


def test_comments_and_text_boxes_follow_their_sheet(read):
    comments = f'<comments {S}><commentList><comment ref="B2"><text><r><t>Sure?</t></r></text></comment></commentList></comments>'
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    drawing = f'<d xmlns:a="{a}"><a:p><a:r><a:t>In a box</a:t></a:r></a:p></d>'
    parts = {
        "xl/worksheets/_rels/sheet1.xml.rels": relations(("comments", "../c1.xml"), ("drawing", "../d1.xml")),
        "xl/c1.xml": comments,
        "xl/d1.xml": drawing,
    }
    got = read({"a.xlsx": xlsx_of({"Data": sheet_row(1, cell("A1", 1))}, **parts)})
    assert got.text("a.xlsx").endswith("1\t1\nComment on B2: Sure?\nText box: In a box")


def test_a_sheet_that_claims_all_cells_there_are_is_read_cell_by_cell(read):
    rows = sheet_row(1, cell("A1", 1)), sheet_row(1_048_576, cell("XFD1048576", 2))
    got = read({"a.xlsx": one_sheet(*rows)})
    assert got["a.xlsx"].cells == {"Data!A1": "1", "Data!XFD1048576": "2"}
    assert got["a.xlsx"].chars < 200_000


def test_cells_without_an_address_follow_each_other(read):
    row = "<row><c><v>1</v></c><c r='D1'><v>2</v></c><c><v>3</v></c></row><row><c><v>4</v></c></row>"
    assert cells_of(read, one_sheet(row)) == {"Data!A1": "1", "Data!D1": "2", "Data!E1": "3", "Data!A2": "4"}


def test_cells_by_address_are_given_for_small_workbooks_only(read):
    rows = [sheet_row(at, cell(f"A{at}", at)) for at in range(1, 502)]
    assert len(cells_of(read, one_sheet(*rows[:500]))) == 500
    assert cells_of(read, one_sheet(*rows)) == {}


def test_a_damaged_sheet_costs_only_itself(read):
    got = read(
        {
            "a.xlsx": xlsx_of(
                {"Good": sheet_row(1, cell("A1", 1)), "Bad": "<row><c>", "Fine": sheet_row(1, cell("A1", 2))}
            )
        }
    )
    assert got["a.xlsx"].cells == {"Good!A1": "1", "Fine!A1": "2"}
    assert "sheet2.xml" in got["a.xlsx"].warning


def test_a_workbook_without_its_list_of_sheets_is_malformed(read):
    data = package_of({"[Content_Types].xml": "<Types/>", "xl/worksheets/sheet1.xml": f"<worksheet {S} {R}/>"})
    assert read({"a.xlsx": data})["a.xlsx"].status == "malformed"


def test_values_of_libraries_are_shown_in_the_same_way():
    shown = [value_text(v) for v in (True, 3.0, 1.5, date(2024, 3, 5), datetime(2024, 3, 5), time(1, 2), "x", 7)]
    assert shown == ["TRUE", "3", "1.5", "2024-03-05", "2024-03-05", "01:02:00", "x", "7"]
    assert value_text(timedelta(hours=30, minutes=-1)) == "29:59:00"


@pytest.mark.parametrize(("column", "letters"), [(1, "A"), (26, "Z"), (27, "AA"), (16_384, "XFD")])
def test_columns_have_their_letters(column, letters):
    assert letters_of(column) == letters


def test_letters_in_quotes_make_no_date():
    assert [meaning(code) for code in ('"day" 0', "\\d0", "[Magenta]0", '0.0,,"mio"')] == ["number"] * 4
