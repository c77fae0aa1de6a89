"""Long texts in pieces, and code in coloured ones."""

from __future__ import annotations

import pytest

from rlm_core.looks.highlight import code_lines, failed_line
from rlm_core.looks.pieces import SENT_CHARS, Gap, folded, shown_output


def text_of(pieces, opened=True):
    return "".join(each if isinstance(each, str) else text_of(each.inside) * opened for each in pieces)


def gaps(pieces):
    return [each for each in pieces if isinstance(each, Gap)]


def test_a_short_text_is_shown_whole():
    assert folded("Two rooms.\n") == ("Two rooms.",)
    assert folded("") == ()
    assert folded("line\n" * 20) == (("line\n" * 20).rstrip(),)


def test_the_middle_of_a_long_text_is_folded_away_and_counted():
    text = "\n".join(f"line {number}" for number in range(500))
    head, gap, tail = folded(text)
    assert (head[:7], tail[-8:]) == ("line 0\n", "line 499")
    assert gap.words == f"{len(text) - len(head) - len(tail):,} more characters"
    assert gap.button == f"show all {len(text):,}"
    assert text_of((head, gap, tail)) == text
    head, gap = folded(text, tail=False)
    assert text_of((head, gap)) == text


def test_of_a_very_long_line_head_and_tail_are_sent_and_the_rest_is_counted():
    pieces = folded("x" * 1_000_000)
    assert len(text_of(pieces)) <= SENT_CHARS + 3_000
    (gap,) = gaps(pieces)
    (unsent,) = gaps(gap.inside)
    assert unsent.hatched
    assert int(unsent.words.split()[0].replace(",", "")) == 1_000_000 - len(text_of(pieces))


def test_what_a_model_was_not_shown_of_an_output_is_marked_where_it_is():
    text = "a" * 400 + "b" * 300 + "c" * 200
    assert shown_output(text, 900, 1_000) == (text,)
    head, gap, tail = shown_output(text, 900, 600)
    assert (head, tail) == ("a" * 400, "c" * 200)
    assert (gap.words, gap.button, gap.hatched) == ("300 characters not shown to the model", "open all 900", True)
    assert gap.inside == ("b" * 300,)


def test_an_error_takes_its_part_of_what_a_model_is_shown():
    text = "a" * 900
    (gap,) = gaps(shown_output(text, 900, 1_000, error_chars=400))
    assert gap.words == "300 characters not shown to the model"
    (gap,) = gaps(shown_output(text, 900, 1_000, error_chars=99_999))
    assert gap.words == f"{900 - 333 - 166:,} characters not shown to the model"


def test_a_long_output_says_how_much_is_folded_away_and_how_much_was_not_shown():
    text = "x" * 1_000_000
    head, gap, tail = shown_output(text, 3_000_000, 20_000)
    assert gap.words == "2,997,200 more characters, 2,980,001 of them not shown to the model"
    assert [each.words for each in gaps(gap.inside)] == ["2,980,001 characters not shown to the model"]
    assert len(head) + len(tail) + len(text_of(gap.inside)) == 19_999


def test_what_acts_on_a_screen_is_made_visible_in_every_piece():
    pieces = shown_output("\x1b[31m\u202e" * 5_000, 30_000, 900)
    assert not {"\x1b", "\u202e"}.intersection(text_of(pieces))


def test_code_is_cut_into_lines_of_coloured_pieces():
    lines = code_lines('for r in llm_query(x):  # hi\n\n    print("a", """b\nc""")\n')
    assert lines[0] == (
        ("k", "for"),
        ("", " r "),
        ("k", "in"),
        ("", " "),
        ("f", "llm_query"),
        ("", "(x):  "),
        ("c", "# hi"),
    )
    assert lines[1] == ()
    assert lines[3] == (("s", 'c"""'), ("", ")"))


@pytest.mark.parametrize(
    "code", ["", "\n", "((((\n'''", "\t\x1b\u202e\r\nx = '\u2028'", "ä = 1\n" * 9_000, "x" * 90_000]
)
def test_any_code_comes_back_as_it_was_but_for_what_acts(code):
    lines = code_lines(code)
    text = "\n".join("".join(said for _, said in line) for line in lines)
    assert not {"\x1b", "\u202e", "\r"}.intersection(text)
    assert len(text) <= 20_000
    if code.isascii() and len(code) < 20_000 and "\x1b" not in code:
        assert text == code.rstrip("\n")


def test_the_line_of_a_cell_that_failed_is_the_last_one_of_its_own_in_the_traceback():
    trace = "Traceback:\n  cell 3, line 2\n    f()\n  cell 3, line 9, in f\n  cell 1, line 4, in g\nNameError"
    assert failed_line(trace, 3) == 9
    assert failed_line(trace, 1) == 4
    assert failed_line(trace, 2) is None
    assert failed_line('  File "<cell>", line 7\n', 2) == 7
    assert failed_line("The cell was interrupted.", 2) is None
