"""What the models of a run were shown of its archive, brought up to date when somebody looks.

Knows the archive that a run was asked of, which may have been deleted since, and looks for what was shown in a thread of its own,
one run after the other: of a large archive that takes a while. Documents are never loaded whole.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from app.backend.archives import corpus_of
from app.backend.covered import Covered
from app.backend.folder import Problem, current_store, in_words
from app.backend.runs import look, read
from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.errors import CorpusError
from rlm_core.evidence.coverage import Coverage, Read, Span, merged
from rlm_core.evidence.reach import reach_of
from rlm_core.evidence.windows import Window, lines_at, window_at_char
from rlm_core.jobs.reading import bring_up_to_date
from rlm_core.looks.place import Place
from rlm_core.looks.run_words import ShownShare
from rlm_core.outline import is_reply
from rlm_core.store.readings import CoverageRow, ReadRow
from rlm_core.view import RunView

LOOK_EVERY_S = 3.0
"""A run that is under way is looked at no more often."""
PATIENCE_S = 1.0
"""How long a page waits for what is being looked for, before it is drawn without."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A place of a document with its lines; `window` shows the lines around `start`."""

    document: Document
    start: int
    end: int
    first_line: int
    last_line: int
    window: Window


@dataclass(slots=True)
class _Covering:
    """A run that somebody looks at: what it was shown, and the search for more of it."""

    covered: Covered | None = None
    state: tuple[CoverageRow | None, int] = (None, -1)
    search: Future[None] | None = None
    searched_seq: int = -1
    searched_at: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def searching(self) -> bool:
        return self.search is not None and not self.search.done()

    def is_behind(self, last_seq: int) -> bool:
        """Whether the search that somebody has begun is not through with the run yet."""
        return self.searching or (self.search is not None and self.searched_seq < last_seq)


@st.cache_resource(max_entries=24, show_spinner=False)
def _covering(home: Path, run: str) -> _Covering:
    return _Covering()


@st.cache_resource(show_spinner=False)
def _searcher() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "coverage")


def covered(run: str, archive: str) -> Covered | None:
    """What the run was shown so far; `None` if it has not begun. Raises `Problem` where its archive is not here."""
    corpus = corpus_of(archive)
    last_seq = read(run, lambda view: view.last_seq)
    if last_seq is None:
        return None
    store = current_store()
    known = _covering(store.home, run)
    with known.lock:
        _bring_up_to_date(known, corpus, run, last_seq)
        looked = store.coverage_of([run]).get(run)
        if known.covered is None or known.state != (looked, last_seq):
            known.covered, known.state = _made(corpus, run, store.reads(run), looked), (looked, last_seq)
        return known.covered


def share_of(run: str, archive: str) -> ShownShare:
    """How much the run was shown so far. What is missing is looked for from now on, and nobody waits for it."""
    store = current_store()
    last_seq, row = read(run, lambda view: view.last_seq), store.coverage_of([run]).get(run)
    if last_seq is None or (row and row.complete):
        return ShownShare(row)
    try:
        corpus = corpus_of(archive)
    except CorpusError as error:
        return ShownShare(row, problem=in_words(error))
    known = _covering(store.home, run)
    with known.lock:
        _look(known, corpus, run, last_seq)
        search, looking = known.search, known.is_behind(last_seq)
    try:
        if search and search.done():
            search.result()
    except Problem as problem:
        return ShownShare(row, problem=in_words(problem))
    return ShownShare(
        store.coverage_of([run]).get(run), looking
    )  # read again: there is no more to come, unless `looking`


def is_looking(run: str) -> bool:
    """Whether what the run was shown is being looked for, or will be: then there may be more to see in a moment."""
    store = current_store()
    last_seq, row = read(run, lambda view: view.last_seq), store.coverage_of([run]).get(run)
    if last_seq is None or (row and row.complete):  # another process may have been faster
        return False
    return _covering(store.home, run).is_behind(last_seq)


def _bring_up_to_date(known: _Covering, corpus: Corpus, run: str, last_seq: int) -> None:
    """Look for what the run has been shown since, and wait a little for it. What went wrong in it is raised."""
    _look(known, corpus, run, last_seq)
    if known.search is None:
        return
    wait([known.search], timeout=PATIENCE_S)
    if known.search.done():
        known.search.result()


