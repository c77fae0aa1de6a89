"""A group of a run, read as a whole: the prompt that its members share, how time, cost and replies spread, who stands out, what
failed, and a table of all. A click anywhere selects a member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from app import backend, links
from app.components import facts as figures
from app.components import group_chart, group_table, prompt_template
from app.components import inspector_words as words
from app.components.inspector_group import group_figures
from app.components.kinds import icon
from app.components.selection import in_chart
from app.components.text import escaped, whole
from app.group_facts import (
    MEASURES,
    Failure,
    Outlier,
    failures_of,
    group_around,
    groups_of,
    measured,
    outliers_of,
    spread_of,
)
from app.group_prompts import prompts_of
from app.group_replies import Replies, replies_of
from rlm_core import wording
from rlm_core.events import RUN_SPAN
from rlm_core.folding import Mark
from rlm_core.looks.look import Look
from rlm_core.looks.marks import Kind, kind_of, part_cost
from rlm_core.looks.node_places import failed_beside, members_of
from rlm_core.looks.node_shapes import Member
from rlm_core.passages import short
from rlm_core.plain import plain_line
from rlm_core.template import Template, template_of

CHART = "group-chart"


def show(look: Look) -> None:
    mark = group_around(look.tree, look.selected)
    if mark is None:
        group_table.choose(look, groups_of(look.tree))
        return
    with st.container(gap="small", key="group-view"):
        _group(mark, look)


def _group(mark: Mark, look: Look) -> None:
    members = backend.read(look.sheet.id, members_of, mark.members, look.reading.items) or []
    kind = kind_of(mark, look.tree, look.reading.mended)
    _head(mark, kind, look)
    figures.show(group_figures(mark, members, free=look.sheet.free), "group-figures")
    prompts = prompts_of(members, whole)
    template = template_of(list(prompts.values()))
    _template(members, prompts, template, look.place.node)
    _chart(members, kind, look)
    _replies(replies_of(members))
    _outliers(outliers_of(members), look)
    _failures(mark, members, look)
    group_table.show(mark, members, template, prompts, look)


def _head(mark: Mark, kind: Kind, look: Look) -> None:
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small", key="group-head"
    ):
        said, colour = words.state(mark.status)
        title = plain_line(look.names[mark.id].title, 80)
        st.markdown(f"{icon(kind)} **{escaped(title)}** :{colour}-badge[{escaped(said)}]", width="content")
        st.button(
            "All groups",
            icon=":material/list:",
            type="tertiary",
            key="group-all",
            on_click=links.select,
            args=(RUN_SPAN,),
        )


def _template(members: Sequence[Member], prompts: Mapping[str, str], template: Template, selected: str | None) -> None:
    """The prompt with what varies marked: as it was for the selected member, or for the first."""
    cut = f" (of {wording.m_of_n(len(prompts), len(members))})" if len(prompts) < len(members) else ""
    shown = selected if selected in prompts else next(iter(prompts), None)
    if shown is None or not template.fixed:
        st.caption(f"Their prompts{cut} have nothing in common that is worth showing.")
        return
    name = next(each.name for each in members if each.span == shown)
    shared = wording.exact(template.chars, "character")
    said = f"{shared} shared by all{cut}; marked: what varies, here of {plain_line(name, 40)}"
    st.markdown(f"**Prompt** :gray[{escaped(said)}]")
    prompt_template.show(template, template.varying(prompts[shown]))


def _chart(members: Sequence[Member], kind: Kind, look: Look) -> None:
    wanted = [each for each in MEASURES if not (each == "cost" and look.sheet.free)]
    spreads = [spread for each in wanted if (spread := spread_of(members, each))]
    unknown = [group_chart.TITLES[each].lower() for each in wanted if each not in {one.measure for one in spreads}]
    if unknown:
        st.caption(f"Of no member is known: {', '.join(unknown)}.")
    if not spreads:
        return

    chosen = next((each for each in members if each.span == look.place.node), None)
    st.plotly_chart(
        group_chart.figure(
            spreads,
            [measured(chosen, each.measure) if chosen else None for each in spreads],
            kind,
            dark=st.context.theme.type == "dark",
        ),
        key=CHART,
        on_select=in_chart(CHART),
        selection_mode="points",
        config={"displayModeBar": False, "doubleClick": False},
        alt="How time, cost and length of reply spread over the members; the table below has them all",
    )
    mark = "dot to select its member" if spreads[0].singly else "bar to select the member in its middle"
    st.caption(f"Lines: median, and dotted the 95th percentile. Click a {mark}.")


def _replies(found: Sequence[Replies]) -> None:
    if not found:
        return
    st.markdown("**What they replied**")
    with st.container(horizontal=True, gap="small", key="group-replies"):
        for number, each in enumerate(found):
            _to(f"{each.count:,} × {each.says}", each.member.span, f"replies-{number}")


def _outliers(found: Sequence[Outlier], look: Look) -> None:
    if not found:
        return
    st.markdown("**Who stands out**")
    with st.container(horizontal=True, gap="small", key="group-outliers"):
        for each in found:
            if each.why == "dearest" and look.sheet.free:
                continue
            _to(outlier_in_words(each), each.member.span, f"outlier-{each.why}")


def outlier_in_words(outlier: Outlier) -> str:
    member = outlier.member
    name = plain_line(member.name, 24)
    match outlier.why:
        case "slowest":
            return f"slowest: {name}, {words.took(member.elapsed_s)}"
        case "dearest":
            return f"dearest: {name}, {part_cost(member.totals.cost_usd)}"
        case "longest" | "shortest":
            return f"{outlier.why} reply: {name}, {wording.exact(member.reply.chars, 'character')}"
        case "empty":
            return f"{wording.exact(outlier.count, 'empty reply', 'empty replies')}: {name}"
    return f"begins as no other: {name}, “{plain_line(member.reply.head, 24)}”"


def _failures(mark: Mark, members: Sequence[Member], look: Look) -> None:
    """In how many ways members failed; in a group of what went well, those that were asked beside it and failed."""
    within = failures_of(members)
    beside = failures_of(backend.read(look.sheet.id, failed_beside, mark.members, look.reading.items) or [])
    for title, found in (("Failures", within), ("Failed beside this group", beside)):
        if found:
            st.markdown(f"**{title}**")
            with st.container(horizontal=True, gap="small", key=f"group-failures-{title.split()[-1].lower()}"):
                for number, each in enumerate(found):
                    _to(failure_in_words(each), each.member.span, f"failure-{title.split()[-1].lower()}-{number}")


def failure_in_words(failure: Failure) -> str:
    said = plain_line(short(failure.member.error), 60)
    many = f"{failure.count:,} × " if failure.count > 1 else ""
    return f"{many}{plain_line(failure.kind, 30).replace('_', ' ')}: {plain_line(failure.member.name, 24)}" + (
        f", {said}" if said else ""
    )


def _to(said: str, span: str, key: str) -> None:
    st.button(escaped(said), type="tertiary", key=key, on_click=links.select, args=(span,))
