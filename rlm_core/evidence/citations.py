"""What an answer rests on: the findings whose items it names, and the calls that their quotes come from.

Pure; works on views with and without their long texts. It knows no corpus: whether a quote is in a document is `quotes.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from rlm_core import events as ev
from rlm_core.passages import Passage, passage
from rlm_core.view import RunView

Whole = Callable[[Passage], str]
_WORD = re.compile(r"\w+")
MAX_CANDIDATES = 200
"""Replies in which one quote is looked for: a quote of frequent words only is not worth more."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One mark in an answer. `number` counts from 1 in the order of the answer's text."""

    number: int
    finding: str
    """Span of the finding."""
    item: str
    start: int
    end: int
    """Where the item stands in the answer, in characters: at its first mention."""
    call: str | None
    """The call whose reply holds the finding's quote; `None` where none was found."""


def head(text: Passage) -> str:
    """What is known of a text without loading the whole of it."""
    return text.head


def citations(view: RunView, calls: Mapping[str, str], whole: Whole = head) -> tuple[Citation, ...]:
    """The marks of the run's answer: each item that has a finding, at its first mention as a whole word. What is named only
    inside the quote of a finding ("on the side towards D07") is not named by the answer.

    `calls` is what `calls_of_findings` found; `whole` loads a long text that the view holds only the head of.
    """
    if view.answer is None:
        return ()
    findings = view.findings()
    standing = {str(finding.item): span for span, finding, _ in findings}
    quotes = dict.fromkeys(whole(passage(finding.quote)) for _, finding, _ in findings)
    answer = _without(whole(passage(view.answer.text)), (quote for quote in quotes if quote not in standing))
    places = sorted((at, item) for item in standing if (at := mention(item, answer)) is not None)
    return tuple(
        Citation(number, standing[item], item, at, at + len(item), calls.get(standing[item]))
        for number, (at, item) in enumerate(places, 1)
    )


def _without(text: str, quotes: Iterable[str]) -> str:
    """The text with blanks in the place of the quotes, so that what is left stands where it stood."""
    for quote in quotes:
        if quote.strip() and quote in text:
            text = text.replace(quote, " " * len(quote))
    return text


def mention(item: str, text: str) -> int | None:
    """Where an item is first named in a text as whole words, in characters; `None` if nowhere."""
    at = text.find(item) if item.strip() else -1
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(item) : at + len(item) + 1]
        if not (_is_word(before) and _is_word(item[0])) and not (_is_word(after) and _is_word(item[-1])):
            return at
        at = text.find(item, at + 1)
    return None


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def calls_of_findings(view: RunView, whole: Whole = head) -> dict[str, str]:
    """For each finding the call whose reply holds its quote word for word: one of the same cell first, and of several the
    one that names the item too. Findings without such a call are left out: their quote was taken by code."""
    findings = view.findings()
    replies = dict(_replies(view, whole)) if findings else {}
    by_word: dict[str, list[str]] = {}
    for span, reply in replies.items():
        for word in set(_WORD.findall(reply)):
            by_word.setdefault(word, []).append(span)
    found = {}
    for span, finding, _ in findings:
        quote = _spaced(whole(passage(finding.quote)))
        if not (words := _WORD.findall(quote)):
            continue
        rarest = min((by_word.get(word, []) for word in words), key=len)
        holding = [call for call in rarest[:MAX_CANDIDATES] if quote in replies[call]]
        cell = view.nodes[span].parent
        best = max(
            holding,
            key=lambda call, item=finding.item, cell=cell: (  # type: ignore[misc]
                view.nodes[call].parent == cell,
                mention(str(item), replies[call]) is not None,
            ),
            default=None,
        )
        if best:
            found[span] = best
    return found


def _replies(view: RunView, whole: Whole) -> Iterator[tuple[str, str]]:
    for node in view.nodes.values():
        started, done = node.started, node.finished
        if isinstance(started, ev.CallStarted) and isinstance(done, ev.CallFinished) and started.role != "root":
            reply = _spaced(whole(passage(done.text)))
            if reply:
                yield node.id, reply


def _spaced(text: str) -> str:
    r"""With single spaces, and without the escapes of JSON: helpers often reply with `{"quote": "He said \"no\"."}`."""
    return " ".join(text.replace('\\"', '"').replace("\\n", " ").split())
