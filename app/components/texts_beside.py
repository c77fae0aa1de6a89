"""Texts of two nodes one above the other, what differs marked word by word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.components import word_diff
from app.components.text import escaped
from app.node_differences import Texts
from rlm_core import wording


def show(texts: Sequence[Texts], heads: tuple[str, str], key: str) -> None:
    """`heads` say whose each side is."""
    for number, each in enumerate(texts):
        _text(each, heads, f"{key}-{number}")


def _text(each: Texts, heads: tuple[str, str], key: str) -> None:
    st.markdown(f"**{escaped(each.title)}** :gray[{escaped(said_of(each))}]")
    if each.differs is None:
        return
    if all(part.kind == "same" for part in each.differs.parts):
        st.caption("Both have the same words: case, spacing or punctuation differs.")
        return
    word_diff.show_sides(each.differs, heads, key)


def said_of(each: Texts) -> str:
    """What is left out of a comparison."""
    if each.differs is None:
        return f"the same, {wording.exact(each.chars, 'character')}"
    said = [f"{wording.exact(each.shared_chars, 'character')} that both share not shown"] if each.shared_chars else []
    return "; ".join([*said, *(["only the beginning of what differs is compared"] if each.cut else [])])
