"""What people say of single nodes of runs. A plain table; no event knows of it, and a rebuild leaves it alone.

Each function works inside the caller's transaction, on a connection to the store.
"""

from __future__ import annotations

import time
from sqlite3 import Connection

from rlm_core.errors import StoreError
from rlm_core.notes import Note, tidied


def set_note(connection: Connection, run: str, span: str, note: Note) -> None:
    """Say this of a node, in the place of what was said before; an empty note takes it away."""
    said = tidied(note)
    if not connection.execute("SELECT 1 FROM runs WHERE id = ?", (run,)).fetchone():
        raise StoreError(f"There is no run {run}. It may have been deleted.")
    if said:
        connection.execute(
            "INSERT OR REPLACE INTO node_notes (run, span, label, text, judged, at) VALUES (?, ?, ?, ?, ?, ?)",
            (run, span, said.label, said.text, said.judged, time.time()),
        )
    else:
        connection.execute("DELETE FROM node_notes WHERE run = ? AND span = ?", (run, span))


def notes_of(connection: Connection, run: str) -> dict[str, Note]:
    """By span, in the order in which they were written."""
    rows = connection.execute(
        "SELECT span, label, text, judged FROM node_notes WHERE run = ? ORDER BY at, span", (run,)
    )
    return {span: Note(label, text, judged) for span, label, text, judged in rows}
