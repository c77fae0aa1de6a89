"""Deleting an earlier archive: a button beside its name, and the question whether it is meant."""

from __future__ import annotations

import streamlit as st

from app import backend
from app.backend import Archive
from rlm_core import wording

DOOMED = "ask-doomed"
"""In the session: the archive whose deletion was asked for and not yet confirmed."""


def offer(archive: Archive) -> None:
    """The button."""
    st.button("Delete", key="ask-delete", icon=":material/delete:", type="tertiary", on_click=_doom, args=(archive.id,))


def show(archive: Archive) -> None:
    """What goes with it, and the second click, while that is asked for."""
    if st.session_state.get(DOOMED) != archive.id:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        delete = st.button("Delete this archive for good", key="ask-really-delete", icon=":material/delete_forever:")
        st.button("Keep", key="ask-keep", on_click=_doom, args=(None,))
        st.text(what_goes(backend.runs_of_archive(archive.id), backend.bytes_of_archive(archive.id)))
    if delete:
        _doom(None)
        backend.delete_archive(archive.id)
        st.rerun()


def what_goes(runs: int, size_bytes: int) -> str:
    """What a deletion takes away for good, and what stays."""
    stays = {
        0: "No run was asked of it.",
        1: "The run that was asked of it stays, but what it quotes can no longer be opened.",
    }.get(runs, f"The {runs:,} runs that were asked of it stay, but what they quote can no longer be opened.")
    return f"Its text and its search index go. {stays} This frees {wording.size(size_bytes)}."


def _doom(archive: str | None) -> None:
    st.session_state[DOOMED] = archive
