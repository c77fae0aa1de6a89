"""What all kinds of nodes share in the inspector: the head, tabs that stay where they were, long texts, and raw events."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app import backend, links
from app.components import text
from app.components.kinds import icon
from app.components.text import escaped
from rlm_core import wording
from rlm_core.looks.look import Look
from rlm_core.looks.marks import Kind
from rlm_core.looks.node_places import raw_of
from rlm_core.passages import Passage
from rlm_core.plain import plain
from rlm_core.wording import exact

WHOLE_CHARS = 200_000
"""Of a text that is unfolded, so much is shown; the rest is in the file."""
WHOLE_PX = 480
BRIEF = (420, 140)
"""Characters of the head and the tail of a prompt, so that the reply is seen below it."""
DRAWER = "drawer"
"""In the session: whether the drawer of a narrow window is open."""
Badge = tuple[str, str]
"""Words, and a colour of the theme."""


def head(kind: Kind, title: str, beside: str, badges: Sequence[Badge], says: str) -> None:
    """Shape, name, where it is, how it ended; and what such a thing is."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small", key="node-head"
    ):
        st.markdown(f"{icon(kind)} **{escaped(title)}** :gray[{escaped(beside)}]", width="content")
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="node-state"):
            st.markdown(" ".join(f":{colour}-badge[{escaped(words)}]" for words, colour in badges), width="content")
            _drawer()
    with st.container(key="node-says"):
        st.caption(escaped(says))


def _drawer() -> None:
    """In a narrow window the inspector is a drawer that shows the most telling lines, and opens to the rest; `theme.css`
    hides this button everywhere else."""
    opened = bool(st.session_state.get(DRAWER))
    st.button(
        "Less" if opened else "More",
        icon=":material/keyboard_arrow_down:" if opened else ":material/keyboard_arrow_up:",
        type="tertiary",
        key="drawer-close" if opened else "drawer-open",
        on_click=_turn_drawer,
        args=(not opened,),
    )


def _turn_drawer(opened: bool) -> None:
    st.session_state[DRAWER] = opened


def way(steps: Sequence[tuple[str, str, str | None]], beside: Callable[[], None] = lambda: None) -> None:
    """Buttons that move the selection: icon, words, and where to; those that lead nowhere stand still. `beside` draws more."""
    with st.container(horizontal=True, gap="small", key="node-way"):
        for number, (symbol, words, to) in enumerate(steps):
            st.button(
                escaped(words),
                icon=f":material/{symbol}:",
                type="tertiary",
                key=f"way-{number}",
                disabled=to is None,
                on_click=links.select,
                args=(to,),
            )
        beside()


def tabs(kind: str, labels: Mapping[str, str]) -> str:
    """Tabs, one of which is open: which one stays the same from node to node of a kind, also where its label counts."""
    names, shown = list(labels), list(labels.values())
    key, remembered = f"tabs-{kind}-{'-'.join(shown)}", f"open-tab-{kind}"
    if key not in st.session_state:
        chosen = st.session_state.get(remembered, names[0])
        st.session_state[key] = labels.get(chosen, shown[0])

    def keep() -> None:
        st.session_state[remembered] = names[shown.index(st.session_state[key])]

    drawn = st.tabs(shown, key=key, on_change=keep)
    return next((name for name, tab in zip(names, drawn, strict=True) if tab.open), names[0])


def failure(span: str, look: Look) -> Kind:
    """The shape of what went wrong with a node; a quieter one where it was made good later."""
    return "mended" if span in look.reading.mended else "failed"


def evidence_tab(look: Look, findings: Sequence[object] = ()) -> dict[str, str]:
    """The tab of what a node was shown and what rests on it, where there is an archive or a finding to speak of."""
    if findings:
        return {"evidence": f"Evidence {len(findings)}"}
    return {"evidence": "Evidence"} if look.sheet.task.corpus else {}


def long_text(
    title: str, said: Passage, key: str, *, kind: str = "text", beside: str = "", brief: bool = False
) -> None:
    """A text with its length; a long one is cut, and can be shown or downloaded whole. `brief`: something follows that must
    stay in sight."""
    whole = backend.whole(said)
    chars, tail_chars = BRIEF if brief else (text.HEAD_CHARS, text.TAIL_CHARS)
    _, missing, _ = text.cut(whole, chars, tail_chars)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        st.markdown(f"**{escaped(title)}**", width="content")
        st.caption(escaped(" · ".join(filter(None, [beside, exact(len(whole), "character")]))), width="content")
    if not whole:
        st.caption("It is empty.")
        return
    if missing and st.toggle(f"All {len(whole):,} characters", key=f"whole-{key}"):
        st.code(plain(whole[:WHOLE_CHARS]), None, wrap_lines=True, height=WHOLE_PX)
        if len(whole) > WHOLE_CHARS:
            st.caption(f"{wording.m_of_n(WHOLE_CHARS, len(whole))} characters are shown. The file has all.")
        download(whole, key, kind)
    else:
        text.output(whole, key, kind, chars, tail_chars)


def download(whole: str, key: str, kind: str) -> None:
    st.download_button(
        f"Download all {len(whole):,}",
        lambda: whole,  # made when it is clicked: a file made beforehand is gone with the next run of the page
        file_name=f"{kind}.txt",
        mime="text/plain",
        key=f"file-{key}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )


def raw(run: str, span: str) -> None:
    """The events of a node as JSON, as text."""
    events = backend.read(run, raw_of, span) or []
    st.caption(
        f"{exact(len(events), 'event')}, as stored. Of a long text the beginning and its length stand here: "
        "it is stored once, by its hash."
    )
    text.output(json.dumps(events, indent=2, ensure_ascii=False, default=str), f"raw-{span}", "events")


def open_source(run: str, finding: str | None, words: str = "Show in document") -> None:
    """The way to a finding's quote in its document, or to all of them."""
    st.page_link(
        links.EVIDENCE,
        label=words,
        icon=":material/open_in_new:",
        query_params=links.evidence_query(run, finding),
    )
