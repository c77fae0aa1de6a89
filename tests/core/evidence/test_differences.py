"""The word diff between a quote and the place that is like it."""

import pytest

from rlm_core.evidence.deciding import decides, negates
from rlm_core.evidence.differences import Part, difference


def test_words_on_one_side_only_are_told_with_how_many_agree():
    found = difference("Joint resealed 04 May, no leak since.", "Joint  resealed 04 May, new leak\nsince.")
    assert found.parts == (
        Part("same", "Joint resealed 04 May, ", "Joint  resealed 04 May, "),
        Part("only in quote", "no ", ""),
        Part("only in source", "", "new "),
        Part("same", "leak since.", "leak\nsince."),
    )
    assert (found.agreeing, found.words) == (6, 7)


def test_case_spacing_and_typography_make_no_difference():
    found = difference("the “ﬁnal” agree-\nment – it’s DONE", 'The "final"  agreement - it\'s done')
    assert [part.kind for part in found.parts] == ["same"]
    assert found.agreeing == found.words == 5


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("a b c", ""),
        ("", "a b"),
        ("", ""),
        ("a b", "b a"),
        ("漢字 不好", "漢字 很好"),
        ("-5 %", "5 %"),
        ("... ,", "a"),
        ("x\ud800 y", "\0 y"),
    ],
)
def test_the_parts_of_each_side_make_up_its_whole_text(quote, source):
    parts = difference(quote, source).parts
    assert "".join(part.quote for part in parts) in (quote, "")
    assert "".join(part.source for part in parts) in (source, "")


def test_numbers_signs_and_ideographs_are_words_of_their_own():
    assert difference("at -5 % of 1,500.25 kg", "at 5 % of 1,500.20 kg").agreeing == 4
    assert difference("漢字不好", "漢字好").agreeing == 3


DECIDING = ["5", "1,500", "22-0318", "Ortiz", "iPhone", "A12", "a_b", "no", "Not", "don't", "isn’t", "kg", "%", "three"]


@pytest.mark.parametrize("word", [*DECIDING, "März", "mai", "n'est"])
def test_numbers_names_units_and_negations_decide(word):
    assert decides(word)


@pytest.mark.parametrize("word", ["the", "The", "quite", "leaks", "refitted", "Der", "Une", "well-known", "however"])
def test_other_words_do_not_decide(word):
    assert not decides(word)


def test_a_negation_is_heard_in_several_languages():
    for text in ("it does not", "it isn't", "es ist nicht", "ce n'est pas", "sin duda", "不好"):
        assert negates(text), text
    assert not negates("it is a note, nothingness and knots aside")


def test_texts_of_any_size_and_making_are_compared_in_bounded_time():
    for text in (
        "a" * 1_000_000,
        "a b " * 250_000,
        "a\u0301" * 200_000,
        "\0" * 100_000,
        "-1" * 200_000,
        "a.b" * 100_000,
    ):
        assert difference(text, text[1:]).words <= 10_000
        assert difference(text, "other words").words <= 10_000
