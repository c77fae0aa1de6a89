"""Texts, slides and sheets of OpenDocument."""

from office_making import package_of

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "draw", "presentation", "style", "manifest")
)
NAMES += ' xmlns:dc="http://purl.org/dc/elements/1.1/"'


def document(kind: str, body: str, styles: str = "", **more: str) -> bytes:
    content = (
        f"<office:document-content {NAMES}><office:automatic-styles>{styles}</office:automatic-styles><office:body>"
    )
    content += f"<office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    return package_of(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "META-INF/manifest.xml": f"<manifest:manifest {NAMES}/>",
            "styles.xml": f"<office:document-styles {NAMES}/>",
            **more,
        }
    )


def text_of(read, body: str, **more: str) -> str:
    got = read({"a.odt": document("text", body, **more)})
    assert (got["a.odt"].status, got["a.odt"].kind, got["a.odt"].warning) == ("ok", "odt", "")
    return got.text("a.odt")


def test_paragraphs_are_lines_and_white_space_counts_as_the_format_says(read):
    body = (
        "<text:h>Title</text:h>\n  <text:p>one\n   two<text:s text:c='3'/>three<text:tab/>x<text:line-break/>y"
        "<text:span> bold</text:span> tail <text:date>5 May</text:date></text:p>"
        "<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>"
    )
    assert text_of(read, body) == "Title\none two   three\tx\ny bold tail 5 May\nitem"


def test_boxes_notes_and_comments_stand_behind_their_paragraph(read):
    body = (
        "<text:p>Before<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note</text:p>"
        "</text:note-body></text:note> and<office:annotation><dc:creator>Ann</dc:creator><dc:date>2024</dc:date>"
        "<text:p>Really?</text:p></office:annotation> after<draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box>"
        "</draw:frame></text:p><text:p>Next</text:p>"
    )
    assert text_of(read, body) == "Before[1] and after\n[1] A note\nComment by Ann: Really?\nBoxed\nNext"


def test_tables_are_rows_with_tabs(read):
    row = "<table:table-row>{}</table:table-row>"
    first = row.format(
        "<table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell>"
    )
    second = row.format(
        "<table:table-cell table:number-columns-spanned='2'><text:p>wide</text:p></table:table-cell><table:covered-table-cell/>"
    )
    assert text_of(read, f"<table:table>{first}{second}</table:table>") == "A\tB\nwide"


def test_headers_follow_and_deletions_are_told(read):
    deleted = "<text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region>"
    deleted = f"<text:tracked-changes>{deleted}</text:tracked-changes>"
    header = "<style:header><text:p>Top</text:p></style:header>"
    styles = f"<office:document-styles {NAMES}>{header}</office:document-styles>"
    got = read({"a.odt": document("text", f"{deleted}<text:p>Kept</text:p>", **{"styles.xml": styles})})
    assert got.text("a.odt") == "Kept\n\nHeaders:\nTop"
    assert "1 deletion is left out" in got["a.odt"].warning


def test_a_password_is_told(read):
    entry = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    manifest = f"<manifest:manifest {NAMES}>{entry}</manifest:manifest>"
    got = read({"a.odt": document("text", "", **{"META-INF/manifest.xml": manifest}), "b.txt": "b"})
    assert got["a.odt"].status == "encrypted"


def test_slides_have_notes_and_may_be_hidden(read):
    hidden = '<style:drawing-page-properties presentation:visibility="hidden"/>'
    styles = f'<style:style style:name="dp2">{hidden}</style:style>'
    box = "<draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>".format
    page = "<draw:page draw:style-name='{}'>{}{}</draw:page>".format
    notes = f"<presentation:notes>{box('Say hello')}</presentation:notes>"
    pages = page("dp1", box("Title"), notes) + page("dp2", box("Gone"), "")
    got = read({"a.odp": document("presentation", pages, styles)})
    assert got.text("a.odp") == "Slide 1\nTitle\nNotes: Say hello\n\nSlide 2 (hidden)\nGone"
    assert got.corpus.find("a.odp").units.kind == "slide"


SHEET = """<table:table table:name="Prices"><table:table-row table:number-rows-repeated="2">
<table:table-cell/></table:table-row><table:table-row><table:table-cell/>
<table:table-cell office:value-type="string"><text:p>bread</text:p><text:p>white</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="12345678901234567890"><text:p>1,23E+19</text:p></table:table-cell>
<table:table-cell office:value-type="date" office:date-value="2024-03-05T00:00:00"><text:p>5 March</text:p></table:table-cell>
<table:table-cell office:value-type="percentage" office:value="0.25"><text:p>25 %</text:p></table:table-cell>
<table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>WAHR</text:p></table:table-cell>
<table:table-cell office:value-type="string" table:number-columns-repeated="2"><text:p>#N/A</text:p></table:table-cell>
</table:table-row><table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/>
</table:table-row></table:table><table:table table:name="Old" table:style-name="ta2"><table:table-row><table:table-cell>
<text:p>x</text:p></table:table-cell></table:table-row></table:table>"""


def test_sheets_have_the_form_of_all_workbooks(read):
    styles = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    got = read({"a.ods": document("spreadsheet", SHEET, styles)})
    assert got["a.ods"].kind == "ods"
    assert got.text("a.ods") == (
        "Sheet: Prices\n\tA\tB\tC\tD\tE\tF\tG\tH\n3\t\tbread white\t12345678901234567890\t2024-03-05\t25 %\tTRUE\t#N/A\t#N/A"
        "\n\nSheet: Old (hidden)\n\tA\n1\tx"
    )
    assert got["a.ods"].sheets == {"Prices": "visible", "Old": "hidden"}
    assert got["a.ods"].cells["Prices!D3"] == "2024-03-05"


def test_a_sheet_that_repeats_itself_without_end_is_cut_off(read):
    cell = "<table:table-cell table:number-columns-repeated='16384'><text:p>x</text:p></table:table-cell>"
    rows = f"<table:table-row table:number-rows-repeated='1048576'>{cell}</table:table-row>"
    got = read({"a.ods": document("spreadsheet", f"<table:table table:name='S'>{rows}</table:table>")})
    assert 2_000_000 < got["a.ods"].chars < 2_100_000
    assert "1,000 copies" in got["a.ods"].warning
