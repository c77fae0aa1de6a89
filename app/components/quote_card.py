"""One finding beside its document: item, label, the quote, what became of looking for it, and the way to the others."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.backend import EvidenceRow, OpenDocument
from app.components import word_diff
from app.components.finding_list import is_telling, step
from app.components.kinds import icon
from app.components.text import escaped
from rlm_core import wording
from rlm_core.evidence.differences import Difference
from rlm_core.looks.sheet import Sheet
from rlm_core.looks.verdicts import told, verdict_of
from rlm_core.plain import plain, plain_line

ITEM_CHARS = 200


def show(sheet: Sheet, finding: EvidenceRow, opened: OpenDocument | None, container: str) -> None:
    """`container` is left out of paths. Words are compared with the document, where it could be opened."""
    with st.container(key="quote-card", gap="xsmall"):
        _quote(finding, container, backend.difference_of(sheet.task.corpus, finding) if opened else None)
        if not finding.stands:
            st.caption("The run recorded this item again later with another label, which stands instead of this one.")
        _to_run(links.back_to_run(sheet.id, finding.span))


def of_place(sheet: Sheet, opened: OpenDocument | None, container: str) -> None:
    """Beside a document that was opened by its address: the quote of the answer that stands there, if one does."""
    if opened is None or opened.quote is None:
        _place(sheet.id, "")
        return
    at = (opened.path, *opened.quote)
    quotes = (each for each in backend.answer_quotes(sheet.id) if _stands_at(each) == at)
    if quoted := next(quotes, None):
        _of_answer(sheet, quoted, container)
    else:
        _place(sheet.id, opened.words)


def _stands_at(quoted: EvidenceRow) -> tuple[str | None, int | None, int | None] | None:
    found = quoted.verdict
    return (found.document, found.start, found.end) if found else None


def _of_answer(sheet: Sheet, quoted: EvidenceRow, container: str) -> None:
    """A quote that no code recorded: the answer gives it."""
    with st.container(key="quote-card", gap="xsmall"):
        st.caption("Quoted in the answer of this run")
        _quote(quoted, container, backend.difference_of(sheet.task.corpus, quoted))
        _to_run(links.back_to_run(sheet.id))


def _place(run: str, words: str) -> None:
    with st.container(key="quote-card", gap="xsmall"):
        st.markdown("**A place in a document**")
        if words:
            with st.container(key="quote-words"):
                st.text(f"“{plain(words)}”")
            st.caption("The address of this page names these words.")
        else:
            st.caption("The address of this page names it.")
        _to_run(links.back_to_run(run))


def _quote(finding: EvidenceRow, container: str, differs: Difference | None) -> None:
    verdict = told(verdict_of(finding))
    item, label = (escaped(plain_line(each, ITEM_CHARS)) for each in (finding.item, finding.label))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="top", gap="small"):
        tone = "yellow" if is_telling(finding) else "gray"
        st.markdown(f"{icon('answer')} **{item}** {f':{tone}-badge[{label}]' if label else ''}", width="content")
        st.markdown(f":{verdict.tone}-badge[{verdict.mark} {verdict.words}]", width="content")
    if finding.quote and not differs:
        with st.container(key="quote-words"):
            st.text(f"“{plain(finding.quote)}”")
    st.caption(verdict.means)
    if differs:
        word_diff.show(differs, finding.verdict.line if finding.verdict else None)
    with st.container(key="quote-facts", gap="xsmall"):
        for said in _facts(finding, container):
            st.text(said)


def _to_run(query: links.Query) -> None:
    st.page_link(links.RUN, label="Show in the run", icon=":material/account_tree:", query_params=query)


def _facts(finding: EvidenceRow, container: str) -> list[str]:
    """Where it stands, where the model says that it does, and what the model noted."""
    found, said = finding.verdict, []
    if found and found.document:
        place = plain_line(wording.place(found.document.removeprefix(container), found.line), 300)
        if found.start is not None and found.end is not None:
            place = f"{place}, characters {found.start + 1:,}–{found.end:,}"
        if found.places:
            place = f"{place}: the first of {wording.exact(found.places, 'place')}"
        said.append(place)
    elif finding.source:
        said.append(f"The model names {plain_line(finding.source.removeprefix(container), 300)}.")
    if finding.note:
        said.append(f"Note: {plain_line(finding.note, 1_000)}")
    return said


def steps(run: str, before: str | None, behind: str | None) -> None:
    """To the findings before and behind this one in the list."""
    with st.container(horizontal=True, gap="small", key="evidence-steps"):
        for label, key, by, span in (("Previous", "K", -1, before), ("Next", "J", 1, behind)):
            st.button(
                label, key=f"evidence-{label}", shortcut=key, disabled=span is None, on_click=step, args=(run, by)
            )
