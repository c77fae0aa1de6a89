"""What the inspector says of replay: where a call was really made and what it took there; and a cell that did something else
than before, with what can be done about it."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components import fork_form, kin
from app.components import inspector_words as words
from app.components.text import escaped
from rlm_core import events as ev
from rlm_core.lineage import root_turn_of
from rlm_core.looks.look import Look
from rlm_core.looks.node_shapes import CallFacts
from rlm_core.passages import passage, short
from rlm_core.plain import plain


def from_before(call: CallFacts, look: Look) -> None:
    """Of a call that was not made in this run: which run made it, and what it took there."""
    replayed = call.replayed
    if replayed is None:
        return
    twin = backend.twin(look.sheet.id, call.span, replayed.run)
    with st.container(key="node-replayed", gap="xsmall"):
        if replayed.edited:
            st.text("Written by a person in the place of the model's reply. That reply took:")
            st.text(f"{words.took_before(replayed)}, in {replayed.run}", width="content")
        else:
            st.text(f"Replayed from {replayed.run}, where it took {words.took_before(replayed)}.")
        if twin is None:
            st.caption("That run is no longer here.")
        else:
            st.page_link(
                links.RUN,
                label=escaped(f"See it in {replayed.run}"),
                icon=":material/history:",
                query_params=links.run_query(replayed.run, node=twin),
            )


def parted(apart: ev.ReplayDiverged, span: str, look: Look) -> None:
    """What the cell printed before and now from where they part, and the ways on."""
    with st.container(key="node-parted", gap="xsmall"):
        st.markdown("**It did something else than before**")
        before, now = st.columns(2, gap="small")
        for column, label, said in ((before, "before", apart.expected), (now, "now", apart.got)):
            with column:
                st.caption(label)
                st.code(plain(short(passage(said))) or " ", None, wrap_lines=True)
        if look.sheet.state != "failed":
            return
        with st.container(horizontal=True, gap="small"):
            if backend.can_be_resumed(look.sheet):
                kin.resume_button(look, "Accept and go on", accept=True, key="accept-divergence")
            turn = root_turn_of(span)
            if turn is not None and backend.can_be_forked(look.sheet):
                st.button(
                    f"Fork at turn {turn}",
                    icon=":material/fork_right:",
                    key="fork-parted",
                    help="The model is asked again for this turn; what came before it is replayed.",
                    on_click=_fork,
                    args=(look.sheet.id, f"f1.t{turn}"),
                )


def _fork(run: str, span: str) -> None:
    fork_form.open_for(run, span, ask_again=True)
