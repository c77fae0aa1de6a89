"""Passages are found by BM25: the right ones, at their exact places, whatever the query holds."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from math import log
from pathlib import Path

import pytest

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source, ingest
from rlm_core.corpus.search import INDEX_NAME, K1, SNIPPET_BYTES, B, Hit, search, snippets

PUMPS = {
    "april.txt": "Pump B-204 was repaired on Monday.\n\nThe gasket of the cooling line leaks since then.\n",
    "may.txt": "Nothing to report.\n" * 300
    + "The pumps were repairing themselves, said Müller.\n"
    + "All quiet.\n" * 300,
    "notes/東京.txt": "東京の配管が漏れている。水は地下に達した。\n",
    "empty.txt": "",
}


def corpus_of(folder: Path, documents: dict[str, str]) -> Corpus:
    corpus, _ = ingest([Source(name, text.encode()) for name, text in documents.items()], folder / "corpora")
    assert corpus is not None
    return corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path, PUMPS)


def document_text(corpus: Corpus, hit: Hit) -> str:
    found = corpus.find(hit.path)
    assert found is not None
    return corpus.text(found.index)


def test_a_passage_is_found_by_its_words_at_its_place(corpus: Corpus) -> None:
    best = search(corpus, "leaking gasket")[0]
    assert best.path == "april.txt"
    assert document_text(corpus, best)[best.start : best.end] == best.text
    assert "gasket of the cooling line" in best.text


@pytest.mark.parametrize(
    ("query", "path"),
    [("REPAIR pump", "april.txt"), ("muller", "may.txt"), ("漏れ", "notes/東京.txt"), ("地下", "notes/東京.txt")],
)
def test_stems_accents_and_ideographs_are_found(corpus: Corpus, query: str, path: str) -> None:
    assert search(corpus, query)[0].path == path


def test_a_long_document_gives_the_passage_and_not_the_whole(corpus: Corpus) -> None:
    hit = next(hit for hit in search(corpus, "Müller") if hit.path == "may.txt")
    assert len(hit.text.encode()) <= SNIPPET_BYTES
    assert document_text(corpus, hit)[hit.start : hit.end] == hit.text


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "the of and",
        '"',
        "AND OR NOT NEAR(",
        "text:*",
        "'; DROP TABLE terms; --",
        "\0\0",
        "\ud800",
        "*" * 100_000,
        "pump " * 100_000,
        "(" * 5_000,
        "\u202e\u200b",
        "%s {0} $question",
        "x" * 50_000,
    ],
)
def test_no_query_raises_or_means_anything_but_its_words(corpus: Corpus, query: str) -> None:
    hits = search(corpus, query)
    assert bool(hits) == ("pump " in query)


@pytest.mark.parametrize(("k", "found"), [(-1, 0), (0, 0), (1, 1), (10_000, 3)])
def test_k_is_taken_as_far_as_there_is_something(corpus: Corpus, k: int, found: int) -> None:
    assert len(search(corpus, "pump gasket 東", k)) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        "word " * 5_000,
        "x" * 10_000,
        "é" * 10_000,
        "𝄞" * 3_000 + "\n",
        "short\n" * 3_000,
        ("a sentence. " * 30 + "\n\n") * 40,
        "\n" * 5_000,
        "a\r\nb\r\n" * 2_000,
        ("é" * 1_023 + "\n") * 5,
    ],
)
def test_snippets_cover_a_document_without_gaps_and_stay_small(text: str) -> None:
    found = list(snippets(text))
    assert "".join(text[start:end] for start, end in found) == text
    assert all(0 < len(text[start:end].encode()) <= SNIPPET_BYTES for start, end in found)


def test_snippets_end_at_a_paragraph_where_one_is_near() -> None:
    text = ("a sentence. " * 30 + "\n\n") * 40
    assert all(text[start:end].endswith("\n\n") for start, end in snippets(text))


def test_the_scores_are_those_of_bm25_with_the_papers_constants(tmp_path: Path) -> None:
    texts = {f"{name}.txt": text for name, text in zip("abcd", ("x y y", "x", "z z z z x y", "q"), strict=True)}
    corpus = corpus_of(tmp_path, texts)
    words = {path: text.split() for path, text in texts.items()}
    average = sum(map(len, words.values())) / len(words)

    def expected(path: str) -> float:
        score = 0.0
        for term in ("x", "y", "y"):
            times, holding = Counter(words[path])[term], sum(term in each for each in words.values())
            norm = K1 * (1 - B + B * len(words[path]) / average)
            score += log(1 + (len(words) - holding + 0.5) / (holding + 0.5)) * times / (times + norm)
        return score

    hits = search(corpus, "x y y")
    assert {hit.path: hit.score for hit in hits} == {path: round(expected(path), 4) for path in words if expected(path)}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_the_index_is_built_once_and_gives_the_same_again(corpus: Corpus) -> None:
    first = search(corpus, "report")
    made = (corpus.folder / INDEX_NAME).stat()
    assert search(Corpus.open(corpus.folder), "report") == first
    assert (corpus.folder / INDEX_NAME).stat().st_mtime_ns == made.st_mtime_ns


def test_processes_that_search_at_once_build_one_index(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, {f"{n}.txt": f"Room {n} leaks.\n" * 400 for n in range(20)})
    code = (
        "import sys; from pathlib import Path; from rlm_core.corpus.corpus import Corpus;"
        "from rlm_core.corpus.search import search;"
        "print([(h.path, h.start, h.score) for h in search(Corpus.open(Path(sys.argv[1])), 'room 7')])"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(corpus.folder)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    printed = {process.communicate(timeout=60)[0] for process in started}
    assert [process.returncode for process in started] == [0, 0, 0]
    assert len(printed) == 1
    assert "'7.txt'" in printed.pop()
    assert not list(corpus.folder.glob("*.part*"))


def test_what_a_killed_build_left_behind_is_no_index(corpus: Corpus) -> None:
    (corpus.folder / INDEX_NAME).with_suffix(".part").write_bytes(b"half of an index")
    assert search(corpus, "gasket")
