"""Text out of RTF, which is written token by token."""

import pytest

from rlm_core.corpus.formats.rtf import read_rtf
from rlm_core.corpus.limits import Refused

FONTS = rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Times;}{\f2\fcharset128 Mincho;}{\f3\fcharset2 Symbol;}}"


def text_of(body: bytes) -> str:
    return read_rtf(rb"{\rtf1\ansi\ansicpg1252\deff0" + FONTS + body + b"}").text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"one\par two\line three\par\par four", "one\ntwo\nthree\nfour"),
        (rb"a\tab b\emdash\~c\_d \{\\\}", "a\tb—\xa0c\N{NON-BREAKING HYPHEN}d {\\}"),
        (rb"Caf\'e9 {\f1\'cf\'f0\'e8} {\f2\'93\'fa\'96\'7b} {\f3 a}", "Café При 日本 α"),
        (rb"\u8364? \uc0\u8364  \uc2\u8364\'80\'80x", "€ € €x"),
        (rb"{\u-10179?\u-8704?}{\u-10179?}", "😀\N{REPLACEMENT CHARACTER}"),
        (rb"{\upr{ansi}{\*\ud{uni\u233?}}}", "unié"),
        (rb"{\field{\*\fldinst HYPERLINK http://a}{\fldrslt link}}", "link"),
        (rb"{\pict\bin6 {{{{{{ }{\*\unknown{gone}}{\info{\title gone}}kept", "kept"),
        (rb"{\listtext 1.\tab}item", "1.\titem"),
        (rb"\headery720\footery720 text", "text"),
    ],
)
def test_text_is_what_a_reader_sees(body, text):
    assert text_of(body) == text


def test_rows_of_tables_have_tabs():
    rows = rb"\trowd\cellx1\cellx2\pard\intbl A\cell B\cell\row\trowd\intbl one\par two\cell\cell\row\pard After"
    assert text_of(rows) == "A\tB\none two\nAfter"


def test_notes_comments_and_boxes_stand_behind_their_paragraph():
    body = rb"Text{\super\chftn}{\footnote\pard {\super\chftn} a note\par} more{\*\atnauthor Ann}{\*\annotation Really?\par}"
    box = rb"{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt boxed\par}}{\shprslt boxed}} end\par Next"
    assert text_of(body + box) == "Text[1] more end\n[1] a note\nComment by Ann: Really?\nboxed\nNext"


def test_headers_follow_once():
    assert text_of(rb"{\header Top\par}{\headerl Top}{\footer 1}Body\par") == "Body\n\nHeaders:\nTop\n\nFooters:\n1"


def test_deleted_text_is_left_out_and_that_is_said():
    reading = read_rtf(rb"{\rtf1 old {\deleted gone}\deleted too\deleted0  new}")
    assert reading.text == "old  new"
    assert "2 deletions are left out" in reading.warning


@pytest.mark.parametrize(
    "body", [b"a}}}} b", b"{{{{a b", b"a \\", rb"a \bin99999999999 b", rb"\cell\row\cell a", b"\\'zz\xff a", b"}"]
)
def test_damaged_files_are_read_as_far_as_they_go(body):
    assert "a" in text_of(body) or body == b"}"


def test_what_does_not_begin_as_rtf_is_malformed():
    with pytest.raises(Refused):
        read_rtf(b"no rtf")


def test_deep_nesting_and_endless_words_take_no_long(read):
    got = read(
        {
            "a.rtf": b"{\\rtf1 " + b"{" * 300_000 + b"deep",
            "b.rtf": b"{\\rtf1 " + b"\\'e9" * 300_000 + b"\\par" * 100_000,
        }
    )
    assert got.text("a.rtf") == "deep"
    assert got["b.rtf"].chars == 300_000
    assert got["a.rtf"].kind == "rtf"
