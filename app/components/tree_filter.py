"""What the tree is narrowed to: pills above it, each with how many nodes it has; several at once, all in the address."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app import links
from rlm_core.looks.look import Look
from rlm_core.narrowing import DEPTH, matching, sort_of

STATES, REST = "tree-only-states", "tree-only-rest"
LABELS = {
    "mended": "made good",
    "paid": "possibly paid",
    "turn": "turns",
    "cell": "cells",
    "call": "calls",
    "search": "searches",
    "frame": "child frames",
}
HELP = """
- **failed**: what failed, and was not made good later; **made good**: asked again with a reply, or repaired by a later cell
- **dear**, **slow**: the twentieth of the nodes that cost most, or took longest
- **cached**: served from a journal, or from a cache of the provider
- **possibly paid**: what it cost is not known, or it ended without a word on its tokens

Of several, any need hold; a kind or a depth must hold as well.
"""


def show(look: Look) -> None:
    facets, only = look.reading.facets, look.place.only
    states, rest = (_offered(facets, only, states=each) for each in (True, False))
    if not states and not rest:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", key="tree-filter"):
        if states:
            _pills("Only these nodes", STATES, states, only)
        with st.popover(_chosen(rest, only), type="tertiary", key="tree-kinds"):
            _pills("Kind and depth", REST, rest, only)
            st.caption(HELP)
    if only and not matching(facets, only):
        with st.container(gap="xxsmall", key="tree-nothing"):
            st.caption(f"No node of this run is among: {', '.join(map(word_of, only))}.")
            st.button("Show all nodes", on_click=links.narrow_tree, args=((),), type="tertiary", key="tree-all")


def labels_of(facets: Mapping[str, frozenset[str]], only: tuple[str, ...]) -> dict[str, str]:
    """Label by word, with its number of nodes: what there is, and what is chosen all the same."""
    words = [*facets, *(word for word in only if word not in facets)]
    return {word: f"{word_of(word)} {len(facets.get(word, ())):,}" for word in words}


def word_of(word: str) -> str:
    return f"depth {word.removeprefix(DEPTH)}" if sort_of(word) == DEPTH else LABELS.get(word, word)


def _offered(facets: Mapping[str, frozenset[str]], only: tuple[str, ...], *, states: bool) -> dict[str, str]:
    return {word: label for word, label in labels_of(facets, only).items() if (sort_of(word) == "state") == states}


def _chosen(offered: Mapping[str, str], only: tuple[str, ...]) -> str:
    return ", ".join(word_of(word) for word in only if word in offered) or "kind, depth"


def _pills(
    label: str, key: str, offered: Mapping[str, str], only: tuple[str, ...], explained: str | None = None
) -> None:
    chosen = [word for word in only if word in offered]
    if st.session_state.get(key) != chosen:  # the address is right: a widget that says otherwise is told
        st.session_state[key] = chosen
    st.pills(
        label,
        list(offered),
        selection_mode="multi",
        key=key,
        format_func=offered.__getitem__,
        label_visibility="collapsed",
        wrap=True,
        on_change=_narrow,
    )


def _narrow() -> None:
    links.narrow_tree([word for key in (STATES, REST) for word in st.session_state.get(key, [])])
