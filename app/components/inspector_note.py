"""What a person says of what is selected: shown under its head, written in a form of its own; and all notes of a run, to be
narrowed by what they say. Whatever stands in a note is text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import streamlit as st

from app import backend, links
from app.components.inspector_titles import in_full
from app.components.tables import clicked, height
from app.components.text import escaped
from app.components.trouble import told
from rlm_core.looks.look import Look
from rlm_core.looks.node_facts import facts_of
from rlm_core.notes import LABEL_CHARS, NOTE_CHARS, Judged, Note
from rlm_core.plain import plain, plain_line

SIGNS: dict[Judged, tuple[str, str]] = {"right": ("✓ right", "green"), "wrong": ("✕ wrong", "red")}
ROW_HEIGHT, SHOWN_ROWS, LISTED = 30, 14, 300
WITHOUT = "neither"


def offer(node: str, look: Look) -> None:
    """The way to the form; it is drawn while it is open."""
    note = look.notes.get(node, Note())
    opened = st.popover(
        "Change note" if note else "Note",
        icon=":material/edit_note:",
        type="tertiary",
        key=f"note-open-{node}",
        on_change="rerun",
    )
    if opened.open:
        with opened:
            _form(node, note, look)


def _form(node: str, note: Note, look: Look) -> None:
    """Its fields are those of this node, and keep what is half written while a live run is drawn anew."""
    with st.form(f"note-{node}", border=False):
        choices = list(get_args(Judged))
        judged = st.pills("This is", choices, default=note.judged, key=f"note-judged-{node}")
        label = st.text_input("Label", note.label, max_chars=LABEL_CHARS, key=f"note-label-{node}")
        text = st.text_area("Note", note.text, max_chars=NOTE_CHARS, height=120, key=f"note-text-{node}")
        with st.container(horizontal=True, gap="small"):
            save = st.form_submit_button("Save", type="primary", key=f"note-save-{node}")
            remove = st.form_submit_button("Remove", key=f"note-remove-{node}", disabled=not note)
    if save or remove:
        with told("note"):
            backend.set_note(look.sheet.id, node, Note(label, text, judged) if save else Note())
            for field in ("judged", "label", "text"):
                st.session_state.pop(f"note-{field}-{node}", None)
            st.rerun()


def show(node: str, look: Look) -> None:
    """What is said of it, where anything is."""
    note = look.notes.get(node)
    if note is None:
        return
    with st.container(gap=None, key="node-note"):
        badge = " :{1}-badge[{0}]".format(*SIGNS[note.judged]) if note.judged else ""
        st.markdown(f":material/edit_note: **{escaped(note.label or 'Note')}**{badge}")
        if note.text:
            st.text(plain(note.text))


def note_in_short(note: Note | None) -> str:
    """`✕ wrong, too early`: what a table has room for."""
    if note is None:
        return ""
    said = [SIGNS[note.judged][0]] if note.judged else []
    return ", ".join([*said, *([plain_line(note.label or note.text, 40)] if note.label or note.text else [])])


def listed(look: Look) -> None:
    """All notes of the run; a click on one selects its node."""
    kinds = [*get_args(Judged), WITHOUT]
    counts = {kind: len(_of(look.notes, [kind])) for kind in kinds}
    wanted = st.pills(
        "Narrow the notes",
        [kind for kind in kinds if counts[kind]],
        selection_mode="multi",
        format_func=lambda kind: f"{kind} {counts[kind]}",
        key="notes-only",
        label_visibility="collapsed",
    )
    shown = _of(look.notes, wanted or kinds)[:LISTED]

    def selected() -> None:
        if each := clicked("notes", shown):
            links.select(each)

    st.dataframe(
        rows(shown, look),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(shown), ROW_HEIGHT, SHOWN_ROWS),
        key="notes",
        on_select=selected,
        selection_mode="single-cell",
        alt="Notes on nodes of this run",
    )
    st.caption(f"{len(shown):,} of {len(look.notes):,} notes. Click a row to see its node.")


def _of(notes: Mapping[str, Note], kinds: list[str]) -> list[str]:
    return [span for span, note in notes.items() if (note.judged or WITHOUT) in kinds]


def rows(spans: list[str], look: Look) -> list[dict[str, str]]:
    return [
        {
            "": SIGNS[note.judged][0] if (note := look.notes[span]).judged else "",
            "Node": _name(span, look),
            "Label": plain_line(note.label, LABEL_CHARS),
            "Note": plain_line(note.text, 200),
        }
        for span in spans
    ]


def _name(span: str, look: Look) -> str:
    facts = backend.read(look.sheet.id, facts_of, span)
    return in_full(facts, look) if facts else plain_line(span, 60)
