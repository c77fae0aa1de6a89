"""Quotes within replies and answers: what a text gives as the words of a document, and where they stand there.

The time for all texts of one look is bounded: what there was none left for is `not looked for`, and says so. Refuses to know
which passages are quotes (`evidence/quoted.py`) and how one is found (`evidence/quotes.py`).
"""

from __future__ import annotations

import time
from dataclasses import asdict

from rlm_core.corpus.corpus import Corpus
from rlm_core.evidence.quoted import quotes_in
from rlm_core.evidence.quotes import Place, locate
from rlm_core.store.readings import QuoteRow

TIMEOUT_S = 30.0
"""For all quotes of a run that are looked for in one go."""
QUOTE_TIMEOUT_S = 1.0
REMEMBERED = 10_000


class Quotes:
    """Looks for quotes in one archive; the same one only once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._until = time.monotonic() + TIMEOUT_S
        self._found: dict[tuple[str, str | None], Place] = {}

    def within(self, span: str, text: str) -> list[QuoteRow]:
        """The quotes in what a node said, in its order."""
        return [
            QuoteRow(span, each.at, each.text, **asdict(self._located(each.text, each.source)))
            for each in quotes_in(text)
        ]

    def _located(self, quote: str, source: str | None) -> Place:
        key = (quote, source)
        if key not in self._found and time.monotonic() > self._until:
            return Place("not looked for")
        if key not in self._found:
            if len(self._found) >= REMEMBERED:
                self._found.clear()
            self._found[key] = locate(quote, self._corpus, source, timeout_s=QUOTE_TIMEOUT_S)
        return self._found[key]
