"""Text out of Word documents: all of it, once, in the order of reading."""

import pytest
from office_making import docx_of, p, r, row, table

BOX = f"<w:txbxContent>{p('In the box')}{p('second line')}</w:txbxContent>"
IN_BOTH_FORMS = (
    f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>{BOX}</wps:txbx></w:drawing></mc:Choice>'
    f"<mc:Fallback><w:pict><v:textbox>{BOX}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)


@pytest.fixture
def text_of(read):
    def text(body: str, beside: dict[str, str] | None = None) -> str:
        got = read({"a.docx": docx_of(body, beside)})
        assert (got["a.docx"].status, got["a.docx"].kind) == ("ok", "docx"), got["a.docx"].reason
        return got.text("a.docx")

    return text


def test_paragraphs_are_lines_and_runs_are_joined(text_of):
    assert text_of(p("Bread &amp; ", "Butter &lt;set&gt; 5>3") + p("") + p("Zweite – Zeile")) == (
        "Bread & Butter <set> 5>3\nZweite – Zeile"
    )


def test_breaks_tabs_and_special_hyphens_are_kept(text_of):
    runs = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/></w:r>"
    tab_stops = "<w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr>"
    assert text_of(f"<w:p>{tab_stops}{runs}</w:p>") == "a\tb\nc\N{NON-BREAKING HYPHEN}d\xad"


def test_a_text_box_is_read_once_behind_its_paragraph(text_of):
    assert text_of(p("Before ", IN_BOTH_FORMS, "after") + p("Next")) == "Before after\nIn the box\nsecond line\nNext"


def test_of_two_forms_the_one_with_text_is_read(text_of):
    only_old = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing/></mc:Choice><mc:Fallback><w:pict>{BOX}</w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    assert text_of(p(only_old)) == "In the box\nsecond line"


def test_tracked_changes_are_read_as_if_accepted_and_that_is_said(read):
    body = p(
        "Price is ",
        f"<w:del>{r('x').replace('w:t', 'w:delText')}</w:del>",
        f"<w:ins>{r('95')}</w:ins>",
        f"<w:moveFrom>{r('gone')}</w:moveFrom>",
        f"<w:moveTo>{r(' moved')}</w:moveTo>",
    )
    deleted_row = row("old", "row").replace("<w:tr>", "<w:tr><w:trPr><w:del/></w:trPr>")
    got = read({"a.docx": docx_of(body + table(row("a", "b"), deleted_row))})
    assert got.text("a.docx") == "Price is 95 moved\na\tb"
    assert "read as if accepted: 3 deletions are left out" in got["a.docx"].warning


def test_a_document_without_changes_says_nothing(read):
    assert read({"a.docx": docx_of(p("plain"))})["a.docx"].warning == ""


def test_rows_of_a_table_are_lines_with_tabs_and_columns_stay_in_step(text_of):
    wide = row("wide", "z").replace("<w:tc>", '<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>', 1)
    rows = row("A", "B", "C"), row("1", p("two") + p("lines"), ""), wide
    assert text_of(p("Prices") + table(*rows) + p("End")) == "Prices\nA\tB\tC\n1\ttwo lines\nwide\t\tz\nEnd"


def test_nested_tables_keep_their_rows(text_of):
    inner = table(row("a", "b"), row("c", "d"))
    assert text_of(table(row(p("Left") + inner, "Right"))) == "Left\na\tb\nc\td\nRight"


def test_a_cell_that_takes_up_absurdly_many_columns_does_not_make_as_many_tabs(text_of):
    wide = row("a", "b").replace("<w:tc>", '<w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr>', 1)
    assert len(text_of(table(wide))) < 200


def test_links_show_their_words_and_fields_their_results(text_of):
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "http://a"</w:instrText></w:r>'
        + '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        + r("inner instruction")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        + '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + r("the site")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    link = f"<w:hyperlink>{r('a link')}</w:hyperlink><w:fldSimple>{r('7')}</w:fldSimple>"
    assert text_of(p("See ", field, " and ", link)) == "See the site and a link7"


def test_a_field_that_never_ends_loses_no_more_than_its_paragraph(text_of):
    assert text_of(p("Begin", '<w:r><w:fldChar w:fldCharType="begin"/></w:r>', "code") + p("Rest")) == "Begin\nRest"


def test_symbols_are_shown_as_people_see_them(text_of):
    ticked = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
    alpha = '<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Symbol" w:char="zz"/></w:r>'
    assert text_of(p(ticked, " done ", alpha)) == "☑ done α"


def test_what_stands_beside_the_text_follows_under_headings(text_of):
    beside = {
        "header1": p("Confidential"),
        "header2": p("Confidential"),
        "footer1": p("Page ", r("1")),
        "footnotes": f'<w:footnote w:id="0" w:type="separator">{p("")}</w:footnote>'
        f'<w:footnote w:id="5">{p("Second note")}</w:footnote><w:footnote w:id="3">{p("First note")}</w:footnote>',
        "endnotes": f'<w:endnote w:id="1">{p("At the end")}</w:endnote>',
        "comments": f'<w:comment w:author="Ann">{p("Really?")}</w:comment>',
    }
    body = p(
        "Text", '<w:r><w:footnoteReference w:id="3"/></w:r>', " more", '<w:r><w:footnoteReference w:id="5"/></w:r>'
    )
    body += p("Last", '<w:r><w:endnoteReference w:id="1"/></w:r>')
    assert text_of(body, beside) == (
        "Text[1] more[2]\nLast[e1]\n\nHeaders:\nConfidential\n\nFooters:\nPage 1\n\n"
        "Footnotes:\n[1] First note\n[2] Second note\n\nEndnotes:\n[e1] At the end\n\nComments:\nAnn: Really?"
    )


def test_a_damaged_part_beside_the_text_costs_only_itself(read):
    whole = docx_of(p("Text"), {"footnotes": "", "header1": p("Top")}, **{"word/footnotes.xml": "<broken"})
    got = read({"a.docx": whole})
    assert got.text("a.docx") == "Text\n\nHeaders:\nTop"
    assert "word/footnotes.xml" in got["a.docx"].warning


def test_formulas_are_their_signs_in_a_row(text_of):
    assert text_of(p("<m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath>")) == "E=mc"


@pytest.mark.parametrize("name", ["a.docm", "a.dotx", "offer", "offer.zip"])
def test_the_content_tells_a_word_document_whatever_its_name(read, name):
    assert read({name: docx_of(p("Text"))})[name].kind == "docx"


def test_a_document_without_its_text_is_malformed(read):
    got = read({"a.docx": docx_of("").replace(b"word/document.xml", b"word/xocument.xml")})
    assert got["a.docx"].status == "malformed"


def test_damaged_xml_is_malformed(read):
    got = read({"a.docx": docx_of("<w:p>")})
    assert got["a.docx"].status == "malformed"
    assert "word/document.xml" in got["a.docx"].reason


def test_a_document_as_deep_as_none_is_does_not_crash_the_reader(read):
    got = read({"a.docx": docx_of("<w:tbl><w:tr><w:tc>" * 80_000 + p("x") + "</w:tc></w:tr></w:tbl>" * 80_000)})
    assert got["a.docx"].status == "malformed"
