"""A window of lines in a document of any size, and words looked for in it."""

from __future__ import annotations

import tracemalloc

import pytest

from rlm_core.corpus.corpus import Corpus, CorpusWriter, Document
from rlm_core.corpus.report import IngestReport
from rlm_core.evidence.windows import (
    MAX_LINE_CHARS,
    Hits,
    Line,
    Window,
    characters,
    find,
    lines_at,
    window_at_char,
    window_at_line,
)

MB = 1 << 20


@pytest.fixture
def document_of(tmp_path):
    """A corpus in which the document lies between two others."""

    def make(text: str) -> tuple[Corpus, Document]:
        (tmp_path / "new").mkdir()
        writer = CorpusWriter(tmp_path / "new")
        for path, content in (("a.txt", "before: ä€😀\n"), ("doc.txt", text), ("z.txt", "behind\nit")):
            writer.add(path, "text", content)
        corpus = writer.finish("test", tmp_path, IngestReport(()))
        return corpus, corpus.find("doc.txt")

    return make


def texts(window: Window) -> list[str]:
    return [line.text for line in window.lines]


def test_lines_around_a_line_have_their_numbers_and_offsets(document_of):
    corpus, document = document_of("".join(f"line {number}\n" for number in range(1, 101)))
    window = window_at_line(corpus, document, 50, around=2)
    assert texts(window) == [f"line {number}" for number in range(48, 53)]
    assert [line.number for line in window.lines] == [48, 49, 50, 51, 52]
    assert (window.line, window.total_lines, window.total_chars) == (50, 100, document.chars)
    text = corpus.text(document.index)
    assert all(text[line.start :].startswith(f"{line.text}\n") for line in window.lines)


@pytest.mark.parametrize(("asked", "got"), [(-3, 1), (0, 1), (1, 1), (3, 3), (4, 3), (10**12, 3)])
def test_a_line_that_is_not_there_is_the_next_that_is(document_of, asked, got):
    window = window_at_line(*document_of("one\ntwo\nthree"), asked)
    assert window.line == got
    assert texts(window) == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("one", ["one"]),
        ("one\n", ["one"]),
        ("one\n\n", ["one", ""]),
        ("\none", ["", "one"]),
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("one\r\n\r\ntwo", ["one", "", "two"]),
        ("one\rstill one\ntwo\r", ["one\rstill one", "two\r"]),
        ("ä\n€\n😀", ["ä", "€", "😀"]),
    ],
)
def test_lines_end_as_the_document_counts_them(document_of, text, lines):
    corpus, document = document_of(text)
    window = window_at_line(corpus, document, 1)
    assert texts(window) == lines
    assert len(lines) == document.lines == window.total_lines
    if lines:
        assert all(window_at_char(corpus, document, at) for at in range(-1, len(text) + 2))
        assert window_at_char(corpus, document, len(text) + 9).line == len(lines)


def test_characters_are_found_behind_characters_of_many_bytes_and_line_ends_of_two(document_of):
    text = "".join(f"😀 Zeile {number} ä€\r\n" for number in range(300)) + "here: “größer” than\nbefore"
    corpus, document = document_of(text)
    start = text.index("“größer”")
    window = window_at_char(corpus, document, start, around=3)
    line = next(each for each in window.lines if each.number == window.line)
    first, last = line.part(start, start + 8)
    assert line.text[first:last] == "“größer”"
    assert line.number == 301
    assert [each.text for each in window.lines][-1] == "before"
    assert all(text[each.start :].startswith(each.text) for each in window.lines)


def test_every_character_is_shown_in_its_line_wherever_blocks_are_cut(document_of):
    text = "".join(chr(0x1F600 + number % 60) + ("ä" if number % 7 else "\n") for number in range(200_000))
    corpus, document = document_of(text)
    for char in [*range(0, len(text), 39_989), len(text) - 1]:
        window = window_at_char(corpus, document, char, around=1)
        line = next(each for each in window.lines if each.number == window.line)
        assert window.line == text.count("\n", 0, char) + 1
        assert text[char] == "\n" or line.text[char - line.start] == text[char]


def test_a_quote_over_several_lines_has_a_part_in_each(document_of):
    text = "first line\nsecond line\nthird line\n"
    start, end = text.index("line"), text.index("third") + 5
    window = window_at_char(*document_of(text), start)
    assert [line.part(start, end) for line in window.lines] == [(6, 10), (0, 11), (0, 5)]
    assert window.lines[2].part(0, 3) is None


