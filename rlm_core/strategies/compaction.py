"""Compaction: read until the window is full, let a model write down all that matters, go on with its notes (paper, section 4:
summary agent, appendix C.2).

The compressor may be a cheaper model than the one that answers at the end from the notes and the last part. What fits the
window is read whole, in one prompt, and nothing is compacted. There is no code here, and no turn but the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rlm_core.errors import CallError, LimitHit
from rlm_core.frame import Frame
from rlm_core.strategies.base_lm import heading, laid_out, size_bytes
from rlm_core.strategies.prompting import fill
from rlm_core.strategies.reply import without_thoughts
from rlm_core.task import Answer, Json, Message, Task
from rlm_core.tokens import BYTES_PER_TOKEN

ASSUMED_WINDOW_TOKENS = 128_000
REPLY_SHARE = 0.1
NOTES_SHARE = 0.25
"""Part of the window that the notes may grow to. Longer ones are cut, and it is said: else nothing new could be read."""
WORDS_PER_TOKEN = 0.5
NO_NOTES = "(nothing was read before)"


@dataclass(slots=True)
class Reading:
    """How far the archive is read: the document and the character that come next, and the notes on what came before."""

    document: int = 0
    start: int = 0
    parts: int = 0
    notes: str = ""


def compaction(
    frame: Frame, task: Task, *, threshold: float = 0.85, window_tokens: int = 0, compressor: str = "helper"
) -> Answer:
    """Answer from notes. `threshold`: share of the window, less the room for a reply, at which it counts as full.
    `window_tokens`: how large the window is taken to be; 0 is what the models really have. `compressor`: `helper` or `root`,
    the model that writes the notes.

    A limit or a failed call in the midst ends in a forced answer from the notes, and what was not read is recorded.
    """
    window = _window_tokens(frame, task, window_tokens, compressor)
    full = int(window * threshold * (1 - REPLY_SHARE) * BYTES_PER_TOKEN)
    whole = fill("base", question=task.question)
    if size_bytes(frame.corpus) + len(whole.encode()) <= full:
        return _answered(frame, whole + laid_out(frame, None))
    model = task.root_model if compressor == "root" else task.helper_model
    reading = Reading()
    try:
        while True:
            before = fill("compaction_answer", question=task.question, summary=reading.notes or NO_NOTES)
            rest = _rest_bytes(frame, reading)
            if len(before.encode()) + rest <= full:
                return _answered(frame, before + "".join(_read(frame, replace(reading), rest)))
            _compact(frame, task, reading, model, window, full)
    except (LimitHit, CallError) as problem:
        if not reading.notes:
            raise
        return _forced(frame, task, reading, str(problem))


def _answered(frame: Frame, prompt: str) -> Answer:
    with frame.turn():
        return Answer(without_thoughts(frame.ask([Message("user", prompt)]).text))


def _compact(frame: Frame, task: Task, reading: Reading, model: str, window: int, full: int) -> None:
    """One step: the notes and as much of the archive as fits become new notes."""
    notes_tokens = int(window * NOTES_SHARE)
    prompt = fill(
        "compaction_step",
        question=task.question,
        max_words=f"{int(notes_tokens * WORDS_PER_TOKEN):,}",
        summary=reading.notes or NO_NOTES,
        number=reading.parts + 1,
    )
    ahead = replace(reading)
    part = "".join(_read(frame, ahead, max(full - len(prompt.encode()), full // 4)))
    said = without_thoughts(frame.ask([Message("user", prompt + part)], role="compact", model=model).text)
    kept = said.encode()[: notes_tokens * BYTES_PER_TOKEN].decode(errors="ignore")
    if len(kept) < len(said):
        frame.note("notes_cut", f"{len(said) - len(kept):,} of {len(said):,} characters of the notes were left out.")
    reading.document, reading.start = ahead.document, ahead.start
    reading.parts, reading.notes = reading.parts + 1, kept
    frame.compacted(1, kept)


def _read(frame: Frame, reading: Reading, room: int) -> Iterator[str]:
    """The next documents, or the part of one, that fill `room` bytes; `reading` is moved on. Always at least a little."""
    documents, fresh = frame.corpus.documents, True
    while reading.document < len(documents):
        title = heading(documents[reading.document].path)
        room -= len(title.encode())
        if room <= 0 and not fresh:
            return
        text = frame.corpus.text(reading.document)[reading.start :]
        shown = _beginning(text, max(room, BYTES_PER_TOKEN))
        room -= len(shown.encode())
        yield title
        yield shown
        fresh = False
        if len(shown) < len(text):
            reading.start += len(shown)
            return
        reading.document, reading.start = reading.document + 1, 0


def _beginning(text: str, room: int) -> str:
    """As much of a text as `room` bytes take, up to the end of a line where one is near."""
    if len(text) <= room and len(text.encode()) <= room:
        return text
    fits = text[:room].encode()[:room].decode(errors="ignore")
    line_end = fits.rfind("\n", len(fits) // 2) + 1
    return fits[: line_end or len(fits)]


def _rest_bytes(frame: Frame, reading: Reading) -> int:
    """UTF-8 bytes that are still to be read, as they are laid out."""
    rest = 0
    for document in frame.corpus.documents[reading.document :]:
        rest += document.bytes + len(heading(document.path).encode())
    if reading.start:
        rest -= len(frame.corpus.text(reading.document)[: reading.start].encode())
    return rest


def _forced(frame: Frame, task: Task, reading: Reading, reason: str) -> Answer:
    """The best answer that the notes allow: the root model's if it may still be asked, else the notes themselves."""
    unseen = _unseen(frame, reading)
    chars = sum(each["end"] - each["start"] for each in unseen)
    frame.note("context_cut", f"{chars:,} of {frame.corpus.chars:,} characters were not read.", unseen=unseen)
    prompt = fill("compaction_forced", question=task.question, reason=reason, summary=reading.notes)
    try:
        return Answer(without_thoughts(frame.ask([Message("user", prompt)]).text), "forced", reason)
    except (LimitHit, CallError) as error:
        reason = f"{reason} The model's last word could not be had: {error}"
    return Answer(f"No answer was reached. {reason} Notes until then: {reading.notes}", "forced", reason)


def _unseen(frame: Frame, reading: Reading) -> list[Json]:
    unseen: list[Json] = []
    for document in frame.corpus.documents[reading.document :]:
        start = reading.start if document.index == reading.document else 0
        unseen.append({"document": document.path, "start": start, "end": document.chars})
    return unseen


def _window_tokens(frame: Frame, task: Task, given: int, compressor: str) -> int:
    """The smaller window of the two models, unless one is given; assumed, and said, where neither is known."""
    if given:
        return given
    windows = [frame.window_tokens, frame.helper_window_tokens if compressor == "helper" else None]
    known = [window for window in windows if window]
    if known:
        return min(known)
    frame.note(
        "window_assumed",
        f"The window of {task.root_model} is not known; {ASSUMED_WINDOW_TOKENS:,} tokens are assumed.",
        window_tokens=ASSUMED_WINDOW_TOKENS,
    )
    return ASSUMED_WINDOW_TOKENS
