"""What the prompts of a group share, with the part that varies marked in one of them. A component that writes text only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import streamlit as st

from app.components.text import cut
from app.places import STATIC
from rlm_core import wording
from rlm_core.plain import plain
from rlm_core.template import Template

KEY = "prompt-template"
HEAD_CHARS, TAIL_CHARS = 700, 250
_component = st.components.v2.component(
    "prompt_template",
    html='<pre class="template"></pre>',
    css=(STATIC / "prompt_template.css").read_text(encoding="utf-8"),
    js=(STATIC / "prompt_template.js").read_text(encoding="utf-8"),
)


def show(template: Template, varying: Sequence[str], key: str = KEY) -> None:
    """`varying`: what stands in the place of each part that varies."""
    _component(key=key, height="content", data=data(template, varying))


def data(template: Template, varying: Sequence[str]) -> dict[str, Any]:
    """Pieces of text, each with what it is: `same`, `varies`, or `gap`, which says how much is left out."""
    pieces = [
        piece
        for same, varies in zip_longest(template.fixed, varying, fillvalue="")
        for piece in (("same", same), ("varies", varies))
    ]
    return {"pieces": [piece for kind, text in pieces if text for piece in _pieces(kind, text)]}


def _pieces(kind: str, text: str) -> list[list[str]]:
    head, missing, tail = cut(text, HEAD_CHARS, TAIL_CHARS)
    if not missing:
        return [[kind, plain(text)]]
    return [[kind, plain(head)], ["gap", f"… {wording.exact(missing, 'character')} …"], [kind, plain(tail)]]
