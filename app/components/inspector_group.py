"""The inspector of a group: how its members ended, what they cost, a table of them, and what their prompts share."""

from __future__ import annotations

import os
from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components import facts as figures
from app.components import inspector_words as words
from app.components import text
from app.components.inspector_parts import tabs
from app.components.marks import spent
from app.components.run_words import Figure
from app.components.tables import figures_right, height
from app.look import Look
from app.node_places import members_of
from app.node_shapes import Member
from rlm_core import wording
from rlm_core.folding import STOPPED, Mark
from rlm_core.plain import plain, plain_line
from rlm_core.wording import exact

ROW_HEIGHT = 30
SHOWN_ROWS = 14
READ_WHOLE = 500
"""In groups up to this size the prompts are read whole, so that all of what they share can be shown."""
WORTH_LEAVING_OUT = 20
EXAMPLES = 3


def group(mark: Mark, look: Look) -> None:
    members = backend.read(look.sheet.id, members_of, mark.members, look.reading.items) or []
    figures.show(group_figures(mark, members, free=look.sheet.free), "node-figures")
    kept = tabs("group", {"members": f"Members {len(members):,}", "prompts": "Prompts"})
    prompts = [text.whole(each.asked) if len(members) <= READ_WHOLE else each.asked.head for each in members]
    shared, rests = parted(prompts)
    if kept == "members":
        _table(mark, members, rests, look)
    else:
        _prompts(shared, rests, members)


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


def _table(mark: Mark, members: Sequence[Member], rests: Sequence[str], look: Look) -> None:
    key = f"members-{mark.id}"

    def selected() -> None:
        cells = st.session_state[key]["selection"]["cells"]
        if cells and cells[0][0] < len(members):
            links.select(members[cells[0][0]].span)

    st.dataframe(
        table(members, rests, free=look.sheet.free),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(members), ROW_HEIGHT, SHOWN_ROWS),
        key=key,
        on_select=selected,
        selection_mode="single-cell",
        alt="Members of this group",
        column_config=figures_right("Cost", "Time", "In", "Out"),
    )
    said = (
        f"{wording.m_of_n(SHOWN_ROWS, len(members))} in sight, scroll for the rest. "
        if len(members) > SHOWN_ROWS
        else ""
    )
    st.caption(f"{said}Click a row to see it.")


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


def parted(prompts: Sequence[str]) -> tuple[str, list[str]]:
    """What all prompts begin with, back to the start of a line or a word; and the rest of each."""
    shared = os.path.commonprefix(list(prompts)) if len(prompts) > 1 else ""  # noqa: RUF071  # of characters, as meant
    start = max(shared.rfind("\n"), shared.rfind(" ")) + 1
    if start <= WORTH_LEAVING_OUT:
        return "", list(prompts)
    return prompts[0][:start], [prompt[start:] for prompt in prompts]


def _prompts(shared: str, rests: Sequence[str], members: Sequence[Member]) -> None:
    if shared:
        st.markdown(f"**Shared** :gray[all {len(members):,} begin with these {exact(len(shared), 'character')}]")
        text.output(shared, "template", "template")
        st.markdown("**Varying** :gray[then each goes on with its own]")
    else:
        st.caption("These prompts have no long beginning in common.")
    for member, rest in list(zip(members, rests, strict=True))[:EXAMPLES]:
        st.text(plain_line(member.name, 80))
        st.code(plain(rest[:600]) + ("…" if len(rest) > 600 else ""), None, wrap_lines=True)
    if len(members) > EXAMPLES:
        st.caption(f"{wording.m_of_n(EXAMPLES, len(members))} are shown. Click one in the table to read it whole.")
