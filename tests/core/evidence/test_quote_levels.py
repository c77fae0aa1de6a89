"""How sure a quote is: what is proven, what is only like it, what is in conflict, and what stands in several places."""

from collections import Counter

import pytest
from quoted_book import (
    NEAR_MISSES,
    backwards,
    book,
    found,
    loosely,
    reworded,
)

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.corpus.ingest import Source, ingest
from rlm_core.corpus.units import Unit, Units
from rlm_core.evidence.quotes import Place, locate
from rlm_core.evidence.sources import read_source
from rlm_core.task import PROVEN


@pytest.fixture(scope="module")
def text() -> str:
    return book(1_000_000, 1)


@pytest.fixture(scope="module")
def book_corpus(text, tmp_path_factory) -> Corpus:
    corpus, _ = ingest([Source("book.txt", text.encode())], tmp_path_factory.mktemp("book"))
    return corpus


def shown(corpus: Corpus, place: Place) -> str:
    return corpus.text(corpus.find(place.document).index)[place.start : place.end]


@pytest.mark.parametrize(
    ("change", "verdict"),
    [(None, "exact"), (loosely, "normalised"), (reworded, "fuzzy")],
    ids=lambda each: str(each)[:20],
)
def test_in_a_book_every_quote_is_found_at_its_level_and_place(book_corpus, text, change, verdict):
    for place, at, asked in found(book_corpus, text, change, 60, 7):
        assert (place.verdict, place.start) == (verdict, at), asked


@pytest.mark.parametrize("change", NEAR_MISSES)
def test_in_a_book_no_near_miss_is_proven(book_corpus, text, change):
    verdicts = Counter(place.verdict for place, _, _ in found(book_corpus, text, change, 50, 8))
    assert not set(verdicts) & PROVEN
    assert verdicts["conflict"] >= 49


def test_in_a_book_gibberish_is_not_found(book_corpus, text):
    assert {place.verdict for place, _, _ in found(book_corpus, text, backwards, 60, 9)} == {"not found"}


RECORDS = (
    "Room A12 - roof, north bay\n02 Feb 2022  Stain 20 cm, old. No action.\n19 Feb 2022  Closed, M. Ortiz.\n\n"
    "Room A13 - window, north bay\n30 Mar 2022  Handle loose, but no leak since.\n04 Apr 2022  Closed, M. Ortiz.\n\n"
    "Room A14 - ceiling\n11 May 2022  Tile refitted after cable work.\n12 May 2022  Closed, M. Ortiz.\n"
)


@pytest.mark.parametrize(
    ("source", "item", "verdict", "line"),
    [
        ("r.txt", None, "ambiguous", 3),
        ("r.txt", "Z99", "ambiguous", 3),
        (None, "A13", "exact", 7),
        ("r.txt", "room a14", "exact", 11),
        ("r.txt:7", "A14", "exact", 7),
        ("r.txt line 10", None, "exact", 11),
    ],
)
def test_of_several_places_the_line_decides_and_else_the_item(corpus_of, source, item, verdict, line):
    place = locate("Closed, M. Ortiz.", corpus_of({"r.txt": RECORDS}), source, item=item)
    assert (place.verdict, place.line) == (verdict, line)
    assert place.places == (3 if verdict == "ambiguous" else None)


def test_of_several_documents_the_one_whose_path_names_the_item_decides(corpus_of):
    corpus = corpus_of(
        {"rooms/A12.txt": "Dry since May.", "rooms/A13.txt": "Dry since May.\n", "all.txt": "Dry  since may."}
    )
    assert locate("Dry since May.", corpus, item="A13") == Place("exact", "rooms/A13.txt", 0, 14, 1)
    assert locate("Dry since May.", corpus) == Place("ambiguous", "rooms/A12.txt", 0, 14, 1, places=2)


def test_the_beginning_or_the_end_of_its_row_names_the_item(corpus_of):
    corpus = corpus_of({"t.csv": "A12,dry\nA13,still dry today\nstill dry today,A14\n"})
    assert locate("still dry today", corpus, item="A13").line == 2
    assert locate("still dry today", corpus, item="A14").line == 3


def test_the_page_of_a_source_decides(corpus_of):
    corpus = corpus_of({"r.txt": RECORDS})
    (document,) = corpus.documents
    middle = RECORDS.index("Room A13")
    units = Units("page", (Unit("1", 0, middle), Unit("2", middle, len(RECORDS))))
    paged = Corpus(corpus.folder, corpus.name, (Document(**{**_fields(document), "units": units}),))
    assert read_source("r.txt, page 2", paged).unit == units.spans[1]
    assert locate("Closed, M. Ortiz.", paged, "r.txt p. 1") == Place("exact", "r.txt", 82, 99, 3)
    assert locate("Closed, M. Ortiz.", paged, "r.txt, page 2").places == 2


def _fields(document: Document) -> dict[str, object]:
    return {name: getattr(document, name) for name in Document.__slots__}