@pytest.mark.parametrize("letter", ["x", "ä", "😀"])
def test_a_line_of_a_megabyte_is_cut_around_the_quote_and_says_how_much_is_missing(document_of, letter):
    long = letter * 500_000 + " the quote " + letter * 500_000
    text = f"before\n{long}\nbehind\n"
    corpus, document = document_of(text)
    start = text.index("the quote")
    window = window_at_char(corpus, document, start)
    line = window.lines[1]
    first, last = line.part(start, start + 9)
    assert line.text[first:last] == "the quote"
    assert len(line.text) == MAX_LINE_CHARS
    assert line.missing_before + len(line.text) + line.missing_after == len(long) == line.chars
    assert text[line.start :].startswith(line.text)
    assert line.begin == len("before\n")
    assert texts(window)[2] == "behind"
    assert window.lines[2].start == text.index("behind")


def test_a_long_line_without_the_quote_shows_its_head(document_of):
    text = f"the quote\n{'ä' * 3_000}\r\nend"
    line = window_at_char(*document_of(text), 0).lines[1]
    assert line == Line(2, 10, "ä" * MAX_LINE_CHARS, 0, 2_000)


def test_a_window_in_fifty_megabytes_takes_little_memory(document_of):
    filling = "größer als ein Tee " * 15
    corpus, document = document_of("".join(f"{number:08} {filling}Kaffee\n" for number in range(180_000)))
    assert document.bytes > 50 * MB
    tracemalloc.start()
    by_line = window_at_line(corpus, document, 150_000)
    by_char = window_at_char(corpus, document, by_line.lines[60].start)
    hits = find(corpus, document, "KAFFEE", 179_999, timeout_s=60)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert by_line == by_char
    assert by_line.lines[60].text == f"00149999 {filling}Kaffee"
    assert (hits.count, hits.number) == (180_000, 179_999)
    assert window_at_char(corpus, document, hits.start).line == 179_999
    assert peak < 10 * MB


@pytest.mark.parametrize(
    ("text", "words", "number", "hits"),
    [
        ("Leak, leak, LEAK", "leak", 1, (3, 1, "Leak")),
        ("Leak, leak, LEAK", "lEAk", 3, (3, 3, "LEAK")),
        ("Leak, leak, LEAK", "leak", 9, (3, 3, "LEAK")),
        ("aaaa", "aa", 2, (2, 2, "aa")),
        ("a.b axb", "a.b", 1, (1, 1, "a.b")),
        ("ΟΔΟΣ, οδος", "οδος", 1, (2, 1, "ΟΔΟΣ")),
        ("İstanbul ISTANBUL", "istanbul", 2, (2, 2, "ISTANBUL")),
        ("two\nlines", "two lines", 1, (0, 0, "")),
        ("", "leak", 1, (0, 0, "")),
        ("leak", "", 1, (0, 0, "")),
    ],
)
def test_words_are_found_whatever_their_case_and_counted(document_of, text, words, number, hits):
    found = find(*document_of(text), words, number)
    assert (found.count, found.number, text[found.start : found.end]) == hits
    assert found.complete


@pytest.mark.parametrize("padding", ["x", "ä", "😀"])
def test_words_that_lie_across_the_blocks_that_are_read_are_found_once(document_of, padding):
    for shift in range(0, 12, 3):
        text = padding * ((1 << 18) // len(padding.encode()) - shift) + "the quote " + padding * 10 + "the quote"
        corpus, document = document_of(text)
        for number, at in ((1, text.index("the quote")), (2, text.rindex("the quote"))):
            found = find(corpus, document, "the quote", number)
            assert (found.count, found.start) == (2, at)


def test_a_search_that_runs_out_of_time_says_so(document_of):
    assert find(*document_of("leak\n" * 100), "leak", timeout_s=0) == Hits(complete=False)


@pytest.mark.parametrize("letter", ["a", "ä", "€", "🦜"])
def test_the_lines_of_many_characters_are_found_in_one_pass(document_of, letter):
    text = "".join(f"{letter * (number % 7)}{number}\n" for number in range(3_000))
    corpus, document = document_of(text)
    chars = [0, 1, 1, 500, 501, 9_000, len(text) - 1, len(text)]
    expected = [text.count("\n", 0, char) + 1 for char in chars]
    assert lines_at(corpus, document, chars) == expected


def test_characters_are_cut_out_of_a_document_of_any_letters(corpus_of):
    text = "ab" + "ä€😀\n" * 200_000
    corpus = corpus_of({"a.txt": "other", "b.txt": text})
    for start, end in ((0, 3), (5, 5), (700_000, 700_009), (len(text) - 2, len(text) + 5)):
        assert characters(corpus, corpus.find("b.txt"), start, end) == text[start:end]
