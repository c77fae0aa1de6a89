"""Where words stand in the texts of a run: questions, code, prompts, replies, what the models said, outputs, errors, findings.

Plain words, in any case and with any white space between them. Pure: a long text is known by its hash only, and whoever keeps
the texts is asked in which of them the words stand. What was found in a run is gone on with when the run has gone on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rlm_core import events as ev
from rlm_core.folding import ANSWER
from rlm_core.outline import RUN, is_reply
from rlm_core.passages import Passage, passage, spoken
from rlm_core.view import Node, RunView

Part = Literal["question", "prompt", "words", "reply", "code", "output", "error", "query", "finding", "answer"]
"""Where in a node: `words` are those of a frame's own model around its code, `reply` is what a helper said."""
Has = Callable[[bytes], bool]
Holding = Callable[[Collection[str]], Collection[str]]
"""Of the hashes of some texts, those of the texts that hold the words."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that has the words, however often: the call that wrote a turn as the turn, the root frame as the run."""

    span: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of some words in a run up to an event; hits in the order of the tree."""

    words: str
    seq: int = -1
    hits: tuple[Hit, ...] = ()


def matcher(words: str) -> Has:
    """Whether a text, in UTF-8, has the words. White space is any white space, and no letter has a case."""
    parts = [_letters(part) for part in words.split()]
    if not parts:
        return lambda text: False
    if len(parts) == 1 and words.isascii():
        needle = words.strip().lower().encode()
        return lambda text: needle in text.lower()
    pattern = re.compile(rb"\s+".join(parts))
    return lambda text: pattern.search(text.lower()) is not None


def _letters(part: str) -> bytes:
    """A pattern for bytes in which the letters A to Z are small: other letters are there in both cases."""
    return b"".join(_letter(each) for each in part)


def _letter(letter: str) -> bytes:
    if letter.isascii():
        return re.escape(letter.lower().encode())
    forms = {form.encode(errors="replace") for form in (letter, letter.lower(), letter.upper())}
    return b"(?:" + b"|".join(re.escape(form) for form in sorted(forms)) + b")"


def find(view: RunView, words: str, holding: Holding, before: Found | None = None) -> Found:
    """The nodes that have the words. `before` is what was found of them in an earlier state of the run."""
    known = before if before and before.words == words else Found(words)
    if view.last_seq == known.seq:
        return known
    new = [
        (node, span, part, value)
        for node in view.nodes.values()
        if node.started_seq > known.seq or (node.finished_seq or -1) > known.seq
        for span, part, value in _values_of(view, node)
        if value
    ]
    has = matcher(words)
    long = {value["$text"] for *_, value in new if isinstance(value, dict)}
    held = set(holding(long)) if long else set[str]()
    parts: dict[str, dict[Part, None]] = {hit.span: dict.fromkeys(hit.parts) for hit in known.hits}
    for node, span, part, value in new:
        there = value["$text"] in held if isinstance(value, dict) else has(value.encode(errors="replace"))
        if there and not (part == "words" and _only_in_code(view, node, passage(value), has, held)):
            parts.setdefault(span, {})[part] = None
    return Found(words, view.last_seq, tuple(Hit(span, tuple(parts[span])) for span in _in_order(view, parts)))


def _in_order(view: RunView, spans: Collection[str]) -> list[str]:
    """As the tree has them; last what no tree has, and the answer."""
    if not spans:
        return []
    walked = [node.id for node, _ in view.walk() if node.id in spans]
    return list(dict.fromkeys([*walked, *(span for span in spans if span != ANSWER), *spans]))


def _values_of(view: RunView, node: Node) -> Iterator[tuple[str, Part, Any]]:
    """Everything that can be found of a node: with which node it is shown, what it is, and its text or a reference to it."""
    started, done, span = node.started, node.finished, _shown_as(view, node)
    match started:
        case ev.RunStarted():
            yield span, "question", started.task.question
        case ev.FrameStarted() if span != RUN:
            yield span, "question", started.question
        case ev.CallStarted():
            yield from ((span, "prompt", message.text) for message in started.messages)
        case ev.CellStarted():
            yield span, "code", started.code
        case ev.Searched():
            yield span, "query", started.query
        case ev.FindingRecorded():
            found = started.finding
            yield from (
                (span, "finding", each) for each in (found.item, found.label, found.quote, found.source, found.note)
            )
    match done:
        case ev.RunFinished() if done.answer:
            yield ANSWER, "answer", done.answer.text
        case ev.FrameFinished() if done.answer and span != RUN:
            yield span, "answer", done.answer.text
        case ev.CallFinished():
            yield span, "words" if is_reply(node) else "reply", done.text
            yield span, "error", done.error
        case ev.CellFinished():
            yield span, "output", done.output
            yield span, "error", done.error


def _shown_as(view: RunView, node: Node) -> str:
    above = view.nodes.get(node.parent or "")
    if above and above.kind == "turn" and is_reply(node):
        return above.id
    return RUN if node.kind == "frame" and node.parent == RUN else node.id


def _only_in_code(view: RunView, call: Node, reply: Passage, has: Has, held: Collection[str]) -> bool:
    """Whether a model that has the words has them in its code alone, which is shown as cells. Of a long reply, whether its
    code has them."""
    turn = view.nodes.get(call.parent or "")
    cells = [view.nodes[each].started for each in turn.children] if turn else []
    codes = [passage(each.code) for each in cells if isinstance(each, ev.CellStarted)]
    if reply.sha or any(code.sha for code in codes):
        return any(code.sha in held if code.sha else has(code.head.encode(errors="replace")) for code in codes)
    return not has(spoken(reply.head, [code.head for code in codes]).encode(errors="replace"))
