"""What becomes of the text of each kind of file."""

import random

import pytest


@pytest.mark.parametrize(
    "text", ["a\nb\n", "a\r\nb\r\n", "a\n\n\nb", "tab\there \n  indented", "\n", "form\ffeed\x0bvertical"]
)
def test_text_is_kept_word_for_word_with_its_line_ends(read, text):
    got = read({"a.txt": f"start\n{text}"})
    assert got.text("a.txt") == f"start\n{text}"


@pytest.mark.parametrize(("text", "lines"), [("a", 1), ("a\n", 1), ("a\nb", 2), ("a\r\nb\r\n", 2), ("\n\na", 3)])
def test_lines_are_counted_as_an_editor_does(read, text, lines):
    assert read({"a.txt": text})["a.txt"].lines == lines


def test_the_line_ends_of_an_old_mac_become_ordinary_ones(read):
    got = read({"a.txt": "one\rtwo\rthree"})
    assert got["a.txt"].lines == 3
    assert "old Mac" in got["a.txt"].warning


def test_files_without_bytes_or_with_white_space_only_are_empty_documents(read):
    got = read({"a.txt": "", "b.txt": " \n\t", "c.txt": "text", "d.txt": ""})
    assert got.statuses == {"a.txt": "empty", "b.txt": "empty", "c.txt": "ok", "d.txt": "empty"}
    assert got.report.upload_status == "ok"
    assert got.report.documents == len(got.corpus.documents) == 4


def test_an_upload_of_nothing_but_empty_files_makes_no_corpus(read):
    got = read({"a.txt": ""})
    assert got.corpus is None
    assert read({}).report.upload_status == "failed"


@pytest.mark.parametrize("name", ["a.py", "a.unknown", "Makefile", "a.tex", "a.srt", "README"])
def test_any_extension_is_read_if_the_content_is_text(read, name):
    assert read({name: "some text\n"})[name].status == "ok"


def test_binary_data_under_a_text_name_is_no_text(read):
    got = read({"a.txt": random.Random(1).randbytes(5000), "b.csv": bytes(100), "c.txt": "BM is how this text begins"})
    assert got.statuses == {"a.txt": "unsupported", "b.csv": "unsupported", "c.txt": "ok"}


def test_a_log_with_a_block_of_nul_bytes_is_still_text(read):
    got = read({"a.log": b"GET /\n" * 1000 + bytes(64) + b"GET /\n"})
    assert got["a.log"].status == "ok"
    assert "\0" in got.text("a.log")


@pytest.mark.parametrize(
    ("text", "delimiter", "rows"),
    [
        ("nr;name\n1;a,b\n2;c\n", ";", 2),
        ("nr,name\n1,a\n2,b\n3,c", ",", 3),
        ("nr\tname\n1\ta b\n", "\t", 1),
        ('a,b\n"two\nlines",x\n"say ""hi""",y\n', ",", 2),
        ("nr|name\n1|a\n\n", "|", 1),
        ("nr^name\n1^a, b\n2^c\n", "^", 2),
        ("nr~name~x\n1~a~\n", "~", 1),
        ("nr    name\n1     a b\n", ",", 1),
        ("single\none\ntwo\n", ",", 2),
    ],
)
def test_records_of_a_table_are_counted_without_the_header(read, text, delimiter, rows):
    item = read({"a.csv": text})["a.csv"]
    assert (item.delimiter, item.rows) == (delimiter, rows)


def test_a_field_too_long_to_count_costs_the_count_and_not_the_text(read):
    got = read({"a.csv": 'a,b\n"' + "x" * 200_000 + '",1\n'})
    assert got["a.csv"].rows is None
    assert "could not be counted" in got["a.csv"].warning
    assert len(got.text("a.csv")) > 200_000


def test_bad_json_lines_are_listed_and_kept(read):
    text = '{"a": 1}\nnot json\n\n{"n": 123456789012345678901234567890}\n{"cut": '
    got = read({"a.jsonl": text})
    assert (got["a.jsonl"].rows, got["a.jsonl"].bad_lines) == (2, (2, 5))
    assert "lines 2, 5" in got["a.jsonl"].warning
    assert got.text("a.jsonl") == text


def test_json_is_kept_as_written_and_warned_about_if_invalid(read):
    got = read({"a.json": '{"n": 9007199254740993,\n "x": 1.10}', "b.json": "{\n oops", "c.json": "[" * 100_000})
    assert "9007199254740993" in got.text("a.json")
    assert got["a.json"].warning == ""
    assert "line 2" in got["b.json"].warning
    assert "nested too deeply" in got["c.json"].warning


PAGE = """<!doctype html><html><head><title>The &amp; title</title><style>p{color:red}</style>
<script>alert('no')</script></head><body><!-- hidden --><h1>Big   <em>news</em></h1><p>One
line<br>two <b>bo</b>ld</p><ul><li>first</li><li>second</li></ul>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<pre>  keep
    this</pre><noscript>off</noscript><div>x<div>y</div>z</div></body></html>"""


def test_html_shows_its_visible_text_a_block_a_line(read):
    assert read({"a.html": PAGE}).text("a.html") == (
        "The & title\nBig news\nOne line\ntwo bold\nfirst\nsecond\na\tb\n1\t2\n  keep\n    this\nx\ny\nz"
    )


def test_html_is_known_without_its_extension_and_read_in_its_declared_encoding(read):
    page = '<html><meta charset="windows-1251"><p>Привет</p></html>'
    got = read({"page": page.encode("cp1251")})
    assert (got["page"].kind, got["page"].encoding) == ("html", "cp1251")
    assert got.text("page") == "Привет"


def test_hostile_html_is_only_text(read):
    deep = "<div>" * 4000 + "deep" + "</div>" * 4000
    got = read({"a.html": deep, "b.html": "<p>&#xD800; &#0; &lt;script&gt;", "c.html": "<script>only</script>"})
    assert got.text("a.html") == "deep"
    assert "<script>" in got.text("b.html")
    assert got["c.html"].status == "empty"


def test_a_page_that_would_take_the_parser_forever_is_shown_as_its_source(read):
    deep = "<div>" * 100_000 + "deep"
    doubling = "".join(f"<b a={at}>" for at in range(4000)) + "<p>x" * 20_000
    got = read({"deep.html": deep, "doubling.html": doubling, "list.html": "<li>item <p>text <br>" * 20_000})
    assert got.text("deep.html") == deep
    assert "shown as it is" in got["deep.html"].warning
    assert "shown as it is" in got["doubling.html"].warning
    assert got["list.html"].warning == ""