def test_a_quote_with_parts_left_out_is_one_place_of_all_its_parts(corpus_of):
    corpus = corpus_of({"r.txt": RECORDS, "s.txt": "Handle loose. Nothing was refitted after cable work."})
    for left_out in ("...", "…", " [...] ", "(…)"):
        place = locate(f"Room A13 - window{left_out}no leak since.", corpus)
        assert (place.verdict, shown(corpus, place)) == (
            "normalised",
            "Room A13 - window, north bay\n30 Mar 2022  Handle loose, but no leak since",
        )
    assert locate("Handle loose ... after  cable work", corpus).document == "r.txt"
    assert locate("after cable work ... Room A12 - roof", corpus).verdict not in PROVEN
    assert locate("Room A13 - window ... no leaks since", corpus).verdict == "fuzzy"
    assert locate("30 Mar 2023 ... no leak since", corpus).verdict == "conflict"


def test_a_negation_that_is_left_out_is_a_conflict(corpus_of):
    corpus = corpus_of(
        {"r.txt": "The pump was certainly not replaced on Monday. It did not stop. The roof was sealed."}
    )
    assert locate("The pump was ... replaced on Monday", corpus).verdict == "conflict"
    assert locate("The pump was certainly ... The roof was sealed.", corpus).verdict == "normalised"


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        ("Joint resealed on 04 May by Hallam, no leak seen since then.", "exact"),
        ("joint re-sealed on 04 May by Hallam, no leaks seen since then", "fuzzy"),
        ("Joint resealed on 05 May by Hallam, no leak seen since then.", "conflict"),
        ("Joint resealed on 04 June by Hallam, no leak seen since then.", "conflict"),
        ("Joint resealed on 04 May by Hallan, no leak seen since then.", "conflict"),
        ("Joint resealed on 04 May by Hallam, new leak seen since then.", "conflict"),
        ("Joint resealed on 04 May by Hallam, leak seen since then.", "conflict"),
        ("Joint unsealed on 04 May by Hallam, no leak seen since then.", "conflict"),
        ("Order 22-0319 for the roof, 12 m long, was quite usual", "conflict"),
        ("Order 22-0318 for the roof, 12 cm long, was quite usual", "conflict"),
        ("Order 22-0318 for the roof, 12 m long, was quite unusual", "conflict"),
        ("Order 22-0318 for a roof, 12 m long, was quite usual", "fuzzy"),
        ("Das Dach ist am 3. Mai kein dichtes Dach gewesen", "conflict"),
        ("Le toit n'est pas resté étanche tout le mois", "conflict"),
        ("Il n'y a aucune fuite au toit depuis le printemps", "conflict"),
    ],
)
def test_a_near_place_is_in_conflict_where_a_word_that_decides_differs(corpus_of, quote, verdict):
    corpus = corpus_of(
        {
            "a.txt": "Joint resealed on 04 May by Hallam, no leak seen since then. Order 22-0318 for the roof, 12 m long, was "
            "quite usual. Das Dach ist am 3. Mai ein dichtes Dach gewesen. Le toit est resté étanche tout le mois. "
            "Il y a une fuite au toit depuis le printemps."
        }
    )
    place = locate(quote, corpus, "a.txt")
    assert place.verdict == verdict
    assert (place.score is not None) == (verdict != "exact")


def test_the_place_of_a_near_quote_begins_and_ends_with_its_words(corpus_of):
    corpus = corpus_of({"a.txt": "Before this. The old pump was not replaced by any of us in May. And then more."})
    for quote in (
        "The old pump was replaced by any of us in May.",
        "the very old pumps were not replaced by any of us in May",
    ):
        assert shown(corpus, locate(quote, corpus)).rstrip(".") == "The old pump was not replaced by any of us in May"


def test_a_long_quote_with_changes_is_found_by_its_pieces(corpus_of):
    text = book(60_000, 3)
    start = text.index(". ", 30_000) + 2
    quote = text[start : start + 9_000].rsplit(" ", 1)[0].replace(" ba", " bax").replace(" ce", " cex")
    place = locate(quote, corpus_of({"a.txt": text}))
    assert (place.verdict, place.start) == ("fuzzy", start)
    assert abs(place.end - start - 9_000) < 300


def test_of_places_that_are_alike_the_one_that_the_item_names_is_shown(corpus_of):
    records = "".join(f"Room B{n:02}: the flashing was renewed, the joint was sealed well.\n\n" for n in range(40))
    corpus = corpus_of({"r.txt": records})
    place = locate("the flashing was renewed and the joints sealed well", corpus, "r.txt", item="B23")
    assert (place.verdict, place.line) == ("fuzzy", 47)
    assert locate("the flashing was renewed and the joints sealed well", corpus, "r.txt:31").line in (1, 31)


@pytest.mark.parametrize(
    "made",
    ["word ", "1 ", "a", "word ... ", "not no ", "A12 word more\n", "e\u0301\u0316 "],
    ids=lambda made: made.strip()[:9],
)
def test_documents_and_quotes_made_to_slow_down_a_search_do_not(corpus_of, made):
    corpus = corpus_of({"d.txt": (made * 300_000)[:300_000]})
    for quote in (
        "word " * 19_000,
        "word not " * 2_100,
        "x" * 99_999,
        "e\u0301" * 5_000 + " a",
        "\0a\0 \ud800",
        "word ... words ... word",
    ):
        assert locate(quote, corpus, "d.txt", item="A12").verdict not in PROVEN, quote[:20]
