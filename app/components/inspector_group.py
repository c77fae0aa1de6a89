"""The inspector of a group: how its members ended, what they cost, a table of them, and what their prompts share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from app import backend, links
from app.components import facts as figures
from app.components import inspector_words as words
from app.components import prompt_template, text
from app.components.inspector_parts import tabs
from app.components.tables import clicked, figures_right, height
from app.group_prompts import prompts_of, varies
from rlm_core import wording
from rlm_core.folding import Mark
from rlm_core.likeness import STOPPED
from rlm_core.looks.look import Look
from rlm_core.looks.marks import spent
from rlm_core.looks.node_places import members_of
from rlm_core.looks.node_shapes import Member
from rlm_core.looks.run_words import Figure
from rlm_core.plain import plain, plain_line
from rlm_core.template import Template, template_of
from rlm_core.wording import exact

ROW_HEIGHT = 30
SHOWN_ROWS = 14
ROWS = 50
"""On a page of the table."""
EXAMPLES = 3


def group(mark: Mark, look: Look) -> None:
    members = backend.read(look.sheet.id, members_of, mark.members, look.reading.items) or []
    figures.show(group_figures(mark, members, free=look.sheet.free), "node-figures")
    kept = tabs("group", {"members": f"Members {len(members):,}", "prompts": "Prompts"})
    prompts = prompts_of(members, text.whole)
    template = template_of(list(prompts.values()))
    if kept == "members":
        _table(mark, members, template, prompts, look)
    else:
        _prompts(template, prompts, members)
    if st.session_state.get("view") != "Group":
        st.button(
            "See the whole group",
            icon=":material/bar_chart:",
            type="tertiary",
            key="group-open",
            on_click=links.show_view,
            args=("Group",),
            help="How it spreads, who stands out, and a table that can be sorted.",
        )


def group_figures(mark: Mark, members: Sequence[Member], *, free: bool = False) -> list[Figure]:
    """How many ended how, cost, time of all and of one, tokens, and how many are cited."""
    ok = sum(each.status in words.OK for each in members)
    stopped = sum(each.status in STOPPED for each in members)
    failed = len(members) - ok - stopped - mark.running
    said = [Figure("Members", f"{len(members):,}", words.counted(ok, failed, stopped, mark.running))]
    cost = words.sum_of_costs(mark.subtree, running=mark.running, free=free)
    said.append(cost)
    spread = f"p50 {wording.seconds(mark.p50_s)}, p95 {wording.seconds(mark.p95_s)}" if mark.p50_s is not None else ""
    said.append(Figure("Time in sum", wording.seconds(mark.calls_s), spread))
    said.append(words.sum_of_tokens(mark.subtree, running=mark.running))
    return [*said, Figure("Cited", f"{mark.cited:,}")] if mark.cited else said


def _table(mark: Mark, members: Sequence[Member], template: Template, prompts: Mapping[str, str], look: Look) -> None:
    """A page of the members; all that is known of them is in the view of the group."""
    pages = -(-len(members) // ROWS)
    page = st.pagination(pages, key=f"members-page-{mark.id}", max_visible_pages=3) if pages > 1 else 1
    shown = members[(page - 1) * ROWS : page * ROWS]
    key = f"members-{mark.id}-{page}"

    def selected() -> None:
        if each := clicked(key, shown):
            links.select(each.span)

    st.dataframe(
        table(shown, [varies(each, template, prompts) for each in shown], free=look.sheet.free),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(shown), ROW_HEIGHT, SHOWN_ROWS),
        key=key,
        on_select=selected,
        selection_mode="single-cell",
        alt="Members of this group",
        column_config=figures_right("Cost", "Time", "In", "Out"),
    )
    part = f"{wording.m_of_n(len(shown), len(members))} on this page. " if pages > 1 else ""
    st.caption(f"{part}Click a row to see it.")


def table(members: Sequence[Member], rests: Sequence[str], *, free: bool = False) -> list[dict[str, str]]:
    """One row a member in their order, all of it text. The cost of free runs and tokens that nobody knows are left out: the
    figures of the group say so."""
    without_tokens = all(each.totals.calls_without_usage for each in members)
    return [
        {
            "Name": plain_line(each.name, 80),
            "Status": words.state(each.status)[0],
            **({} if free else {"Cost": spent(each.totals)}),
            "Time": words.took(each.elapsed_s),
            **({} if without_tokens else _tokens(each)),
            "Asked": plain_line(rest, 200),
        }
        for each, rest in zip(members, rests, strict=True)
    ]


def _tokens(member: Member) -> dict[str, str]:
    known = not member.totals.calls_without_usage
    return {
        "In": wording.count(member.totals.input_tokens if known else None),
        "Out": wording.count(member.totals.output_tokens if known else None),
    }


def _prompts(template: Template, prompts: Mapping[str, str], members: Sequence[Member]) -> None:
    if shared := template.chars:
        many = wording.m_of_n(len(prompts), len(members)) if len(prompts) < len(members) else f"all {len(members):,}"
        st.markdown(f"**Shared** :gray[{many} have these {exact(shared, 'character')} in common]")
        prompt_template.show(template, ["…"] * (len(template.fixed) - 1), "shared-prompt")
        st.markdown("**Varying** :gray[each has its own there]")
    else:
        st.caption("These prompts have no long beginning or end in common.")
    for member in [each for each in members if each.span in prompts][:EXAMPLES]:
        rest = "\n…\n".join(template.varying(prompts[member.span]))
        st.text(plain_line(member.name, 80))
        st.code(plain(rest[:600]) + ("…" if len(rest) > 600 else ""), None, wrap_lines=True)
    if len(members) > EXAMPLES:
        st.caption(f"{wording.m_of_n(EXAMPLES, len(members))} are shown. Click one in the table to read it whole.")
