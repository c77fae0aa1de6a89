from rlm_core.plain import plain, plain_line


def test_ordinary_text_stays_as_it_is():
    text = "Ü 漢字 🙂 e\u0301\tcolumn\nnext line, zero\u200dwidth joiner"
    assert plain(text) == text


def test_an_escape_sequence_is_shown_and_cannot_act():
    assert plain("\x1b[31mred\x1b]0;title\x07") == "␛[31mred␛]0;title␇"


def test_the_one_byte_form_of_an_escape_is_shown_too():
    assert plain("\x9b2J and \x7f") == "<U+009B>2J and ␡"


def test_an_override_of_the_writing_direction_is_shown():
    assert plain("gpj\u202eexe.\u2066") == "gpj<U+202E>exe.<U+2066>"


def test_line_ends_of_windows_are_line_ends_and_a_lone_return_is_shown():
    assert plain("one\r\ntwo\rover") == "one\ntwo␍over"


def test_half_a_surrogate_pair_becomes_the_replacement_character_so_that_it_can_be_printed():
    assert plain("a\ud800b").encode() == "a\ufffdb".encode()


def test_one_line_is_cut_with_an_ellipsis():
    assert plain_line("  two\n lines  of \x1b text", 12) == "two lines o…"
    assert plain_line("A12, B05, C13. More follows.", 15) == "A12, B05, C13…"
    assert plain_line("short", 12) == "short"
