"""Coverage, a view of the run: what of the archive its models were shown. What nobody was shown comes first, then a strip for
each document. A click on a place selects it, and the inspector says who was shown it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import streamlit as st

from app import backend
from app.backend import Covered, Gap
from app.components import coverage_strips, coverage_table, place_words
from app.components import coverage_words as words
from app.components.seers import spans_of
from app.components.text import common_container, escaped
from app.components.trouble import told
from rlm_core import wording
from rlm_core.evidence.coverage import Span
from rlm_core.looks.look import Look
from rlm_core.plain import plain_line
from rlm_core.wording import exact

PAGE = 50
LISTED_GAPS = 6
BEGINS_CHARS = 80
ALL, CITED, PARTLY = "all", "cited", "not all shown"
IN_ORDER, BY_SIZE = "as in the archive", "largest first"


def show(look: Look) -> None:
    if look.sheet.state == "queued":
        st.caption("Nothing was shown to a model yet.")
        return
    with told("coverage"):
        covered = backend.covered(look.sheet.id, look.sheet.task.corpus)
        if covered and covered.looked:
            with st.container(gap="xsmall", key="coverage"):
                _show(covered, look)
        elif covered:
            st.caption(
                "What the models of this run were shown is being looked for. Of a large archive that takes a while."
            )


def _show(covered: Covered, look: Look) -> None:
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        gap="small",
        key="coverage-head",
    ):
        st.markdown(f"**{escaped(words.headline(covered))}**{' so far' if look.sheet.active else ''}", width="content")
        as_table = st.toggle("Table", key="coverage-table")
    if not covered.complete and not look.sheet.active:
        st.caption("What the last steps showed is still being looked for.")
    container = common_container(each.path for each in covered.documents)
    if as_table:
        coverage_table.show(covered, container)
        return
    _never(covered, look, container)
    _documents(covered, look, container)


def _never(covered: Covered, look: Look, container: str) -> None:
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small", key="never-head"
    ):
        st.markdown(f"**{words.never_title(covered)}**", width="content")
        if covered.gaps:
            st.caption(escaped(words.never_figures(covered, _begins(covered, look, container))), width="content")
    if not covered.gaps:
        st.caption(words.everything_shown(covered))
    for each in words.window(covered):
        st.caption(each)
    listed = covered.gaps[:LISTED_GAPS]
    if listed:
        never = [_gap(each, covered, look, container) for each in listed]
        data = coverage_strips.data("What was never shown", never=never)
        coverage_strips.show("coverage-never", data, coverage_strips.to_place(covered))
    archive = backend.archive(look.sheet.task.corpus)
    beside = words.not_in_archive(archive.report.items) if archive else ""
    said = " ".join(filter(None, [words.small_gaps(covered, len(listed)) if covered.gaps else "", beside]))
    if said:
        st.text(said)


def _begins(covered: Covered, look: Look, container: str) -> str:
    """Where what lay outside the window begins."""
    gap = covered.gaps[0]
    line = (
        backend.passage_of(look.sheet.task.corpus, gap.document, gap.start, gap.end).first_line if gap.start else None
    )
    path = covered.documents[gap.document].path.removeprefix(container)
    return plain_line(wording.place(path, line), coverage_strips.PATH_CHARS)


def _gap(gap: Gap, covered: Covered, look: Look, container: str) -> dict[str, Any]:
    document = covered.documents[gap.document]
    passage = backend.passage_of(look.sheet.task.corpus, gap.document, gap.start, gap.end)
    lines = (line.text for line in passage.window.lines if line.number >= passage.first_line)
    begins = " ".join(text for text in lines if any(map(str.isalnum, text)))
    chosen = look.place.document == document.path and gap.start <= look.place.char < gap.end
    return {
        "document": gap.document,
        "share": (gap.start + 0.5) / max(1, document.chars),
        "path": plain_line(document.path.removeprefix(container), coverage_strips.PATH_CHARS),
        "where": "whole document" if gap.whole else place_words.where(passage),
        "chars": f"{gap.chars:,}",
        "begins": plain_line(begins[: 4 * BEGINS_CHARS], BEGINS_CHARS),
        "chosen": chosen,
    }


def _documents(covered: Covered, look: Look, container: str) -> None:
    mine, chosen = shown_to_selected(covered, look), _chosen(covered, look)
    numbers, counted = _listed(covered, {*mine, *([chosen[0]] if chosen else [])})
    page = _page(numbers, chosen[0] if chosen else next(iter(mine), None), look)
    shown = numbers[page * PAGE : (page + 1) * PAGE]
    cited = _cited(look)
    longest = max((covered.documents[number].chars for number in numbers), default=0)
    rows = [
        coverage_strips.row(
            covered,
            number,
            longest,
            container=container,
            mine=mine.get(number, ()),
            chosen=chosen[1] if chosen and chosen[0] == number else None,
            cited=cited.get(covered.documents[number].path),
        )
        for number in shown
    ]
    name = plain_line(look.names[look.selected.id].title, 40) if mine and look.selected else ""
    data = coverage_strips.data(
        "Documents of the archive",
        rows=coverage_strips.sent(rows),
        legend=[*words.legend(covered, mine=name), ("count", counted)],
    )
    coverage_strips.show("coverage-rows", data, coverage_strips.to_place(covered))
    if len(numbers) > PAGE:
        st.pagination(-(-len(numbers) // PAGE), key="coverage-page")


def _listed(covered: Covered, always: Collection[int]) -> tuple[list[int], str]:
    """The documents that are chosen, in the order that is chosen, and those that are selected whatever is chosen; and how many
    that are."""
    cited = {each.document for each in covered.coverage.reads if each.how == "cited"}
    partly = {
        number for number, each in enumerate(covered.documents) if covered.coverage.shown_chars(number) < each.chars
    }
    kept = {CITED: cited, PARTLY: partly, ALL: set(range(len(covered.documents)))}
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        gap="small",
        key="coverage-listed",
    ):
        which = _control("Documents", [ALL, CITED, PARTLY], "documents")
        order = _control("Order", [IN_ORDER, BY_SIZE], "sorted")
    numbers = sorted(kept[which].union(always))
    if order == BY_SIZE:
        numbers.sort(key=lambda number: -covered.documents[number].chars)
    many = len(covered.documents)
    cut = {CITED: "are cited", PARTLY: "were not shown whole"}
    said = (
        f"{wording.m_of_n(len(kept[which]), many)} documents {cut[which]}" if which in cut else _counted(covered, cited)
    )
    return numbers, said


def _counted(covered: Covered, cited: Collection[int]) -> str:
    """`46 documents, 14 of them cited, 2 never read`."""
    never = len(covered.coverage.never_read)
    parts = [f"{len(cited):,} of them cited"] if cited else []
    parts += [f"{never:,} never read"] if never else []
    return ", ".join([exact(len(covered.documents), "document"), *parts])


def _control(name: str, choices: Sequence[str], key: str) -> str:
    return str(
        st.segmented_control(
            name,
            choices,
            default=choices[0],
            required=True,
            key=key,
            label_visibility="collapsed",
            bind="query-params",
        )
    )


def _page(numbers: Sequence[int], wanted: int | None, look: Look) -> int:
    """The page that is shown, from 0: where something is selected for the first time, the one that shows it."""
    pages = max(1, -(-len(numbers) // PAGE))
    place = (look.place.node, look.place.document, look.place.char)
    if wanted is not None and st.session_state.get("coverage-place") != place:
        st.session_state["coverage-page"] = numbers.index(wanted) // PAGE + 1
    st.session_state["coverage-place"] = place
    page = int(st.session_state.get("coverage-page", 1))
    if page > pages:
        page = st.session_state["coverage-page"] = pages
    return page - 1


def shown_to_selected(covered: Covered, look: Look) -> dict[int, list[Span]]:
    """What the selected node was shown, by document; of a group what its members were."""
    mark = look.selected
    if not look.place.node or mark is None or mark.kind in ("run", "answer"):
        return {}
    members = mark.members if mark.id == look.place.node else (look.place.node,)
    return covered.shown_to(backend.read(look.sheet.id, spans_of, members) or ())


def _chosen(covered: Covered, look: Look) -> tuple[int, Span] | None:
    """The document and the characters that are ringed: the place that is selected, or that of the selected finding."""
    if look.place.document:
        document = backend.document_of(look.sheet.task.corpus, look.place.document)
        if document is None:
            return None
        char = min(look.place.char, max(0, document.chars - 1))
        return document.index, covered.place_around(document.index, char) or (char, char + 1)
    finding = next((each for each in look.reading.findings if each.span == look.place.node), None)
    found = finding.verdict if finding else None
    document = backend.document_of(look.sheet.task.corpus, found.document) if found and found.document else None
    if found is None or document is None or found.start is None or found.end is None:
        return None
    return document.index, (found.start, found.end)


def _cited(look: Look) -> dict[str, dict[Span, str]]:
    """What is cited where, by the path of the document."""
    cited: dict[str, dict[Span, str]] = {}
    for each in look.reading.findings:
        found = each.verdict
        if found and found.document and found.start is not None and found.end is not None:
            cited.setdefault(found.document, {})[found.start, found.end] = f"{each.item}: {each.label}"
    return cited
