"""The evidence of a run: its findings with what became of each quote, and the documents that they stand in.

Knows the archive that a run was asked of, which may have been deleted since. Documents are never loaded whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from app.backend.archives import corpus_of
from app.backend.runs import read, whole
from app.evidence_place import EvidencePlace
from rlm_core.corpus.corpus import Corpus, Document
from rlm_core.corpus.units import Unit, Units
from rlm_core.errors import CorpusError
from rlm_core.evidence.differences import MAX_CHARS, Difference, difference
from rlm_core.evidence.sources import read_source
from rlm_core.evidence.windows import Hits, Window, characters, find, window_at_char, window_at_line
from rlm_core.looks.sheet import FindingRow, texts_of
from rlm_core.passages import NOTHING, Passage, passage
from rlm_core.plain import plain_line
from rlm_core.view import RunView

COMPARED = ("fuzzy", "conflict")
"""Verdicts of quotes whose words differ from those of their place."""


@dataclass(frozen=True, slots=True)
class EvidenceRow(FindingRow):
    """A finding, and the node of the run that recorded it."""

    span: str = ""
    whole_quote: Passage = NOTHING
    stands: bool = True
    """False: recorded again later with another label, which stands instead."""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document open at a place. `quote` and `hit` are the characters to be marked in it."""

    path: str
    window: Window
    index: int = 0
    """Its number in the archive."""
    quote: tuple[int, int] | None = None
    quote_line: int | None = None
    hits: Hits | None = None
    """Of the words that were looked for; `None` if none were. Its `number` is 0 while the window shows another place."""
    words: str = ""
    """Those of a place that the address names by its characters; of a very long one the beginning."""
    units: Units | None = None
    """The pages, sheets, ... of the document, where it has any."""
    no_unit: str = ""
    """The part that the address names, where the document has none of that name."""
    as_named: bool = False
    """The quote was found nowhere: this is where the model says that it stands."""

    @property
    def hit(self) -> tuple[int, int] | None:
        return (self.hits.start, self.hits.end) if self.hits and self.hits.number else None


def evidence(run: str) -> list[EvidenceRow]:
    """All findings of a run in order, also those that were corrected later."""
    return read(run, _rows) or []


def _rows(view: RunView) -> list[EvidenceRow]:
    standing = {span for span, _, _ in view.findings()}
    return [
        EvidenceRow(*texts_of(finding), verdict, span=span, whole_quote=passage(finding.quote), stands=span in standing)
        for span, finding, verdict in view.findings(corrected=True)
    ]


def open_place(archive: str, place: EvidencePlace, finding: EvidenceRow | None) -> OpenDocument:
    """The document of a place, open there; where the place names none, that of the finding, open at its quote.

    Raises `Problem` where there is no such document.
    """
    corpus = corpus_of(archive)
    if place.document or finding is None:
        return _open_chars(corpus, _document(corpus, place.document or ""), place)
    found = finding.verdict
    if found and found.document:
        span = None if found.start is None or found.end is None else (found.start, found.end)
        opened = _open(corpus, _document(corpus, found.document), span, place)
        return replace(opened, quote=span, quote_line=found.line)
    named = read_source(finding.source, corpus)
    if named.document is None:
        raise CorpusError(_no_place(finding))
    opened = _open(corpus, named.document, None, replace(place, line=place.line or named.line))
    return replace(opened, as_named=bool(finding.quote))


def difference_of(archive: str, finding: EvidenceRow) -> Difference | None:
    """The words of a quote beside those of the place that is like it; `None` where both are the same, or nothing is like it."""
    found = finding.verdict
    if found is None or found.verdict not in COMPARED or found.document is None:
        return None
    if found.start is None or found.end is None:
        return None
    corpus = corpus_of(archive)
    end = min(found.end, found.start + MAX_CHARS)
    stands = characters(corpus, _document(corpus, found.document), found.start, end)
    return difference(whole(finding.whole_quote) or finding.quote, stands)


def _open_chars(corpus: Corpus, document: Document, place: EvidencePlace) -> OpenDocument:
    """Open at the characters that the address names, if it does and the document has them."""
    chars = place.chars
    if chars is None or chars[1] > document.chars:
        return _open(corpus, document, None, place)
    at = window_at_char(corpus, document, chars[0])
    # The line that a comparison names is where the characters begin: they are shown, however long their line is.
    here = replace(place, line=None if place.line == at.line else place.line)
    words = "\n".join(line.text[slice(*part)] for line in at.lines if (part := line.part(*chars)))
    return replace(_open(corpus, document, chars, here), quote=chars, quote_line=at.line, words=words)


def _open(corpus: Corpus, document: Document, span: tuple[int, int] | None, place: EvidencePlace) -> OpenDocument:
    """Open at the hit that is asked for, else at the line, else at the unit, else at the first hit, else where `span` begins."""
    unit = _unit(document, place.unit) if place.unit and not place.line else None
    hits = _found(corpus, document, place.find, max(place.hit, 1)) if place.find else None
    if hits and (place.line or unit) and not place.hit:
        hits = replace(hits, number=0)
    if hits and hits.number:
        window = window_at_char(corpus, document, hits.start)
    elif unit:
        window = window_at_char(corpus, document, unit.start)
    elif span and place.line is None:
        window = window_at_char(corpus, document, span[0])
    else:
        window = window_at_line(corpus, document, place.line or 1)
    lost = place.unit if place.unit and not place.line and unit is None else ""
    return OpenDocument(document.path, window, hits=hits, units=document.units, no_unit=lost, index=document.index)


def _unit(document: Document, label: str) -> Unit | None:
    """The part with this label, whatever its case."""
    spans = document.units.spans if document.units else ()
    wanted = label.strip().casefold()
    return next((each for each in spans if each.label.casefold() == wanted), None)


@st.cache_data(max_entries=50, ttl=600, show_spinner=False, hash_funcs={Corpus: lambda corpus: str(corpus.folder)})
def _found(corpus: Corpus, document: Document, words: str, number: int) -> Hits:
    """A large document takes a second to look through; the page is drawn again at every step in it."""
    return find(corpus, document, words, number)


def _no_place(finding: EvidenceRow) -> str:
    if not finding.source:
        return "The model named no document for this finding, so there is no place to show."
    return (
        f"The model says that this stands in {plain_line(finding.source, 200)}. "
        "That is no document of the archive, or it fits several."
    )


def _document(corpus: Corpus, path: str) -> Document:
    document = corpus.find(path)
    if document is None:
        raise CorpusError(
            f"The archive {plain_line(corpus.name, 80)} has no single document {plain_line(path, 200)}. "
            "Check the address, or choose a finding."
        )
    return document
