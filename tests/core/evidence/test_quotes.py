"""Where a quote is found, how surely, and how models' ways of naming a source are understood."""

import random

import pytest

from rlm_core.corpus.corpus import Corpus
from rlm_core.evidence import fields, quotes
from rlm_core.evidence.normal import Normal
from rlm_core.evidence.quotes import Place, locate
from rlm_core.evidence.sources import document_at, read_source

FILES = {
    "notes/a.txt": "The interna-\ntional  agreement\r\nwas “signed”\u00a0– finally.\n"
    "A ﬁnal well-\nknown cafe\u0301.\n15 units, then 5 units.\n",
    "notes/b.md": "hello\nhello\nhello there, 12 apples\n",
    "c.log": "ä€😀 Error: disk full\nall well\nError: disk full again\n",
}


@pytest.fixture
def corpus(corpus_of):
    return corpus_of(FILES)


def shown(corpus: Corpus, place: Place) -> str:
    """The original text at a place."""
    assert place.document is not None
    return corpus.text(corpus.find(place.document).index)[place.start : place.end]


def test_the_very_words_are_exact_with_offsets_and_line_in_the_document(corpus):
    place = locate("Error: disk full again", corpus)
    assert place == Place("exact", "c.log", 30, 52, 3)
    assert shown(corpus, place) == "Error: disk full again"


@pytest.mark.parametrize(
    ("quote", "original"),
    [
        ("the international agreement", "The interna-\ntional  agreement"),
        ('agreement was "signed" - finally', "agreement\r\nwas “signed”\u00a0– finally"),
        ("a final well-known café", "A ﬁnal well-\nknown cafe\u0301"),
        ("ERROR:   DISK\nFULL AGAIN", "Error: disk full again"),
        ("“hello there, 12 apples”", "hello there, 12 apples"),
        ("… all well ...", "all well"),
        ("disk\u00ad full\u200b again", "disk full again"),
        (" all well\n", "all well"),
    ],
)
def test_spacing_case_and_typography_are_normalised_and_mapped_back(corpus, quote, original):
    for source in (None, "a.txt", "c.log:1"):
        place = locate(quote, corpus, source)
        assert place.verdict == "normalised"
        assert shown(corpus, place) == original


def test_what_stands_nowhere_and_is_like_nothing_is_not_found(corpus):
    for quote in ("goodbye, 13 pears", "was not signed", "\ud800 broken", "all good Error"):
        assert locate(quote, corpus) == Place("not found"), quote


@pytest.mark.parametrize("quote", [None, "", "  \n"])
def test_nothing_quoted_is_no_quote(corpus, quote):
    assert locate(quote, corpus, "c.log") == Place("no quote")


def test_a_quote_does_not_reach_from_one_document_into_the_next(corpus_of):
    corpus = corpus_of({"a.txt": "ends here", "b.txt": "starts there"})
    assert locate("ends here\nstarts there", corpus).verdict == "not found"
    assert locate("HERE STARTS", corpus).verdict == "not found"


def test_a_number_is_not_found_inside_a_longer_one(corpus):
    assert locate("5 units", corpus).start == FILES["notes/a.txt"].rindex("5 units")
    assert locate("2 apples", corpus).verdict == "conflict"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            "The committee met in the town hall of Bonn on 2024-05-17 at noon.",
            "met in the town hall of Bonn on 2024-05-1",
        ),
        ("There were 15 units delivered to the depot.", "5 units delivered to the depot"),
        ("It was -5 degrees in the hall that morning.", "5 degrees in the hall that morning"),
        ("They paid a total of 1,500 for the roof.", "They paid a total of 1"),
        ("The bird was unable to fly in winter.", "able to fly in winter"),
        ("He says that the roof wasn't sealed.", "He says that the roof was"),
    ],
)
def test_a_quote_that_cuts_a_number_or_a_negation_is_not_proven(corpus_of, text, quote):
    assert locate(quote, corpus_of({"a.txt": text})).verdict == "conflict"


