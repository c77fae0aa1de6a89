"""The baseline: the whole corpus and the question in one prompt, one reply, no code (paper, section 4: base model).

What does not fit the model's window is refused, as in the paper's tables, or cut; what was cut is recorded, so that it can
be shown what the model could not see.
"""

from __future__ import annotations

from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import TaskError
from rlm_core.frame import Frame
from rlm_core.strategies.prompting import fill
from rlm_core.task import Answer, Json, Message, Task
from rlm_core.tokens import BYTES_PER_TOKEN

REPLY_SHARE = 0.1
"""Part of the window that is kept for the reply."""
CUT_BYTES = 200
"""What the words may take that say where the documents are cut off."""


def base(frame: Frame, task: Task, *, overflow: str = "refuse") -> Answer:
    """Answer from one prompt that holds everything. `overflow`: `refuse` or `cut` what the window cannot take."""
    opening = fill("base", question=task.question)
    room, size = room_bytes(frame.window_tokens, task.question), size_bytes(frame.corpus)
    if room is not None and size > room and overflow == "refuse":
        raise TaskError(
            f"The archive has ~{size // BYTES_PER_TOKEN:,} tokens; with the question and room for a reply, "
            f"{task.root_model} takes ~{max(0, room) // BYTES_PER_TOKEN:,}. Ask with the strategy rlm, "
            "or let base cut the archive (option overflow = cut)."
        )
    documents = laid_out(frame, room)
    with frame.turn():
        reply = frame.ask([Message("user", opening + documents)])
    return Answer(reply.text.strip())


def room_bytes(window_tokens: int | None, question: str) -> int | None:
    """UTF-8 bytes that a window of so many tokens leaves to the documents, or `None` where the window is not known."""
    return room_beside(fill("base", question=question), window_tokens, REPLY_SHARE)


def room_beside(prompt: str, window_tokens: int | None, kept_share: float) -> int | None:
    """UTF-8 bytes that a window leaves beside a prompt when a share of it is kept for what comes later."""
    if window_tokens is None:
        return None
    return int(window_tokens * BYTES_PER_TOKEN * (1 - kept_share)) - len(prompt.encode())


def size_bytes(corpus: Corpus) -> int:
    """UTF-8 bytes of all documents as they are laid out in the prompt."""
    return sum(document.bytes + len(heading(document.path).encode()) for document in corpus.documents)


def heading(path: str) -> str:
    """What stands above a document in a prompt."""
    return f"\n\n### {path}\n"


def laid_out(frame: Frame, room: int | None) -> str:
    """All documents under their paths, up to `room` bytes. What is left out is told at the end, and recorded, in characters of
    each document."""
    parts: list[str] = []
    if room is not None and size_bytes(frame.corpus) > room:
        room -= CUT_BYTES
    unseen: list[Json] = []
    for document in frame.corpus.documents:
        title, text = heading(document.path), frame.corpus.text(document.index)
        if room is None:
            parts += [title, text]
            continue
        room -= len(title.encode())
        shown = text.encode()[: max(0, room)].decode(errors="ignore")
        room -= len(shown.encode())
        if shown:
            parts += [title, shown]
        if len(shown) < len(text):
            unseen.append({"document": document.path, "start": len(shown), "end": len(text)})
    if unseen:
        chars = sum(each["end"] - each["start"] for each in unseen)
        said = f"{chars:,} of {frame.corpus.chars:,} characters did not fit the window and were not shown to the model."
        frame.note("context_cut", said, unseen=unseen)
        parts += ["\n\n", fill("documents_cut", unseen=f"{chars:,}", chars=f"{frame.corpus.chars:,}")]
    return "".join(parts)
