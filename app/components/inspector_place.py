"""The inspector of a place of the archive: its lines, every node that was shown them, and where it lies. Also for findings,
whose place is that of the deciding words, and for nodes, whose places are what they were shown."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.backend import Covered, Document
from app.components import coverage_strips, excerpt, place_words
from app.components.inspector_parts import head, way
from app.components.kinds import icon
from app.components.seers import seers, spans_of
from app.components.text import common_container, escaped
from app.components.trouble import told
from rlm_core import wording
from rlm_core.events import RUN_SPAN
from rlm_core.evidence.coverage import Span, length
from rlm_core.looks.look import Look
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.plain import plain_line
from rlm_core.wording import exact

SHOWN_SEERS = 6
SHOWN_DOCUMENTS = 4
NOBODY = "No model was shown any of it."
NOBODY_YET = "No model was shown any of it, as far as has been looked."


def place(look: Look) -> None:
    """Of the place that the address names."""
    with told("place"):
        covered = backend.covered(look.sheet.id, look.sheet.task.corpus)
        document = backend.document_of(look.sheet.task.corpus, look.place.document or "")
        if covered is None or document is None:
            st.text(f"The archive has no single document {plain_line(look.place.document or '', 200)}.")
            return
        char = min(look.place.char, max(0, document.chars - 1))
        around = covered.place_around(document.index, char) or _line_at(look, document.index, char)
        shown = covered.coverage.was_shown(document.index, char, char + 1)
        container = common_container(each.path for each in covered.documents)
        name = plain_line(document.path.removeprefix(container).rpartition("/")[2], 60)
        head(
            "note",
            name,
            "",
            [] if shown else [("never shown", "red")],
            "A place of the archive, and every node that saw it.",
        )
        way([("arrow_upward", "Run", RUN_SPAN)])
        _passage(covered, look, document.index, around, None, char)


def of_finding(facts: FindingFacts, look: Look) -> None:
    """The words that decide a finding in their document, and who was shown them."""
    found = facts.verdict
    if found is None or found.document is None or found.start is None or found.end is None:
        return
    with told("finding-place"):
        covered = backend.covered(look.sheet.id, look.sheet.task.corpus)
        document = backend.document_of(look.sheet.task.corpus, found.document)
        if covered is None or document is None:
            return
        quote = (found.start, found.end)
        around = covered.place_around(document.index, found.start) or _line_at(look, document.index, found.start)
        around = (min(around[0], quote[0]), max(around[1], quote[1]))
        _passage(covered, look, document.index, around, quote, found.start)


def _line_at(look: Look, document: int, char: int) -> Span:
    passage = backend.passage_of(look.sheet.task.corpus, document, char, char + 1)
    line = next(each for each in passage.window.lines if each.number == passage.first_line)
    return line.begin, line.begin + max(1, line.chars)


def _passage(covered: Covered, look: Look, document: int, place: Span, quote: Span | None, at: int) -> None:
    run, archive = look.sheet.id, look.sheet.task.corpus
    passage = backend.passage_of(archive, document, *place, at=at)
    container = common_container(each.path for each in covered.documents)
    excerpt.show(passage, quote, container, "place-excerpt")
    if quote is None:
        query = links.evidence_query(run, None, passage.document.path, passage.window.line or None)
        line = f"Open at line {passage.window.line:,}" if passage.window.line else "Open the document"
        st.page_link(links.EVIDENCE, label=line, icon=":material/open_in_new:", query_params=query)
    with st.container(key="seers", gap=None):
        st.markdown(f"**Who was shown {escaped(place_words.where(passage))}**")
        found, many = backend.read(run, seers, covered, document, place, quote, look.reading.items, SHOWN_SEERS) or (
            [],
            0,
        )
        if not found:
            st.caption(NOBODY if covered.complete else NOBODY_YET)
        for each in found:
            with st.container(
                horizontal=True,
                horizontal_alignment="distribute",
                vertical_alignment="center",
                gap="small",
                key=f"seer-{each.span}",
            ):
                where = f", {each.where}" if each.where else ""
                st.button(
                    f"{icon(each.kind)} **{escaped(each.title)}**{escaped(where)}",
                    type="tertiary",
                    key=f"to-seer-{each.span}",
                    on_click=links.select,
                    args=(each.span,),
                )
                st.caption(escaped(each.how_much), width="content")
        if many > len(found):
            st.caption(f"{wording.m_of_n(len(found), many)} are listed, those that were shown the most.")
    _in_archive(covered, document, place)


def _in_archive(covered: Covered, document: int, place: Span) -> None:
    st.markdown("**Where it lies in the archive**")
    row = coverage_strips.archive_strip(covered, document, place)
    at = covered.starts[document] + place[0] + 1
    data = coverage_strips.data(
        "Where it lies in the archive",
        "alone",
        rows=coverage_strips.sent([row]),
        scale=["1", f"here: {at:,}", exact(covered.coverage.chars, "character")],
    )
    coverage_strips.show("place-in-archive", data, lambda document, share: None)


def about(look: Look, call: str) -> None:
    """The places of the archive that a helper was given in its prompt, each a way to the source. Where they are not known,
    nothing is said."""
    given = backend.sent_in(look.sheet.id, look.sheet.task.corpus, call)
    if given:
        with st.container(key="about", gap=None), told("about"):
            st.markdown("**About these passages**")
            _documents(look, call, given)


def _documents(look: Look, span: str, shown: Sequence[tuple[Document, list[Span]]]) -> None:
    """What a node was shown: documents with lines, each a way to its place."""
    container = common_container(each.path for each, _ in shown)
    for document, spans in shown[:SHOWN_DOCUMENTS]:
        passage = backend.passage_of(look.sheet.task.corpus, document.index, spans[0][0], spans[-1][1])
        name = plain_line(document.path.removeprefix(container), 60)
        how_much = f"in {len(spans):,} places" if len(spans) > 1 else exact(length(spans), "character")
        said = f"{place_words.where(passage)}, {how_much}"
        st.page_link(
            links.EVIDENCE,
            label=f"{escaped(name)} :gray[{escaped(said)}]",
            query_params=links.evidence_query(look.sheet.id, None, document.path, passage.first_line, shown_to=span),
        )
    if len(shown) > SHOWN_DOCUMENTS:
        st.caption(f"{wording.m_of_n(SHOWN_DOCUMENTS, len(shown))} documents are listed. Coverage shows all.")


def of_node(look: Look, span: str) -> None:
    """What a call, a cell or a child frame was shown of the archive, and where that lies in it."""
    with told("shown-to"):
        covered = backend.covered(look.sheet.id, look.sheet.task.corpus)
        if covered is None:
            return
        shown = covered.shown_to(backend.read(look.sheet.id, spans_of, (span,)) or ())
        if not shown:
            return
        chars = sum(length(spans) for spans in shown.values())
        many = exact(len(shown), "document")
        st.markdown(f"**Shown to it** :gray[{exact(chars, 'character')} of {many}]")
        _documents(look, span, [(covered.documents[number], spans) for number, spans in shown.items()])
        mine = [
            (covered.starts[number] + start, covered.starts[number] + end)
            for number, spans in shown.items()
            for start, end in spans
        ]
        row = coverage_strips.archive_strip(covered, mine=mine)
        data = coverage_strips.data("What it was shown of the archive", "alone", rows=coverage_strips.sent([row]))
        coverage_strips.show("shown-in-archive", data, lambda document, share: None)
