"""What a run asks a person before it sends a large batch, above everything else of it, with the two answers as buttons."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components.trouble import tell, told_later
from rlm_core import events as ev
from rlm_core import wording
from rlm_core.looks.look import Look
from rlm_core.waiting import open_approval

LATE = "approval-late"


def show(look: Look) -> None:
    asked = look.sheet.approval
    if asked is None:
        return
    run = look.sheet.id
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="approval-banner"
    ):
        with st.container(gap=None):
            st.text(headline(asked))
            st.caption(
                "The run waits, and its clock stands still. If you refuse, the model is told so and goes on without."
            )
        with st.container(horizontal=True, gap="small", width="content", vertical_alignment="center"):
            st.button("The code", type="tertiary", key="approval-code", on_click=_show_code, args=(run,))
            st.button("Refuse", key="approval-refuse", icon=":material/block:", on_click=_answer, args=(run, False))
            st.button(
                "Approve",
                type="primary",
                key="approval-grant",
                icon=":material/check:",
                on_click=_answer,
                args=(run, True),
            )
    tell(LATE)


def headline(asked: ev.ApprovalAsked) -> str:
    """`The code wants to make 310 helper calls, which may cost ~$0.41.`"""
    return f"The code wants to make {wording.batch(asked.calls, asked.estimated_usd)}."


def _answer(run: str, granted: bool) -> None:
    with told_later(LATE):  # somebody else may be faster
        backend.approve(run, granted)


def _show_code(run: str) -> None:
    waits = backend.read(run, open_approval)
    links.select(waits[0] if waits else None)
