"""Text out of PDFs, page by page."""

import pytest
from pdf_making import pdf_of

from rlm_core.corpus.formats.parts import Parts
from rlm_core.corpus.formats.pdf import read_pdf
from rlm_core.evidence.quotes import locate

LIGATURES = b"/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /fl] >>"
PASSWORD = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>]" % (
    b"ab" * 32,
    b"cd" * 32,
)


def test_each_page_is_a_unit_that_names_where_its_text_lies(read):
    got = read({"a.pdf": pdf_of("First page\nof two", "Second page")})
    assert got.text("a.pdf") == "First page\nof two\n\nSecond page"
    assert (got["a.pdf"].pages, got["a.pdf"].kind, got["a.pdf"].warning) == (2, "pdf", "")
    document = got.corpus.find("a.pdf")
    assert document.units.kind == "page"
    assert [got.text("a.pdf")[unit.start : unit.end] for unit in document.units.spans] == [
        "First page\nof two",
        "Second page",
    ]
    assert document.units.at(got.text("a.pdf").index("Second")).label == "2"


def test_pages_without_text_are_listed_and_keep_their_number(read):
    got = read({"a.pdf": pdf_of("One", "", "Three", "")})
    assert (got["a.pdf"].status, got["a.pdf"].pages_without_text) == ("ok", (2, 4))
    assert locate("Three", got.corpus, "a.pdf").start == got.text("a.pdf").index("Three")


def test_a_scan_has_no_text_layer(read):
    got = read({"scan.pdf": pdf_of("", ""), "a.txt": "something"})
    assert got["scan.pdf"].status == "no-text-layer"
    assert (got["scan.pdf"].pages, got["scan.pdf"].pages_without_text) == (2, (1, 2))
    assert "pictures" in got["scan.pdf"].reason


def test_a_word_cut_at_a_line_end_stays_as_the_file_has_it_and_is_found_as_a_quote(read):
    got = read({"a.pdf": pdf_of("all of the inter-\nnational agreement was\nsigned")})
    assert "inter\x02national" in got.text("a.pdf")
    quote = locate("the international agreement", got.corpus, "a.pdf")
    assert quote.verdict == "normalised"
    assert got.text("a.pdf")[quote.start : quote.end] == "the inter\x02national agreement"


def test_ligatures_are_found_as_the_letters_that_they_join(read):
    page = b"BT /F1 12 Tf 72 720 Td (the o\\001ce has a \\002oor) Tj ET"
    got = read({"a.pdf": pdf_of(page, encoding=LIGATURES)})
    assert locate("the ofice has a floor", got.corpus, "a.pdf").verdict in ("exact", "normalised")


def test_a_file_with_a_password_is_told_as_such(read):
    got = read({"a.pdf": pdf_of("secret", trailer=PASSWORD)})
    assert got["a.pdf"].status == "encrypted"
    assert "password" in got["a.pdf"].reason


@pytest.mark.parametrize("kept", [20, 200, 400])
def test_a_file_that_is_cut_off_is_malformed(read, kept):
    got = read({"a.pdf": pdf_of("some text")[:kept]})
    assert got["a.pdf"].status == "malformed"
    assert "damaged or cut off" in got["a.pdf"].reason


def test_a_file_whose_table_of_objects_is_lost_is_read_all_the_same(read):
    assert read({"a.pdf": pdf_of("some text").replace(b"xref\n0", b"gone\n0")}).text("a.pdf") == "some text"


def test_a_damaged_page_costs_only_itself(read):
    damaged = pdf_of("One", "Two", "Three").replace(b"6 0 obj\n<< /Type /Page ", b"6 0 obj\n<< /Type /Wrong")
    got = read({"a.pdf": damaged})
    assert got.text("a.pdf") == "One\n\n\n\nThree"
    assert "page 2" in got["a.pdf"].warning
    assert got["a.pdf"].pages_without_text == (2,)


def test_a_file_that_claims_more_pages_than_it_has_is_read_to_its_end(read):
    got = read({"a.pdf": pdf_of("One", "Two").replace(b"/Count 2", b"/Count 2000000000")})
    assert (got.text("a.pdf"), got["a.pdf"].pages) == ("One\n\nTwo", 2)


def test_only_so_many_pages_are_read_and_the_rest_is_told():
    reading = read_pdf(pdf_of("One", "Two", "Three"), max_pages=2)
    assert reading.text == "One\n\nTwo"
    assert reading.pages == 3
    assert "first 2 of its 3 pages" in reading.warning


def test_a_thousand_pages_are_read_whole(read):
    got = read({"a.pdf": pdf_of(*(f"page number {at}\n" + "some words\n" * 40 for at in range(1, 1201)))})
    assert (got["a.pdf"].pages, got["a.pdf"].pages_without_text) == (1200, ())
    document = got.corpus.find("a.pdf")
    assert document.units.at(got.text("a.pdf").index("page number 1200")).label == "1200"


def test_a_document_grows_to_its_limit_and_says_where_it_was_cut_off():
    parts = Parts("page", max_chars=10)
    assert parts.add("1", "12345")
    assert not parts.add("2", "67890")
    reading = parts.reading()
    assert reading.text == "12345\n\n678"
    assert "longer than the 10 characters" in reading.warning
    assert "page 2" in reading.warning


def test_files_attached_to_a_document_are_walked(read):
    content = b"<< /Type /EmbeddedFile /Length 7 >>\nstream\nnr,x\n1,\nendstream"
    named = b"<< /Type /Filespec /F (data.csv) /UF (data.csv) /EF << /F 4 0 R >> >>"
    gone = b"<< /Type /Filespec /F (gone.csv) /UF (gone.csv) >>"
    catalog = b"/Names << /EmbeddedFiles << /Names [(data.csv) 5 0 R (gone.csv) 6 0 R] >> >>"
    got = read({"a.pdf": pdf_of("See the table", extra=[content, named, gone], catalog=catalog)})
    assert got.statuses == {"a.pdf": "ok", "a.pdf!/data.csv": "ok"}
    assert got.text("a.pdf!/data.csv").startswith("nr,x")
    assert "number 2" in got["a.pdf"].warning
