"""What a person says of one node of a run: a label, a note, and whether it is right. No event knows of it.

Pure: shapes and their limits. It refuses to know where notes are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from rlm_core.errors import StoreError

Judged = Literal["right", "wrong"]
LABEL_CHARS, NOTE_CHARS = 60, 4_000


@dataclass(frozen=True, slots=True)
class Note:
    label: str = ""
    text: str = ""
    judged: Judged | None = None

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.label or self.text or self.judged)


@dataclass(frozen=True, slots=True)
class NodeNote:
    """A note with the node that it is of: how notes travel with the file of a run."""

    run: str
    span: str
    note: Note


def tidied(note: Note) -> Note:
    """With its label on one line. Raises `StoreError` for what is too long or is no judgement."""
    label = " ".join(_writable(note.label).split())
    text = _writable(note.text).strip()
    for what, said, most in (("label", label, LABEL_CHARS), ("note", text, NOTE_CHARS)):
        if len(said) > most:
            raise StoreError(f"This {what} has {len(said):,} characters, up to {most:,} are allowed. Shorten it.")
    if note.judged not in (None, *get_args(Judged)):
        raise StoreError(f"{note.judged!r} is no judgement of a node. Use one of: {', '.join(get_args(Judged))}.")
    return Note(label, text, note.judged)


def _writable(text: str) -> str:
    """Without halves of surrogate pairs, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
