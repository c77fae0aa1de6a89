"""A long text in the place of the reader: page after page, with a search in it and the whole of it as a file.

Never more than a page is sent to the browser. Which text is open is remembered by the session; to select something else
closes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import backend, links, long_texts
from app.components import file_link
from app.components.text import escaped
from app.places import STATIC
from app.text_pages import MOST_HITS, hits_of, page_with, pages_of, pieces
from rlm_core import wording
from rlm_core.looks.look import Look
from rlm_core.plain import plain, plain_line

KEY = "text-page"
OPEN = "reader-text"
PAGE, FIND, HIT, ASKED = "text-page-number", "text-find", "text-hit", "text-asked"
_component = st.components.v2.component(
    "text_page",
    html='<div class="text-page"></div>',
    css=(STATIC / "text_page.css").read_text(encoding="utf-8"),
    js=(STATIC / "text_page.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True, slots=True)
class Opened:
    run: str
    span: str
    what: str


def open_text(run: str, asked: str) -> None:
    """Open a text in the place of the reader: `SPAN what`. What the run is searched for is looked for in it at once. Called
    from callbacks."""
    span, _, what = asked.rpartition(" ")
    close()
    st.session_state[OPEN] = Opened(run, span, what)
    if find := links.place(run).find:
        st.session_state[FIND], st.session_state[ASKED] = find, True
    links.select(span)


def close() -> None:
    for name in (OPEN, PAGE, FIND, HIT, ASKED):
        st.session_state.pop(name, None)


def opened(look: Look) -> Opened | None:
    """The text that is open, unless something else was selected since."""
    found: Opened | None = st.session_state.get(OPEN)
    return found if found and (found.run, found.span) == (look.place.run, look.place.node) else None


def show(look: Look, asked: Opened) -> None:
    said = backend.read(asked.run, long_texts.text_of, asked.span, asked.what)
    _head(look, asked)
    if said is None:
        st.caption("It is empty.")
        return
    text = backend.whole(said)
    pages = pages_of(text)
    hits = hits_of(text, st.session_state.get(FIND, "").strip())
    chosen = min(st.session_state.get(HIT, 0), len(hits) - 1) if hits else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="text-ways"):
        _search(hits, chosen, [page_with(pages, start) for start, _ in hits])
        if len(pages) > 1:
            st.pagination(len(pages), key=PAGE, max_visible_pages=5)
    page = pages[min(st.session_state.get(PAGE, 1), len(pages)) - 1]
    st.caption(
        f"{wording.m_of_n(page.end - page.start, len(text))} characters, from line {page.line:,} on."
        if len(pages) > 1
        else wording.exact(len(text), "character")
    )
    shown = [(kind, plain(each)) for kind, each in pieces(text, page, hits, chosen)]
    _component(key=KEY, height="content", data={"pieces": shown, "place": f"{asked.span} {page.start} {chosen}"})


def _head(look: Look, asked: Opened) -> None:
    name = look.names.get(asked.span)
    title = plain_line(name.title, 60) if name else asked.span
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small", key="text-head"
    ):
        st.button("Back to the run", icon=":material/arrow_back:", type="tertiary", on_click=close, key="text-back")
        st.markdown(f"**{escaped(asked.what.capitalize())}** of {escaped(title)}", width="content")
        file_link.show("Save as text", asked.run, asked.what, "text-file", "all of it, unchanged", node=asked.span)


def _search(hits: Sequence[tuple[int, int]], chosen: int | None, pages: Sequence[int]) -> None:
    """A field for words, how often they stand there, and the ways from one to the next."""

    def go(to: int) -> None:
        if hits:
            st.session_state[HIT] = to % len(hits)
            st.session_state[PAGE] = pages[to % len(hits)] + 1

    def asked() -> None:
        st.session_state[HIT] = 0
        st.session_state[ASKED] = True

    st.text_input(
        "Find in this text",
        key=FIND,
        placeholder="Find in this text",
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=asked,
        width=230,
    )
    if not st.session_state.get(FIND, "").strip():
        return
    if chosen is None:
        st.caption("not found", width="content")
        return
    if st.session_state.pop(ASKED, False):
        st.session_state[PAGE] = pages[chosen] + 1
    more = "+" if len(hits) == MOST_HITS else ""
    st.caption(f"{wording.m_of_n(chosen + 1, len(hits))}{more}", width="content")
    for symbol, words, step in (("arrow_upward", "Previous", -1), ("arrow_downward", "Next", 1)):
        key, to = f"text-{step}", chosen + step
        st.button(words, icon=f":material/{symbol}:", type="tertiary", key=key, on_click=go, args=(to,))
