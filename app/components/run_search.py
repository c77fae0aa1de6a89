"""The search of a run: one field above its tree, how many nodes have the words, and the way from one to the next.

The words and the node that is shown stand in the address; what was found is kept by `backend`. `data` is pure.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import backend, keys, links
from app.places import STATIC
from rlm_core import wording
from rlm_core.looks.look import Look

KEY = "run-search"
STEPS = {"next": 1, "before": -1}
_component = st.components.v2.component(
    "run_search",
    html='<div class="run-search" role="search"></div>',
    css="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("marks.css", "run_search.css")),
    js="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("typing.js", "run_search.js")),
)


def show(look: Look) -> None:
    def asked() -> None:
        sent = st.session_state[KEY].asked or {}
        seek(look, str(sent.get("words", "")), STEPS.get(str(sent.get("way")), 0))

    _component(key=KEY, height="content", data=data(look), on_asked_change=asked)


def seek(look: Look, words: str, step: int) -> None:
    """Look for words, or select the next or the previous node that has them. From the last the way leads to the first."""
    words = words[: links.MAX_FIND_CHARS].strip()
    hits = backend.found(look.sheet.id, words).hits if words and step else ()
    if not hits:
        links.look_for(words)
        return
    spans, place = [hit.span for hit in hits], links.place(look.sheet.id)
    last = place.hit - 1 if place.find == words else -1
    now = spans.index(place.node) if place.node in spans else last
    to = (max(now, 0) + step if step < 0 else now + step) % len(spans)
    links.look_for(words, to + 1)
    links.select(spans[to])


def data(look: Look) -> dict[str, Any]:
    return {
        "run": look.place.run,
        "words": look.place.find,
        "hits": len(look.hits),
        "count": count(look),
        "where": where(look),
        "max": links.MAX_FIND_CHARS,
        "keys": keys.bindings(keys.SEARCH),
    }


def count(look: Look) -> str:
    """`3 of 128`; of what is not gone through yet, `128 nodes`."""
    if look.found is None:
        return ""
    if not look.hits:
        return "not in this run"
    at = look.at_hit
    return wording.m_of_n(at, len(look.hits)) if at else wording.exact(len(look.hits), "node")


def where(look: Look) -> str:
    hit = look.hits.get(look.place.node or "")
    return f"in {', '.join(hit.parts)}" if hit else ""