def test_a_very_short_quote_needs_whole_words_in_the_document_named(corpus):
    assert locate("12", corpus).verdict == "not found"
    assert locate("12", corpus, "b.md").verdict == "exact"
    assert locate("1", corpus, "b.md").verdict == "not found"
    assert locate("12", corpus, "c.log").verdict == "not found"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("b.md:1", 1),
        ("b.md:2", 2),
        ("notes/b.md:3", 3),
        ("b.md lines 2-3", 2),
        ("b.md, line 3", 3),
        ("notes/b.md#L3", 3),
        ("[notes/b.md] (line 2)", 2),
        ("`b.md` L2", 2),
        ("Document: b, lines 3 to 3", 3),
        ("context[1] line 3", 3),
        ("b.md:900", 3),
    ],
)
def test_the_source_names_the_document_and_the_nearest_line(corpus, source, line):
    assert locate("hello", corpus, source) == Place("exact", "notes/b.md", (line - 1) * 6, (line - 1) * 6 + 5, line)


def test_a_source_that_means_nothing_decides_nothing(corpus):
    for source in ("", "somewhere", "page 7", ":", "x" * 10_000, "line 5", "context[99]"):
        assert locate("hello", corpus, source) == Place("ambiguous", "notes/b.md", 0, 5, 1, places=3)
        assert read_source(source, corpus).document is None


def test_a_wrong_source_does_not_hide_a_quote(corpus):
    assert locate("Error: disk full again", corpus, "b.md").document == "c.log"
    assert locate("error: DISK full again", corpus, "b.md:1").document == "c.log"


def test_the_document_named_is_preferred_even_if_the_words_stand_elsewhere_exactly(corpus_of):
    corpus = corpus_of({"a.txt": "Disk   Full today", "b.txt": "disk full today"})
    assert locate("disk full today", corpus, "a.txt") == Place("normalised", "a.txt", 0, 17, 1)
    assert locate("disk full today", corpus).document == "b.txt"


def test_any_passage_is_found_again_where_it_stands(corpus_of):
    chance = random.Random(3)
    alphabet = "aB é\u0301ﬁ“”’–\u00a0\n\n- ß€İ漢😀\u00ad\r\t5.x"
    text = "".join(chance.choices(alphabet, k=4000))
    corpus = corpus_of({"a.txt": text, "b.txt": "nothing"})
    for _ in range(300):
        start = chance.randrange(3900)
        quote = text[start : start + 60]
        place = locate(quote, corpus, "a.txt")
        assert place.verdict in ("exact", "conflict"), quote  # in conflict where a number is cut
        loose = " ".join(quote.upper().split()).replace("–", "-").replace("’", "'")
        place = locate(loose, corpus)
        if place.verdict == "normalised":  # a cut combining mark or hyphen at the edge reads differently
            assert Normal(shown(corpus, place)).text.strip().startswith(Normal(loose).text.strip()[:1])


def test_every_span_of_a_normal_form_maps_back_to_what_it_was_made_of():
    original = "İ ﬁx  co\u00ad\noperate “x”…\r\n\r\ncafe\u0301 a-\n b\u200bc"
    normal = Normal(original)
    assert normal.text == 'i fix cooperate "x"... café abc'
    for start in range(len(normal.text)):
        for end in range(start + 1, len(normal.text) + 1):
            first, last = normal.original_span(start, end)
            assert normal.text[start:end] in Normal(original[first:last]).text


def test_a_large_corpus_is_searched_near_the_words_of_the_quote(corpus_of):
    filler = "GET /index.html 200 nothing to see here\n"
    big = filler * 120_000 + "Grüße: the Payment  was\nREFUSED by “Bank” 7 times\n" + filler * 100_000
    corpus = corpus_of({"a.log": "a small one", "big.log": big, "c.txt": "last"})
    assert corpus.chars > fields.WHOLE_CHARS
    for source in (None, "big.log"):
        place = locate('the payment was refused by "bank" 7 times', corpus, source)
        assert (place.verdict, place.document, place.line) == ("normalised", "big.log", 120_001)
        assert shown(corpus, place) == "the Payment  was\nREFUSED by “Bank” 7 times"
    for source, line, verdict in (
        ("big.log", 1, "ambiguous"),
        ("big.log:120500", 120_500, "exact"),
        (None, 1, "ambiguous"),
    ):
        place = locate("nothing to see here\nGET /index.html", corpus, source)
        assert (place.verdict, place.line) == (verdict, line)
    near = locate("the payment was refused by the bank 7 times", corpus)
    assert (near.verdict, shown(corpus, near)) == ("fuzzy", "the Payment  was\nREFUSED by “Bank” 7 times")
    assert locate("the payment was refused by the bank 8 times", corpus).verdict == "conflict"


