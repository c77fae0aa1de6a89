"""Full text search over a corpus: the passages that rank highest for a query, by BM25.

Passages are snippets of about 512 tokens that end at a paragraph, a line or a word, and k1 and b are those of the retriever
that the paper's baselines are compared with (Pyserini's Lucene). No search library at hand takes both: tantivy and SQLite know
only k1 1.2 and b 0.75, and tantivy builds its index in less than half of the time, which is no reason to rank large corpora in
another way than small ones. So the index is a table of postings in SQLite, made once for each corpus:

    <corpus>/search-1.sqlite     snippets (where each lies), terms (in which snippets, how often), lengths (words of each)

SQLite's own full text index is only the tokenizer: lower case, no accents, English stems; every ideograph is a word. It is
never asked a query, so nothing that a query holds has a meaning to it. Refuses to know models and what is searched for.
"""

from __future__ import annotations

import os
import re
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from heapq import nlargest
from itertools import chain, groupby
from math import log
from operator import itemgetter
from pathlib import Path

from filelock import FileLock

from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.errors import CorpusError
from rlm_core.tokens import BYTES_PER_TOKEN

K1, B = 0.9, 0.4
SNIPPET_BYTES = 512 * BYTES_PER_TOKEN
MAX_HITS = 100
MAX_QUERY_CHARS = 10_000
MAX_TERMS = 50
"""Of a longer query the rarest terms count."""
INDEX_NAME = "search-1.sqlite"
"""The number is that of the form: a later one is built anew beside it."""

