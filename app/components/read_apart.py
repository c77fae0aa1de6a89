"""Items whose entries no model saw together, each in a line that leads to the calls that saw one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import streamlit as st

from app import backend, links
from app.components.seers import title_of
from app.components.text import escaped
from rlm_core import wording
from rlm_core.evidence.split_items import SplitItem
from rlm_core.looks.look import Look
from rlm_core.plain import plain_line

LISTED = 5
SHOWN_NODES = 4


def show(items: Sequence[SplitItem], look: Look) -> None:
    if not items:
        return
    with st.container(gap="xsmall", key="read-apart"):
        st.markdown("**Entries that no model saw together**")
        for number, each in enumerate(items[:LISTED]):
            _line(number, each, look)
        counted = f"{wording.m_of_n(LISTED, len(items))} such items are listed. " if len(items) > LISTED else ""
        st.caption(f"{counted}Where an item is judged by all that is written of it, look again: each knew only a part.")


def _line(number: int, item: SplitItem, look: Look) -> None:
    entries = wording.read_apart(len(item.entries), len(item.calls), len(item.frames))
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"apart-{number}"):
        st.markdown(f"{escaped(plain_line(item.item, 60))}: {entries}", width="content")
        nodes = dict.fromkeys(node for entry in item.entries for node in entry.nodes)
        for node in islice(nodes, SHOWN_NODES):
            words = backend.read(look.sheet.id, title_of, node) or node
            st.button(
                escaped(words), key=f"apart-{number}-{node}", type="tertiary", on_click=links.select, args=(node,)
            )
        if len(nodes) > SHOWN_NODES:
            st.caption(f"{len(nodes) - SHOWN_NODES:,} more", width="content")
