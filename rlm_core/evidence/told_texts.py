"""In which texts that models were told do the words of a quote stand? Pure.

Reads say which place of the archive a model was shown (`coverage.py`). They miss short stretches, and of a sentence that stands
in many places they may name another one. Before it is said that nobody was shown a quote, its words are looked for here: as
letters and digits, wherever they may be from. The work is bounded, and beyond the bound it is not known.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from rlm_core import events as ev
from rlm_core.evidence.mapping import unescaped
from rlm_core.evidence.told import Told
from rlm_core.passages import Passage, passage
from rlm_core.view import Node, RunView

Whole = Callable[[Passage], str]
MAX_CHARS = 20_000_000
"""Of all texts together, some seconds: of a run that told its models more nothing is looked for."""
MAX_CANDIDATES = 200
"""Texts in which one quote is looked for: those that hold its longest words."""
MAX_SEARCHED_CHARS = 1_000_000_000
"""In all, of quotes that have no whole word to be looked up: each is looked for in every text."""
LONGEST = 3
_WORD = re.compile(r"[^\W_]+")
_BROKEN = re.compile(r"(?<=\w)-\s*\n\s*(?=\w)")
"""A word that goes on in the next line."""


class ToldTexts:
    def __init__(
        self,
        view: RunView,
        told: Told,
        quotes: Iterable[str],
        whole: Whole,
        max_searched_chars: int = MAX_SEARCHED_CHARS,
    ) -> None:
        """Only these quotes can be asked for. `whole` loads a text of the run of which the view holds the head."""
        self._view, self._whole = view, whole
        quotes = list(quotes)
        wanted = {word for quote in quotes for word in _longest(_words(quote))}
        texts = [node for node in view.nodes.values() if told.by(node.id) is not None] if quotes else []
        self._chars = sum(each.chars for node in texts for each in _passages(node))
        self._too_much = self._chars > MAX_CHARS
        self._left_to_search = max_searched_chars
        self._by_word: dict[str, list[str]] = defaultdict(list)
        self._letters: dict[str, str] = {}
        self._texts = [node.id for node in texts]
        for node in texts if not self._too_much else ():
            for word in wanted.intersection(_words(self._text(node))):
                self._by_word[word].append(node.id)

    def holding(self, quote: str) -> list[str] | None:
        """The nodes whose texts hold the words of a quote, in order; `None`: that is too much to find out."""
        words = _words(quote)
        candidates = self._candidates(words) if words and not self._too_much else None
        if candidates is None:
            return None
        letters = "".join(words)
        return [span for span in candidates if letters in self._letters_of(span)]

    def _candidates(self, words: list[str]) -> list[str] | None:
        """The nodes whose texts may hold these words, in order."""
        found = sorted((self._by_word.get(word, []) for word in _longest(words)), key=len)
        if not found:
            self._left_to_search -= self._chars
            return self._texts if self._left_to_search >= 0 else None
        rarest, *others = found
        among = set(rarest).intersection(*others)
        return [span for span in rarest if span in among] if len(among) <= MAX_CANDIDATES else None

    def _letters_of(self, span: str) -> str:
        if span not in self._letters:
            self._letters[span] = "".join(_words(self._text(self._view.nodes[span])))
        return self._letters[span]

    def _text(self, node: Node) -> str:
        return "\n".join(_plain(self._whole(each)) for each in _passages(node))


def _plain(text: str) -> str:
    return unescaped(text) if "\\" in text else text


def _longest(words: list[str]) -> list[str]:
    """By these a quote is looked for: long words are rare ones. A quote may begin and end within a word, so the first and the
    last one may be none."""
    return sorted(set(words[1:-1]), key=len)[-LONGEST:]


def _words(text: str) -> list[str]:
    return _WORD.findall(_BROKEN.sub("", text).casefold())


def _passages(node: Node) -> Iterator[Passage]:
    match node.started:
        case ev.CallStarted(messages=messages):
            yield from (passage(message.text) for message in messages)
        case ev.Searched(hits=hits):
            yield from (passage(hit.get("text")) for hit in hits)
    if isinstance(node.finished, ev.CellFinished):
        yield from (passage(node.finished.output), passage(node.finished.error))