def test_a_search_that_is_given_up_says_so_and_not_that_nothing_is_there(corpus, corpus_of):
    assert locate("Error: disk full again", corpus, timeout_s=-1) == Place("not looked for")
    assert locate("x" * (quotes.MAX_QUOTE_CHARS + 1), corpus) == Place("not looked for")
    numbers = corpus_of({"a.txt": "1" * 1_000_000})
    for source in (None, "a.txt"):
        assert locate("1" * 30, numbers, source) == Place("not looked for")


def test_a_document_of_nothing_but_edits_costs_itself_and_not_what_is_found_elsewhere(corpus_of):
    corpus = corpus_of({"odd.txt": "ﬁ" * 2_200_000, "b.txt": "The  words are HERE"})
    assert locate("the words are here", corpus, timeout_s=100).document == "b.txt"
    assert locate("others stand nowhere", corpus, timeout_s=100) == Place("not looked for")


def test_letters_under_heaps_of_marks_are_composed_as_far_as_any_language_goes(corpus_of):
    heap = "a" + "\u0301\u0316" * 60_000
    corpus = corpus_of({"a.txt": f"{heap} cafe\u0301 then"})
    assert locate("absent words", corpus) == Place("not found")
    assert shown(corpus, locate("CAFÉ then", corpus)) == "cafe\u0301 then"
    assert len(Normal(heap).text) == len(heap) - 1


def test_texts_made_to_slow_down_a_search_do_not(corpus_of):
    corpus = corpus_of({"a.txt": "a" * 9_000_000, "b.txt": "1\n" * 500_000, "c.txt": "-" * 1_000_000})
    assert locate("a" * 20_000 + "b", corpus) == Place("not found")
    assert locate("a" * 20_000 + "b" + "a" * 20_000, corpus, "a.txt:2") == Place("not found")
    assert locate("1", corpus, "b.txt:499000").line == 499_000
    assert locate("-" * 3000 + "1", corpus, "c.txt") == Place("not found")


def test_words_that_stand_everywhere_are_looked_at_in_windows_that_do_not_overlap(corpus_of):
    corpus = corpus_of({"a.txt": "alphabet betagamma zetaetas " * 300_000 + "BETAGAMMA  alphabet the end"})
    assert corpus.chars > fields.WHOLE_CHARS
    for number in range(3):
        assert locate("alphabet zetaetas betagamma " * 1500 + str(number), corpus) == Place("not looked for")
    assert (
        shown(corpus, locate("zetaetas betagamma alphabet the end", corpus)) == "zetaetas BETAGAMMA  alphabet the end"
    )
    assert locate("Alphabet  betagamma zetaetas", corpus) == Place("ambiguous", "a.txt", 0, 27, 1, places=5000)
    near = locate("betagamma alphabet the ending", corpus)
    assert (near.verdict, shown(corpus, near)) == ("fuzzy", "BETAGAMMA  alphabet the end")


def test_windows_hold_all_that_stands_around_every_place(corpus_of):
    corpus = corpus_of({"a.txt": "ä" * 3_000_000, "b.txt": "word " * 1_000_000})
    chance = random.Random(2)
    places = sorted(chance.randrange(len(corpus.data)) for _ in range(2000))
    windows = list(fields.windows(places, 300, corpus))
    assert sum(last - first for first, last in windows) < len(corpus.data) * 1.01
    for at in places:
        document = document_at(corpus, at)
        start, end = document.start, document.start + document.bytes
        assert any(first <= max(start, at - 298) and min(end, at + 300) <= last for first, last in windows)
