"""Which passages a text quotes, and where they begin in it."""

import pytest

from rlm_core.evidence.quoted import MAX_PASSAGE_CHARS, MAX_PASSAGES, Quoted, quotes_in

WORDS = "the pump was replaced on Monday"


@pytest.mark.parametrize(
    "marked",
    ["“{}”", '"{}"', "„{}“", "„{}”", "”{}”", "«{}»", "« {} »", "»{}«", "「{}」", "> {}", '{{"quote": "{}"}}'],
)
def test_a_passage_in_the_marks_of_several_languages_is_found_where_it_begins(marked):
    text = f"He wrote:\n{marked.format(WORDS)}\nand went away."
    assert quotes_in(text) == [Quoted(text.index(WORDS), WORDS)]


@pytest.mark.parametrize(
    ("behind", "source"),
    [
        (" (notes.txt, line 3).", "notes.txt, line 3"),
        (" [notes.txt]", "notes.txt"),
        (" | notes.txt:3 |", "notes.txt:3"),
        (" — notes.txt", "notes.txt"),
        (" is what it says.", None),
    ],
)
def test_what_stands_behind_a_passage_is_its_source(behind, source):
    assert quotes_in(f'A12: "{WORDS}"{behind}') == [Quoted(6, WORDS, source)]


def test_a_block_quote_is_one_passage_with_what_is_named_below_it():
    text = "As the minutes say:\n\n> The committee met\n> in Bonn.\n> — minutes.pdf, page 3\n\nSo it did."
    assert quotes_in(text) == [
        Quoted(text.index("The committee"), "The committee met\nin Bonn.", "minutes.pdf, page 3")
    ]


def test_fields_of_json_are_read_with_their_escapes_and_the_source_of_their_object():
    text = r'[{"item": "A12", "quote": "He said \"no leak\" since.", "file": "a.txt", "line": 12, "note": "by all who were"}]'
    assert quotes_in(text) == [Quoted(text.index("He said"), 'He said "no leak" since.', "a.txt:12")]


def test_a_list_in_json_gives_all_its_passages():
    text = '{"evidence": ["the first of the passages", "no", "the second of the passages"], "source": "b.txt"}'
    assert [(each.text, each.source) for each in quotes_in(text)] == [
        ("the first of the passages", "b.txt"),
        ("the second of the passages", "b.txt"),
    ]


def test_of_passages_within_passages_the_outermost_counts():
    text = 'It says „he called it "a very good roof" in May“ there.'
    assert [each.text for each in quotes_in(text)] == ['he called it "a very good roof" in May']


def test_what_is_short_or_only_looks_like_a_quote_is_left_out():
    for text in (
        'the "best" of 5" and 7" pipes, which are "good enough"',
        '{"note": "these are words of the model itself", "label of four words": 1}',
        ">>> print(this, is, python)",
        'an open mark "and then a paragraph\n\nthat has another" one',
        f'"{"word " * MAX_PASSAGE_CHARS}"',
        "",
    ):
        assert quotes_in(text) == [], text[:80]


def test_of_very_many_passages_the_first_are_given_in_order():
    found = quotes_in(f'“{WORDS}” "{WORDS}" ' * 100_000)
    assert len(found) == MAX_PASSAGES
    assert [each.at for each in found] == sorted(each.at for each in found)


@pytest.mark.parametrize(
    "made",
    ["“", '"', '"a ', '"quote": "', '"quote": ["ab ', "> ", "„ a b ", '"a_', '{"quote": "aa', "\\", "\n ", '"' + "\n "],
)
def test_texts_made_to_slow_down_the_reading_do_not(made):
    text = (made * 300_000)[:300_000]
    assert quotes_in(text) == []
    assert quotes_in(f"“{WORDS}”\n\n{text}")[0].text == WORDS
