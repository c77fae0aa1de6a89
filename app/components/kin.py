"""The runs that a run goes on from and that go on from it, in one line with links; and taking it up where it broke off."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.backend import Later
from app.components.text import escaped
from app.components.trouble import told
from rlm_core import wording
from rlm_core.lineage import Prefix
from rlm_core.looks.look import Look
from rlm_core.plain import plain

SHOWN = 3
"""Of the runs that go on from one; more are counted."""


def show(look: Look) -> None:
    sheet = look.sheet
    later = backend.later_runs(sheet.id)
    if sheet.origin is None and not later:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="kin"):
        if sheet.origin is not None:
            st.caption("goes on from", width="content")
            _link(sheet.origin.run, node=_turn(sheet.origin.fork.turn) if sheet.origin.fork else None)
            st.caption(escaped(wording.goes_on(sheet.origin)), width="content")
            both = links.compare_query([sheet.origin.run, sheet.id])
            st.page_link(links.COMPARE, label="Compare the two", query_params=both)
        for label, runs in (("continued in", _taken_up(later)), ("forked in", _forks(later))):
            if runs:
                st.caption(label, width="content")
            for each in runs[-SHOWN:]:
                _link(each.run, f" at turn {each.turn}" if each.turn else "")
            if len(runs) > SHOWN:
                st.caption(f"and {len(runs) - SHOWN:,} earlier ones", width="content")


def resume_button(look: Look, label: str = "Resume", *, accept: bool = False, key: str = "resume") -> None:
    """Take the run up where it broke off, and go to the run that does."""
    sheet = look.sheet
    missing = backend.lacks_archive(sheet)
    if st.button(
        label,
        icon=":material/resume:",
        key=key,
        type="tertiary" if key == "resume" else "secondary",
        disabled=bool(missing),
        help=escaped(plain(missing) or replayed(backend.kept_of(sheet.id))),
    ):
        with told(key):
            links.open_run(backend.resume(sheet.id, accept_divergence=accept))


def replayed(prefix: Prefix) -> str:
    """`Replays 2 turns, 40 calls, $0.41 for nothing.`"""
    said = wording.replayed(prefix.turns, prefix.calls, prefix.usd, prefix.unknown_cost_calls)
    return f"{said[0].upper()}{said[1:]}."


def _taken_up(later: Sequence[Later]) -> list[Later]:
    return [each for each in later if each.turn is None]


def _forks(later: Sequence[Later]) -> list[Later]:
    return [each for each in later if each.turn is not None]


def _turn(number: int) -> str:
    return f"f1.t{number}"


def _link(run: str, more: str = "", node: str | None = None) -> None:
    with st.container(width="content", key=f"kin-{run}"):
        st.page_link(links.RUN, label=escaped(f"{run}{more}"), query_params=links.run_query(run, node=node))
