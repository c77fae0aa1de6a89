"""Stored runs as the HTML page takes them (`exporters/page`): views without their long texts, what was shown of their archives, a
person's words, and the comparison of several.

What an archive that is not here would tell is unknown on the page.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from rlm_core.compare import Comparison, Reading, align, reading_of
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CorpusError, StoreError
from rlm_core.events import QuoteChecked
from rlm_core.evidence.quotes import locate
from rlm_core.evidence.reach import has_window, reach_of
from rlm_core.exporters.page.document import page_of
from rlm_core.exporters.page.redaction import TELL_ALL, Redaction
from rlm_core.exporters.page.run_part import PageRun
from rlm_core.jobs.reading import corpus_of, coverage
from rlm_core.looks.run_words import ShownShare
from rlm_core.passages import Passage
from rlm_core.store.store import Store
from rlm_core.task import Finding
from rlm_core.view import fold

LOOK_UP_S = 10.0
"""In all, for the quotes that an answer lists of a run that recorded no findings. What is left then was not looked for."""


def page(store: Store, runs: Sequence[str], redaction: Redaction = TELL_ALL) -> str:
    """One HTML file of runs that have begun, in this order; of two or more with their comparison. Raises `StoreError` for one
    that has not begun or is not there."""
    shown = [_page_run(store, run) for run in runs]
    comparison = _compared(store, shown) if len(shown) > 1 else None
    return page_of(shown, comparison, redaction, _documents(store, runs) if redaction.documents else ())


def _page_run(store: Store, run: str) -> PageRun:
    row = store.run(run)
    if row is None:
        raise StoreError(f"Run {run} has not begun, or was deleted: there is nothing to export.")

    def whole(text: Passage) -> str:
        return text.head if text.sha is None else store.text(text.sha)

    corpus, annotation = store.corpus(row.corpus), store.annotations().get(run)
    share = _shown(store, run)
    return PageRun(
        fold(store.events(run, resolve=False)),
        whole,
        corpus.name if corpus else "",
        (annotation.title or "") if annotation else "",
        share,
        store.stories.of(run),
    )


def _shown(store: Store, run: str) -> ShownShare:
    try:
        coverage(store, corpus_of(store, run), run)  # looks for what nobody has looked for yet
    except CorpusError as error:
        return ShownShare(store.coverage_of([run]).get(run), problem=str(error))
    return ShownShare(store.coverage_of([run]).get(run))


def _documents(store: Store, runs: Sequence[str]) -> Iterator[str]:
    """The texts of their archives, each archive once; nothing of those that are not here."""
    seen = set[str]()
    for run in runs:
        row = store.run(run)
        if row and row.corpus not in seen and (corpus := _corpus(store, run)):
            seen.add(row.corpus)
            yield from (corpus.text(document.index) for document in corpus.documents)


def _corpus(store: Store, run: str) -> Corpus | None:
    try:
        return corpus_of(store, run)
    except CorpusError:
        return None


def _compared(store: Store, runs: Sequence[PageRun]) -> Comparison:
    return align([_reading(store, run) for run in runs])


def _reading(store: Store, run: PageRun) -> Reading:
    corpus = _corpus(store, run.id)
    if corpus is None:
        return reading_of(run.view, run.whole)
    reach = reach_of(run.view, corpus, coverage(store, corpus, run.id)) if has_window(run.view) else None
    return reading_of(run.view, run.whole, _looking_in(corpus), reach)


def _looking_in(corpus: Corpus) -> Callable[[str, Sequence[Finding]], list[QuoteChecked | None]]:
    """Looks for the quotes of an answer's lines, as long as there is time."""
    until = time.monotonic() + LOOK_UP_S

    def look_up(_: str, lines: Sequence[Finding]) -> list[QuoteChecked | None]:
        return [_looked_for(line, corpus) if time.monotonic() < until else None for line in lines]

    return look_up


def _looked_for(line: Finding, corpus: Corpus) -> QuoteChecked:
    return locate(line.quote, corpus, line.source, item=line.item, timeout_s=1.0).checked()
