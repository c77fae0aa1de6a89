"""What the models of a run were shown of its archive: which characters of which documents, by whom, and what nobody was shown.

Knows the archive that a run was asked of, which may have been deleted since. Documents are never loaded whole.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import streamlit as st

from app.backend.archives import corpus_of
from app.backend.folder import current_store
from app.backend.runs import look, read
from app.links import Place
from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.evidence.coverage import Coverage, Read, Span, merged
from rlm_core.evidence.windows import Window, lines_at, window_at_char
from rlm_core.jobs.reading import bring_up_to_date
from rlm_core.outline import is_reply
from rlm_core.store.readings import CoverageRow, ReadRow
from rlm_core.view import RunView

LARGE_GAP_CHARS = 500
"""Gaps within documents that are smaller are counted, and not listed: headings, lines between records."""
RECORD_CHARS = 6_000
"""The longest piece that counts as the place around a character; within a longer one it is the line."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Characters of a document that no model was shown. `whole`: nothing of the document was."""

    document: int
    start: int
    end: int
    whole: bool

    @property
    def chars(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Layers:
    """The characters of one document by who was shown them; `unsure` where the same text stands elsewhere too."""

    root: tuple[Span, ...] = ()
    helper: tuple[Span, ...] = ()
    root_unsure: tuple[Span, ...] = ()
    helper_unsure: tuple[Span, ...] = ()
    cited: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Covered:
    """The coverage of a run, with the documents that it is about."""

    documents: tuple[Document, ...]
    coverage: Coverage
    of_root: frozenset[str] = frozenset()
    """Spans that showed something to the model of the root frame; all others showed it to helpers."""
    looked: bool = True
    """False: nobody has looked yet for what the models were shown."""
    complete: bool = True
    """False while what the run did last has not been looked at."""
    large_gap_chars: int = LARGE_GAP_CHARS

    def layers(self, document: int) -> Layers:
        return self._layers((each, 0) for each in self.coverage.by_document.get(document, ()))

    @cached_property
    def whole_archive(self) -> Layers:
        """The documents one after the other, as one."""
        return self._layers((each, self.starts[each.document]) for each in self.coverage.reads)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each document begins in the archive, in characters."""
        return tuple(accumulate((each.chars for each in self.documents), initial=0))

    def _layers(self, reads: Iterable[tuple[Read, int]]) -> Layers:
        """Reads with what is added to their offsets, sorted by who read."""
        found: dict[tuple[bool, bool], list[Span]] = defaultdict(list)
        cited = []
        for each, begin in reads:
            if each.how == "cited":
                cited.append((begin + each.start, begin + each.end))
            else:
                found[each.span in self.of_root, each.ambiguous].append((begin + each.start, begin + each.end))
        return Layers(
            tuple(merged(found[True, False])),
            tuple(merged(found[False, False])),
            tuple(merged(found[True, True])),
            tuple(merged(found[False, True])),
            tuple(cited),
        )

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """Documents that were never read and large gaps in others, the largest first."""
        never = set(self.coverage.never_read)
        found = [Gap(number, 0, self.documents[number].chars, True) for number in never]
        for number in self.coverage.by_document:
            if number not in never:
                spans = self.coverage.gaps_of(number)
                found += [Gap(number, *span, False) for span in spans if span[1] - span[0] >= self.large_gap_chars]
        return tuple(sorted(found, key=lambda gap: (-gap.chars, gap.document, gap.start)))

    @property
    def chars_never_shown(self) -> int:
        return self.coverage.chars - self.coverage.chars_shown

    def shown_to(self, spans: Iterable[str]) -> dict[int, list[Span]]:
        """What these nodes were shown, by document in the order of the archive."""
        found: dict[int, list[Span]] = {}
        for span in spans:
            for each in self.coverage.by_span.get(span, ()):
                if each.how != "cited":
                    found.setdefault(each.document, []).append((each.start, each.end))
        return {document: merged(found[document]) for document in sorted(found)}

    def place_around(self, document: int, char: int) -> Span | None:
        """The place that somebody means by a character: the smallest piece with it that a model was shown, else the gap
        that it lies in. `None` where either is too long to be one place."""
        around = [
            (each.start, each.end)
            for each in self.coverage.by_document.get(document, ())
            if each.start <= char < each.end and each.how != "cited"
        ]
        if not around:
            return next((gap for gap in self.coverage.gaps_of(document) if gap[0] <= char < gap[1]), None)
        smallest = min(around, key=lambda span: span[1] - span[0])
        return smallest if smallest[1] - smallest[0] <= RECORD_CHARS else None


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
    covered: Covered | None = None
    state: tuple[CoverageRow | None, int] = (None, -1)
    lock: threading.Lock = field(default_factory=threading.Lock)


@st.cache_resource(max_entries=24, show_spinner=False)
def _covering(home: Path, run: str) -> _Covering:
    return _Covering()


def covered(run: str, archive: str) -> Covered | None:
    """What the run was shown so far; `None` if it has not begun. Raises `Problem` where its archive is not here."""
    corpus = corpus_of(archive)
    last_seq = read(run, lambda view: view.last_seq)
    if last_seq is None:
        return None
    store = current_store()
    known = _covering(store.home, run)
    with known.lock:
        bring_up_to_date(store, corpus, run)
        looked = store.coverage_of([run]).get(run)
        state = (looked, last_seq)
        if known.covered is None or known.state != state:
            known.covered, known.state = _made(corpus, run, store.reads(run), looked), state
        return known.covered


def _made(corpus: Corpus, run: str, rows: Sequence[ReadRow], looked: CoverageRow | None) -> Covered:
    number = len(corpus.documents)
    reads = [
        Read(each.span, each.document, each.start, each.end, each.how, each.ambiguous)  # type: ignore[arg-type]
        for each in rows
        if 0 <= each.document < number
    ]
    of_root = read(run, _of_root, {each.span for each in reads}) or frozenset()
    coverage = Coverage([each.chars for each in corpus.documents], reads)
    return Covered(corpus.documents, coverage, of_root, looked is not None, looked is not None and looked.complete)


def _of_root(view: RunView, spans: set[str]) -> frozenset[str]:
    """Those that lie in the root frame and are a cell or a search of it, or a call of its own model."""
    found = set()
    for span in spans:
        node = view.nodes.get(span)
        if node is None or not (node.kind in ("cell", "search") or is_reply(node)):
            continue
        above = node
        while above.kind != "frame" and above.parent in view.nodes:
            above = view.nodes[above.parent]
        if above.parent in (ev.RUN_SPAN, None):
            found.add(span)
    return frozenset(found)


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
