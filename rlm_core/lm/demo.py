"""The built-in stand-in for a model: no key, no network, no cost. Rule-based, not a language model, and it says so.

As root it plays one fixed plan in real cells: look, bring together, decide (with helpers if there are any), answer. What it
does next it reads from the conversation alone, so the same conversation gives the same reply. As helper it labels what
stands in its prompt (`demo_helper.py`). It decides only questions about leaks that come back after a repair, and counts
documents and lines; everything else it shows and leaves open.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from rlm_core.lm.client import Reply, Request
from rlm_core.lm.demo_helper import DEMO_NOTICE, answer_from, compact, help_with, in_topic, phrases, terms_for
from rlm_core.lm.demo_reading import Conversation, documents_of, read, words_of

__all__ = ["DEMO_NOTICE", "DemoLM"]

HERE = Path(__file__).parent
INTRODUCTION = "I am the demo model: I follow rules and am no language model."
MARKER = "# --- the cell begins here ---\n"
COUNTED = re.compile(r"\bhow many (?P<what>documents|files|lines|rows)\b", re.I)
ASKED_FOR = re.compile(r"\b(?:which|what|how many) (?P<noun>[a-z]+s)\b", re.I)
QUOTED = re.compile(r"[\"“„'‘`](?P<words>[^\"“”„'‘’`]{2,80})[\"”“'’`]")
NOTHING_MORE = frozenset(
    {"document", "file", "line", "row", "archive", "there", "upload", "contain", "hold", "zip", "text"}
)


class DemoLM:
    """`LM` by rules. Keeps no state between requests."""

    async def complete(self, request: Request) -> Reply:
        return Reply(self.say(request), request.model, cost_usd=0.0, cost_source="free", finish_reason="stop")

    def say(self, request: Request) -> str:
        """The reply's text; a pure function of the request."""
        prompt = "\n\n".join(message.text for message in request.messages)
        if request.role == "compact":
            return compact(prompt)
        if request.role == "judge":
            return f"unknown. {DEMO_NOTICE}"
        if request.role == "sub":
            return help_with(prompt)
        conversation = read(request.messages)
        if conversation.code:
            return _move(conversation)
        if documents_of(prompt):
            return answer_from(prompt)
        return f"Unknown. {DEMO_NOTICE} Its plan was cut short, so nothing was decided."

    def window_tokens(self, model: str) -> int | None:
        return None

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        return 0.0

    async def close(self) -> None:
        return


def _move(conversation: Conversation) -> str:
    """The next turn of the plan, or its honest end where a cell did not get through."""
    turn, question = conversation.turns, conversation.question
    wanted = countable(question)
    topic = in_topic(question)
    notice = {"notice": DEMO_NOTICE}
    if turn == 0:
        return _turn(f"I look at the archive first.\n{INTRODUCTION}", _cell("look", name=conversation.only_document))
    steps = ["look: done", "decide: done"] if wanted else ["look: done", "cut: done", "decide: done"]
    if turn <= len(steps) and steps[turn - 1] not in conversation.last:
        return _turn("The cell before did not get to its end. I stop here.", _cell("answer_failed", **notice))
    if wanted and turn == 1:
        return _turn("This can be counted by code.", _cell("count", unit=wanted[0], holding=wanted[1]))
    if wanted:
        return _turn("Counted. I answer.", _cell("answer_counted", **notice))
    if turn == 1:
        return _gather(question, topic)
    if turn == 2:
        return _decide(conversation, topic)
    return _turn("All is decided or left open. I answer.", _cell("answer" if topic else "answer_unknown", **notice))


def _gather(question: str, topic: bool) -> str:
    terms = terms_for(question)
    if topic:
        asked_for = ASKED_FOR.search(question)
        noun = asked_for["noun"].lower() if asked_for else "items"
        code = _source("demo_cutting") + "\n\n" + _cell("group", terms=terms, words=words_of(question), noun=noun)
        return _turn("I bring together the lines that belong to one item, from wherever they stand.", code)
    code = _source("demo_cutting") + "\n\n" + _cell("pick", terms=terms)
    return _turn("I have no rule for this question. I look for the lines that share most words with it.", code)


def _decide(conversation: Conversation, topic: bool) -> str:
    if not topic:
        return _turn("I keep these lines as findings that are open.", _cell("show"))
    if conversation.helpers:
        return _turn("I ask a helper about each item, all in one batch.", _cell("ask"))
    code = _source("demo_rules") + "\n\n" + _cell("decide", lexicon=phrases())
    return _turn("There are no helpers, so I decide by the rules themselves.", code)


def countable(question: str) -> tuple[str, str] | None:
    """What a plain counting question counts: `documents` or `lines`, and the quoted words that a line must hold."""
    asked = COUNTED.search(question)
    if not asked:
        return None
    in_lines = asked["what"].lower() in ("lines", "rows")
    quoted = QUOTED.search(question)
    if quoted and in_lines:
        return "lines", quoted["words"]
    if set(words_of(question)) - NOTHING_MORE:
        return None
    return "lines" if in_lines else "documents", ""


def _turn(words: str, code: str) -> str:
    return f"{words}\n\n```repl\n{code.strip()}\n```"


def _cell(template: str, /, **literals: Any) -> str:
    """A cell from `demo_cells/`, its `$names` replaced by literals. A backtick could end the fence, so it is escaped."""
    values = {key: json.dumps(value, ensure_ascii=False).replace("`", "\\u0060") for key, value in literals.items()}
    return Template(_text(f"demo_cells/{template}.py.txt")).substitute(values)


def _source(module: str) -> str:
    """A module of the demo as code for a cell: all that stands below its marker."""
    return _text(f"{module}.py").split(MARKER, 1)[1].strip()


@cache
def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
