"""The members of a group as a table, a page of it at a time in the order that is chosen; and the groups of a run to choose from.

A click on a row selects. Figures lie under their texts, so that a click on a column sorts the page by them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st
from pandas.io.formats.style import Styler  # type: ignore[import-untyped]

from app import links
from app.components import inspector_words as words
from app.components.inspector_note import note_in_short
from app.components.tables import clicked, figures_right, height, sortable
from app.group_facts import ORDERS, ordered, page_of
from app.group_prompts import varies
from rlm_core import wording
from rlm_core.folding import Mark
from rlm_core.looks.look import Look
from rlm_core.looks.marks import spent
from rlm_core.looks.node_shapes import Member
from rlm_core.plain import plain_line
from rlm_core.template import Template

ROWS = 100
ROW_HEIGHT = 30
SHOWN_ROWS = 12
FIGURES = ("Time", "Cost", "In", "Out")
GROUPS_SHOWN = 300
TURNED = "group-pages-turned"
"""In the session: what the pages are of and what is selected, how often they were turned to it, and where they began."""


def show(mark: Mark, members: Sequence[Member], template: Template, prompts: Mapping[str, str], look: Look) -> None:
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small", key="group-listed"
    ):
        st.markdown("**Members**", width="content")
        order = st.selectbox("Order", list(ORDERS), key="group-order", label_visibility="collapsed", width=190)
    listed = ordered(members, order or next(iter(ORDERS)))
    page = _page(mark, listed, str(order), look.place.node)
    shown = listed[(page - 1) * ROWS : page * ROWS]
    key = f"group-rows-{mark.id}-{order}-{page}"

    def selected() -> None:
        if each := clicked(key, shown):
            links.select(each.span)

    st.dataframe(
        styled(shown, template, prompts, look),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(shown), ROW_HEIGHT, SHOWN_ROWS),
        key=key,
        on_select=selected,
        selection_mode="single-cell",
        alt="Members of this group",
        column_config={
            "#": st.column_config.NumberColumn(width=45),
            "Varies in": st.column_config.TextColumn(width=190),
            "Reply begins": st.column_config.TextColumn(width=190),
            **figures_right(*FIGURES),
        },
    )
    first = (page - 1) * ROWS + 1
    many = f"{first:,} to {first + len(shown) - 1:,} of {len(listed):,}. " if len(listed) > ROWS else ""
    st.caption(f"{many}Click a row to select it.")


def _page(mark: Mark, listed: Sequence[Member], order: str, selected: str | None) -> int:
    """The page on the screen. It turns by itself to a member that was selected elsewhere, and to the first one where the order
    is another; each time it is a widget of its own, which begins there."""
    pages = -(-len(listed) // ROWS)
    if pages < 2:
        return 1
    now = (mark.id, order, selected)
    before, turns, begun = st.session_state.get(TURNED, ((), 0, 1))
    if before != now:
        same_group, same_list = before[:1] == now[:1], before[:2] == now[:2]
        shown = st.session_state.get(f"group-page-{turns}", begun) if same_list else 1
        wanted = shown if same_group and not same_list else page_of(listed, selected, ROWS, shown)
        turns += wanted != shown or not same_list
        begun = wanted
        st.session_state[TURNED] = (now, turns, begun)
    return st.pagination(pages, default=min(begun, pages), key=f"group-page-{turns}")


def styled(shown: Sequence[Member], template: Template, prompts: Mapping[str, str], look: Look) -> Styler:
    """The rows of a page, with numbers under the texts of figures."""
    texts = rows(shown, template, prompts, look)
    frame, formats = pd.DataFrame(texts), dict[str, Callable[[float], str]]()
    values: dict[str, list[float | None]] = {
        "Time": [each.elapsed_s for each in shown],
        "Cost": [each.cost_usd for each in shown],
        "In": [_tokens(each)[0] for each in shown],
        "Out": [_tokens(each)[1] for each in shown],
    }
    for column in FIGURES:
        if column in frame:
            frame[column], formats[column] = sortable(values[column], [str(row[column]) for row in texts])
    return frame.style.format(formats)


def rows(
    shown: Sequence[Member], template: Template, prompts: Mapping[str, str], look: Look
) -> list[dict[str, str | int]]:
    """What stands in the cells. Columns that would be empty or the same all down are left out."""
    cited, found = look.reading.cited, decided(look)
    names = any(each.span in look.reading.items for each in shown)
    tokens = any(not each.totals.calls_without_usage for each in shown)
    evidence = any(each.span in cited or each.span in found for each in shown)
    noted = any(each.span in look.notes for each in shown)
    return [
        {
            "#": each.number,
            **({"Name": plain_line(each.name, 60)} if names else {}),
            "Varies in": varies(each, template, prompts),
            "Status": words.state(each.status)[0],
            "Reply begins": plain_line(each.reply.head or each.error.head, 120),
            "Time": words.took(each.elapsed_s),
            **({} if look.sheet.free else {"Cost": spent(each.totals)}),
            **({"In": _said(_tokens(each)[0]), "Out": _said(_tokens(each)[1])} if tokens else {}),
            **({"Evidence": _evidence(each.span, cited, found)} if evidence else {}),
            **({"Note": note_in_short(look.notes.get(each.span))} if noted else {}),
        }
        for each in shown
    ]


def decided(look: Look) -> dict[str, str]:
    """Calls whose reply decided a finding, and what it says."""
    return {each.call: f"{each.item}: {each.label}" for each in look.reading.findings if each.call}


def _evidence(span: str, cited: Mapping[str, int], found: Mapping[str, str]) -> str:
    said = [plain_line(found[span], 60)] if span in found else []
    return ", ".join([*said, *([f"cited as {cited[span]}"] if span in cited else [])])


def _tokens(member: Member) -> tuple[int | None, int | None]:
    totals = member.totals
    return (None, None) if totals.calls_without_usage else (totals.input_tokens, totals.output_tokens)


def _said(tokens: int | None) -> str:
    return wording.count(tokens)


def choose(look: Look, groups: Sequence[Mark]) -> None:
    """What to select, and what there is to be selected."""
    st.markdown("**No group is selected**")
    if not groups:
        st.caption(
            "This run has no group: one is made where a cell asks for more than eight alike."
            if not look.sheet.active
            else "This run has no group yet."
        )
        return
    st.caption("A group is what was asked alike more than eight times. Click one here, or anything that lies in one.")
    shown = groups[:GROUPS_SHOWN]

    def selected() -> None:
        if each := clicked("groups", shown):
            links.select(each.id)

    st.dataframe(
        group_rows(shown, look),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(shown), ROW_HEIGHT, 18),
        key="groups",
        on_select=selected,
        selection_mode="single-cell",
        alt="Groups of this run",
        column_config={"Group": st.column_config.TextColumn(width=320), **figures_right("Members", "Cost", "Time")},
    )
    if len(groups) > len(shown):
        st.caption(f"{wording.m_of_n(len(shown), len(groups))} groups are listed. Narrow the tree to see others.")


def group_rows(groups: Collection[Mark], look: Look) -> list[dict[str, str]]:
    return [
        {
            "Group": plain_line(look.names[mark.id].title, 120),
            "In": plain_line(look.names[mark.parent].title, 40) if mark.parent and mark.parent in look.names else "run",
            "Members": f"{len(mark.members):,}",
            "Status": words.state(mark.status)[0],
            **({} if look.sheet.free else {"Cost": spent(mark.subtree)}),
            "Time": f"p50 {wording.seconds(mark.p50_s)}" if mark.p50_s is not None else wording.DOES_NOT_APPLY,
        }
        for mark in groups
    ]
