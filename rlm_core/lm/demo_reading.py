"""How the demo model reads a conversation: the one place that knows how the prompts of the strategies look.

It knows the lines `Question:` and `Context:` of a first message, the functions that a system prompt offers, `### path` before
each document of a baseline's prompt, and the form that the demo's own cells give to a helper's prompt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rlm_core.lm.demo_cutting import Record
from rlm_core.lm.demo_rules import date_of
from rlm_core.task import Message

QUESTION = re.compile(
    r"^\W*question[ \t]*:(?P<text>.*?)(?=^\s*(?:context|item|answer|the documents)\b|^\s*$|\Z)", re.I | re.M | re.S
)
LISTED = re.compile(r"^context\s*:[^\n]*\n(?P<path>[^\n]+?)(?:  \([^)\n]*\))?$", re.I | re.M)
OFFERED = re.compile(r"\bllm_query_batched\(", re.I)
CODE_OFFERED = re.compile(r"```(?:repl|python|py)\b|\bREPL\b", re.I)
NO_MORE_CODE = re.compile(r"no further cell will run|last turn|without code", re.I)
DOCUMENT = re.compile(r"^### (?P<path>.+)$", re.M)
ITEM = re.compile(r"^Item: (?P<item>.+)$", re.M)
RECORD = re.compile(
    r"^\[(?P<source>[^\]|\n]+)(?: \| (?P<heading>[^\]\n]*))?\] (?P<passing>\(in passing\) )?(?P<text>.*)$", re.M
)

_SMALL_WORDS = (
    "a about after all an and any are as at be been by can count decide deciding did do does each find for from give had has "
    "have how in into is it its list many me most much name not of often on one or out quote say says sentence sentences show "
    "some tell that the their them then there these they this those to up was were what when where which who whose why will "
    "with would you"
)
STOP_WORDS = frozenset(_SMALL_WORDS.split())
MOST_WORDS = 30
"""Words of a question that are looked for; more would make a pattern that is slow on a large archive."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What the demo needs to know of a root's conversation to decide on its next move."""

    question: str
    turns: int
    """Replies already given."""
    last: str
    """The newest message."""
    code: bool
    """A session that runs code is offered."""
    helpers: bool
    """`llm_query_batched` is offered."""
    only_document: str
    """Path of the first document listed; of use where there is only one."""


def read(messages: Sequence[Message]) -> Conversation:
    system = "\n".join(message.text for message in messages if message.role == "system")
    users = [message.text for message in messages if message.role == "user"]
    first = users[0] if users else ""
    listed = LISTED.search(first)
    return Conversation(
        question=question_of(first),
        turns=sum(message.role == "assistant" for message in messages),
        last=users[-1] if users else "",
        code=bool(CODE_OFFERED.search(system)) and not NO_MORE_CODE.search(users[-1][-400:] if len(users) > 1 else ""),
        helpers=bool(OFFERED.search(system)),
        only_document=listed["path"].strip() if listed else "context",
    )


def question_of(text: str) -> str:
    """The question in a first message or a helper's prompt; without a line `Question:`, the first paragraph."""
    found = QUESTION.search(text)
    return " ".join((found["text"] if found else text.strip().split("\n\n", 1)[0][:1000]).split())


def words_of(question: str) -> list[str]:
    """The words of a question that carry meaning, without a plural s."""
    found = [word.lower() for word in re.findall(r"@?[\w][\w.-]*\w", question)]
    kept = [word.removesuffix("s") if len(word) > 4 else word for word in found if word not in STOP_WORDS]
    return list(dict.fromkeys(kept))[:MOST_WORDS]


def documents_of(prompt: str) -> list[tuple[str, str]]:
    """Path and text of each document in a baseline's prompt."""
    heads = list(DOCUMENT.finditer(prompt))
    if not heads:
        return []
    ends = [head.start() for head in heads[1:]] + [len(prompt)]
    return [
        (head["path"].strip(), prompt[head.end() : end].removeprefix("\n").rstrip("\n"))
        for head, end in zip(heads, ends, strict=True)
    ]


def items_of(prompt: str) -> dict[str, list[Record]]:
    """The items that a helper's prompt asks about, with their records; under the name "" if it has another form."""
    heads = list(ITEM.finditer(prompt))
    if not heads:
        lines = [line.strip() for line in QUESTION.sub("", prompt, count=1).splitlines() if line.strip()]
        dated = next((number for number, line in enumerate(lines) if date_of(line)), 0)  # instructions stand before
        return {"": [(f"prompt:{number}", "", line, True) for number, line in enumerate(lines[dated:], 1)]}
    ends = [head.start() for head in heads[1:]] + [len(prompt)]
    return {
        head["item"].strip(): [
            (found["source"], found["heading"] or "", found["text"], not found["passing"])
            for found in RECORD.finditer(prompt, head.end(), end)
        ]
        for head, end in zip(heads, ends, strict=True)
    }
