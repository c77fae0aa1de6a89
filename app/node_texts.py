"""A node of a run as text to take along: as JSON, its events; as Markdown, what a person would paste into a report.

Pure: events and facts go in, with a function that loads a long text. What a model or a document wrote stands in fences that
it cannot close, and a text that is too long for the clipboard is cut with a count. It refuses to know where the text goes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence

from rlm_core.looks.node_shapes import (
    AnswerFacts,
    CallFacts,
    CellFacts,
    Facts,
    FindingFacts,
    FrameFacts,
    SearchFacts,
    TurnFacts,
)
from rlm_core.passages import Passage, passage
from rlm_core.plain import plain, plain_line
from rlm_core.task import Json
from rlm_core.wording import exact

TEXT_CHARS = 20_000
"""Of each text so much is taken along."""
MESSAGES = 50
"""Of a conversation the last so many."""
DEPTH = 4
"""Texts stand no deeper than this in an event."""
REFERENCE = "$text"
Load = Callable[[Passage], str]
Part = tuple[str, Passage]
"""A heading and a text."""


def parts_of(facts: Facts) -> list[Part]:
    """The texts of a node that tell what it is: what went in, what came out."""
    match facts:
        case CallFacts():
            return [*_prompt(facts), *_said(("Reply", facts.reply), ("Error", facts.error))]
        case TurnFacts():
            asked = parts_of(facts.call) if facts.call else []
            return [*asked, *_said(*((f"Cell {each.number}", each.code) for each in facts.cells))]
        case CellFacts():
            return _said(("Code", facts.code), ("Output", facts.output), ("Error", facts.error))
        case FrameFacts():
            return _said(("Question", facts.question), ("Answer", facts.answer), ("How it ended", facts.reason))
        case SearchFacts():
            return _said(("Looked for", facts.query), ("Found", passage(json.dumps(facts.hits, ensure_ascii=False))))
        case AnswerFacts():
            return _said(("Answer", facts.text))
        case FindingFacts():
            found = (("Item", facts.item), ("Label", facts.label), ("Quote", facts.quote), ("Source", facts.source))
            return _said(*((title, passage(said)) for title, said in (*found, ("Note", facts.note))))
    return []


def _prompt(call: CallFacts) -> list[Part]:
    if len(call.messages) == 1:
        return _said(("Prompt", call.messages[0].text))
    numbered = list(enumerate(call.messages, 1))[-MESSAGES:]
    return _said(*((f"Prompt {number}, {each.role}", each.text) for number, each in numbered))


def _said(*parts: Part) -> list[Part]:
    return [(title, text) for title, text in parts if text.chars]


def as_markdown(title: str, lines: Iterable[str], parts: Sequence[Part], load: Load) -> str:
    """A heading, one bullet a line, and each text in a fence."""
    bullets = "\n".join(f"- {_inert(line)}" for line in lines)
    texts = [f"**{_inert(heading)}**\n\n{_fenced(plain(_cut(load(text))))}" for heading, text in parts]
    return "\n\n".join(filter(None, [f"### {_inert(title)}", bullets, *texts])) + "\n"


def as_json(run: str, events: Sequence[Json], load: Load) -> str:
    """The events of a node with their texts in full, as far as they are taken along."""
    whole = [_with_texts(event, load, DEPTH) for event in events]
    return json.dumps({"run": run, "events": whole}, indent=2, ensure_ascii=False, default=str)


def _with_texts(value: object, load: Load, depth: int) -> object:
    if isinstance(value, dict) and REFERENCE in value:
        return _cut(load(passage(value)))
    if not depth:
        return value
    if isinstance(value, dict):
        return {name: _with_texts(each, load, depth - 1) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_with_texts(each, load, depth - 1) for each in value]
    return value


def _cut(text: str) -> str:
    missing = len(text) - TEXT_CHARS
    return text if missing <= 0 else f"{text[:TEXT_CHARS]}\n… {exact(missing, 'more character')}"


def _fenced(text: str) -> str:
    """In a fence that is longer than every run of backticks in the text, so that nothing in it closes it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _inert(text: str) -> str:
    """One line of text whose signs mean nothing in Markdown."""
    return re.sub(r"([\\`*_{}\[\]()#+!|<>~:&@])", r"\\\1", plain_line(text, 400))
