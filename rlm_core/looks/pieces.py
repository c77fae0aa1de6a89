"""A long text in pieces: what is shown, what is folded away behind a count, and what is not sent to the screen at all.

Pure. Texts come in as they are and go out made plain. A `Gap` always says how much is in it, and whether anybody saw it.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlm_core.plain import plain

SENT_CHARS = 20_000
"""Of a text longer than this only head and tail are sent to the screen."""
HEAD_CHARS, TAIL_CHARS = 2_000, 800
HEAD_LINES, TAIL_LINES = 18, 6
SLACK_CHARS, SLACK_LINES = 400, 4
"""What would hide no more than this is shown."""
WHOLE = "see all of it"


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is not shown at first. `inside` is empty where it is not sent. `hatched`: it was not seen, by the model
    or by whoever opens all there is here."""

    words: str
    button: str
    inside: tuple[Piece, ...] = ()
    hatched: bool = False


Piece = str | Gap


def folded(text: str, *, tail: bool = True) -> tuple[Piece, ...]:
    """A text whose middle is folded away where it is long, or all but its head."""
    text = text.rstrip("\n")
    head, end = _head(text), _tail(text) if tail else ""
    middle = text[len(head) : len(text) - len(end)]
    if _little(middle):
        return (plain(text),) if text else ()
    gap = Gap(f"{len(middle):,} more characters", f"show all {len(text):,}", _sent(middle))
    return tuple(piece for piece in (plain(head), gap, plain(end)) if piece)


def shown_output(text: str, true_chars: int, shown_chars: int, error_chars: int = 0) -> tuple[Piece, ...]:
    """The output of a cell. What a model is shown of it beside its error is two thirds from the head and one from the tail,
    as `strategies/feedback.py` cuts it; the rest is a gap in its place."""
    text = text.rstrip("\n")
    room = max(3, shown_chars - min(error_chars, shown_chars // 2))
    if len(text) <= room:
        return folded(text)
    head, middle, tail = text[: room * 2 // 3], text[room * 2 // 3 : -(room // 3)], text[-(room // 3) :]
    missing = f"{true_chars - len(head) - len(tail):,}"
    inside = (plain(middle),) if len(middle) <= SENT_CHARS else ()
    unseen = Gap(
        f"{missing} characters not shown to the model", f"open all {true_chars:,}" if inside else WHOLE, inside, True
    )
    first, last = _head(head), _tail(tail)
    after, before = head[len(first) :], tail[: len(tail) - len(last)]
    if _little(after + before):
        return plain(head), unseen, plain(tail)
    words = f"{true_chars - len(first) - len(last):,} more characters, {missing} of them not shown to the model"
    return plain(first), Gap(words, "show them", (*_sent(after), unseen, *_sent(before)), True), plain(last)


def _sent(text: str) -> tuple[Piece, ...]:
    """As much of a text as may be sent."""
    if len(text) <= SENT_CHARS:
        return (plain(text),) if text else ()
    head, tail = text[: SENT_CHARS * 2 // 3], text[-(SENT_CHARS // 3) :]
    missing = len(text) - len(head) - len(tail)
    return plain(head), Gap(f"{missing:,} characters are not shown here", WHOLE, hatched=True), plain(tail)


def _little(text: str) -> bool:
    return len(text) <= SLACK_CHARS and text.count("\n") <= SLACK_LINES


def _head(text: str) -> str:
    """The first lines; of a very long line its first characters."""
    return "".join(text[:HEAD_CHARS].splitlines(keepends=True)[:HEAD_LINES])


def _tail(text: str) -> str:
    return "".join(text[-TAIL_CHARS:].splitlines(keepends=True)[-TAIL_LINES:])