STOP_WORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was "
    "will with"
)
_TOKENIZER = 'tokenize="porter unicode61 remove_diacritics 2"'
_IDEOGRAPH = re.compile("([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f])")
_WORD_BREAK = re.compile(r"[.!?;,]?\s")


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage. `start` and `end` are characters of the document `path`; a higher `score` is a better match."""

    path: str
    start: int
    end: int
    text: str
    score: float


def search(corpus: Corpus, query: str, k: int = 5) -> list[Hit]:
    """The `k` best passages, best first; fewer where fewer hold a word of the query. The same query gives the same passages.

    The first search of a corpus builds its index: 2 s of processor time for 10 MB of text, 20 s for 100 MB, 200 s for 1 GB,
    in at most about 120 MB of memory. Raises `CorpusError` if that cannot be done.
    """
    path = _index_of(corpus)
    try:
        with closing(_opened(path)) as index:
            scores = _scores(index, query)
            best = nlargest(max(0, min(k, MAX_HITS)), range(len(scores)), key=scores.__getitem__)
            return [_hit(corpus, index, snippet, scores[snippet]) for snippet in best if scores[snippet]]
    except sqlite3.Error as error:
        raise CorpusError(f"The search index {path} cannot be read ({error}). Delete it: it is made again.") from error


def snippets(text: str) -> Iterator[tuple[int, int]]:
    """Where the snippets of a document begin and end, in characters: one after the other, nothing left out."""
    start, size, paragraph = 0, 0, None
    at = 0
    for end, width in _lines(text):
        if size and size + width > SNIPPET_BYTES:
            cut, size = (paragraph[0], size - paragraph[1]) if paragraph else (at, 0)
            yield start, cut
            start, paragraph = cut, None
        size += width
        if size > SNIPPET_BYTES // 2 and not text[at:end].strip():
            paragraph = end, size  # a blank line: the next snippet may begin behind it
        at = end
    if at > start:
        yield start, at


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """End and UTF-8 size of each line; a line that is too long for a snippet in parts."""
    ascii_only, at = text.isascii(), 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        width = end - at if ascii_only else len(text[at:end].encode())
        while width > SNIPPET_BYTES:
            part = _part(text, at, end)
            used = part - at if ascii_only else len(text[at:part].encode())
            yield part, used
            at, width = part, width - used
        if end > at:
            yield end, width
        at = end


def _part(text: str, start: int, end: int) -> int:
    """Where to break a long line: behind the last word that fits into a snippet, in the second half of it."""
    fits = len(text[start : min(end, start + SNIPPET_BYTES)].encode()[:SNIPPET_BYTES].decode(errors="ignore"))
    breaks = [found.end() for found in _WORD_BREAK.finditer(text, start + fits // 2, start + fits)]
    return breaks[-1] if breaks else start + fits


def _index_of(corpus: Corpus) -> Path:
    """The index, built if it is not there. Several processes may ask at once: one builds, the others wait."""
    path = corpus.folder / INDEX_NAME
    if path.is_file():
        return path
    try:
        with FileLock(path.with_suffix(".lock")):
            if not path.is_file():
                part = path.with_suffix(".part")
                part.unlink(missing_ok=True)
                _build(corpus, part)
                part.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise CorpusError(
            f"The search index of corpus {corpus.id} cannot be made ({error}). Is there space, and may {corpus.folder} be "
            "written to? Else ask without search."
        ) from error
    return path


def _build(corpus: Corpus, part: Path) -> None:
    with closing(sqlite3.connect(part, isolation_level=None)) as index:
        index.executescript(
            f"""PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            CREATE TABLE snippets (number INTEGER PRIMARY KEY, document INT, start INT, end INT, first_byte INT, bytes INT);
            CREATE TABLE terms (term TEXT PRIMARY KEY, postings BLOB) WITHOUT ROWID;
            CREATE TABLE lengths (words BLOB);
            ATTACH '' AS work;
            CREATE VIRTUAL TABLE work.words USING fts5(text, content='', {_TOKENIZER});
            CREATE VIRTUAL TABLE work.places USING fts5vocab(words, instance);
            BEGIN;"""
        )
        count = 0
        for document in corpus.documents:
            count = _add(index, document, corpus.text(document.index), count)
        lengths = array("I", bytes(4 * count))
        stop_words = frozenset(_terms(STOP_WORDS))
        rows = index.execute("SELECT term, doc FROM work.places")
        for term, places in groupby(rows, key=itemgetter(0)):
            if term in stop_words:
                continue
            found = Counter(map(itemgetter(1), places))
            for snippet, times in found.items():
                lengths[snippet] += times
            postings = array("I", chain.from_iterable(found.items()))
            index.execute("INSERT INTO terms VALUES (?, ?)", (term, postings.tobytes()))
        index.execute("INSERT INTO lengths VALUES (?)", (lengths.tobytes(),))
        index.execute("COMMIT")
    with part.open("rb") as file:
        os.fsync(file.fileno())


def _add(index: sqlite3.Connection, document: Document, text: str, count: int) -> int:
    """Add the snippets of a document; how many there are by now."""
    ascii_only, first_byte = document.bytes == document.chars, document.start
    for start, end in snippets(text):
        snippet = text[start:end]
        size = end - start if ascii_only else len(snippet.encode())
        place = (count, document.index, start, end, first_byte, size)
        index.execute("INSERT INTO snippets VALUES (?, ?, ?, ?, ?, ?)", place)
        index.execute("INSERT INTO work.words (rowid, text) VALUES (?, ?)", (count, _spaced(snippet)))
        first_byte += size
        count += 1
    return count


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


def _scores(index: sqlite3.Connection, query: str) -> list[float]:
    """BM25 of every snippet, in Lucene's form; 0 where none of its words is in the query."""
    lengths = array("I", index.execute("SELECT words FROM lengths").fetchone()[0])
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    norms = [K1 * (1 - B + B * length / average) for length in lengths]
    found = []
    for term, asked in _terms(query[:MAX_QUERY_CHARS]).items():
        row = index.execute("SELECT postings FROM terms WHERE term = ?", (term,)).fetchone()
        if row:
            found.append((array("I", row[0]), asked))
    scores = [0.0] * len(lengths)
    for postings, asked in sorted(found, key=lambda each: len(each[0]))[:MAX_TERMS]:
        holding = len(postings) // 2
        weight = asked * log(1 + (len(lengths) - holding + 0.5) / (holding + 0.5))
        for snippet, times in zip(postings[::2], postings[1::2], strict=True):
            scores[snippet] += weight * times / (times + norms[snippet])
    return scores


def _terms(text: str) -> dict[str, int]:
    """The words of a text as the index knows them, and how often each stands there."""
    with closing(sqlite3.connect(":memory:")) as words:
        words.execute(f"CREATE VIRTUAL TABLE words USING fts5(text, {_TOKENIZER})")
        words.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(words, row)")
        clean = text.encode("utf-8", "replace").decode().replace("\0", " ")
        words.execute("INSERT INTO words VALUES (?)", (_spaced(clean),))
        return dict(words.execute("SELECT term, cnt FROM terms").fetchall())


def _spaced(text: str) -> str:
    """Ideographs as words of their own: their languages have no spaces."""
    return text if text.isascii() else _IDEOGRAPH.sub(r" \1 ", text)


def _hit(corpus: Corpus, index: sqlite3.Connection, snippet: int, score: float) -> Hit:
    row = index.execute(
        "SELECT document, start, end, first_byte, bytes FROM snippets WHERE number = ?", (snippet,)
    ).fetchone()
    document, start, end, first_byte, size = row
    text = corpus.data[first_byte : first_byte + size].decode("utf-8")
    return Hit(corpus.documents[document].path, start, end, text, round(score, 4))