def _look(known: _Covering, corpus: Corpus, run: str, last_seq: int) -> None:
    """Begin to look for what the run has been shown since, unless that is under way or was done a moment ago."""
    now = time.monotonic()
    due = known.search is None or now - known.searched_at >= LOOK_EVERY_S
    if last_seq != known.searched_seq and due and not known.searching:
        known.search = _searcher().submit(bring_up_to_date, current_store(), corpus, run)
        known.searched_seq, known.searched_at = last_seq, now


def _made(corpus: Corpus, run: str, rows: Sequence[ReadRow], looked: CoverageRow | None) -> Covered:
    number = len(corpus.documents)
    reads = [
        Read(each.span, each.document, each.start, each.end, each.how, each.ambiguous)  # type: ignore[arg-type]
        for each in rows
        if 0 <= each.document < number
    ]
    of_root = read(run, _of_root, {each.span for each in reads}) or frozenset()
    coverage = Coverage([each.chars for each in corpus.documents], reads)
    complete = looked is not None and looked.complete
    reach = read(run, reach_of, corpus, coverage) if complete else None
    return Covered(corpus.documents, coverage, of_root, looked is not None, complete, reach=reach)


def _of_root(view: RunView, spans: set[str]) -> frozenset[str]:
    """Those that lie in the root frame and are a cell or a search of it, or a call of its own model."""
    found = set()
    for span in spans:
        node = view.nodes.get(span)
        if node is None or not (node.kind in ("cell", "search") or is_reply(node)):
            continue
        frame = view.nodes.get(view.frame_of(span))
        if frame is None or frame.parent in (ev.RUN_SPAN, None):
            found.add(span)
    return frozenset(found)


def sent_in(run: str, archive: str, call: str) -> list[tuple[Document, list[Span]]]:
    """The places of the archive that the prompt of a call held, by document, as far as that has been looked for: nobody waits for
    more. What may be from elsewhere, for the same text stands there too, is left out."""
    try:
        documents = corpus_of(archive).documents
    except CorpusError:
        return []
    found: dict[int, list[Span]] = defaultdict(list)
    for each in current_store().reads(run, call):
        if each.how == "sent" and not each.ambiguous and 0 <= each.document < len(documents):
            found[each.document].append((each.start, each.end))
    return [(documents[number], merged(found[number])) for number in sorted(found)]


def document_of(archive: str, path: str) -> Document | None:
    return corpus_of(archive).find(path)


def passage_of(archive: str, document: int, start: int, end: int, at: int | None = None) -> Passage:
    """A place with its lines. `at` is the character that the window is opened for; else it is the beginning."""
    corpus = corpus_of(archive)
    return _passage(corpus, corpus.documents[document], start, end, start if at is None else at)


@st.cache_data(max_entries=500, ttl=600, show_spinner=False, hash_funcs={Corpus: lambda corpus: str(corpus.folder)})
def _passage(corpus: Corpus, document: Document, start: int, end: int, at: int) -> Passage:
    """The lines of a place far down a large document take a while to count."""
    window = window_at_char(corpus, document, at)
    first = _line_of(corpus, document, start, window)
    return Passage(document, start, end, first, _line_of(corpus, document, max(start, end - 1), window), window)


def _line_of(corpus: Corpus, document: Document, char: int, window: Window) -> int:
    for line in window.lines:
        if line.begin <= char <= line.begin + line.chars:
            return line.number
    return window_at_char(corpus, document, char, around=0).line


def ruler(archive: str, document: int, places: int) -> tuple[int, ...]:
    """The lines at so many places of a document, evenly apart by characters, and the line behind its end."""
    corpus = corpus_of(archive)
    return _ruler(corpus, corpus.documents[document], places)


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs={Corpus: lambda corpus: str(corpus.folder)})
def _ruler(corpus: Corpus, document: Document, places: int) -> tuple[int, ...]:
    """One pass through the document: of a large one it takes a while."""
    at = [document.chars * number // places for number in range(places)]
    return (*lines_at(corpus, document, at), document.lines + 1)


def deciding_call(run: str, finding: str) -> str | None:
    """The call whose reply holds the quote of a finding."""
    found = look(Place(run))
    return found.reading.deciding.get(finding) if found else None
