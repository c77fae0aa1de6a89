"""Stored runs as the HTML page takes them (`exporters/page`): views without their long texts, what was shown of their archives, a
person's words, and the comparison of several.

What an archive that is not here would tell is unknown on the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlm_core.compare import LETTERS, align
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CorpusError, StoreError
from rlm_core.exporters.page.document import page_of
from rlm_core.exporters.page.redaction import TELL_ALL, Redaction
from rlm_core.exporters.page.run_part import PageRun
from rlm_core.jobs import comparing
from rlm_core.jobs.reading import corpus_of, coverage
from rlm_core.looks.run_words import ShownShare
from rlm_core.passages import Passage
from rlm_core.store.store import Store
from rlm_core.view import fold


def page(store: Store, runs: Sequence[str], redaction: Redaction = TELL_ALL) -> str:
    """One HTML file of runs that have begun, in this order; of two or more with their comparison. Raises `StoreError` for one
    that has not begun or is not there."""
    shown = [_page_run(store, run) for run in runs]
    read = [comparing.read(store, run.id, run.view, run.whole) for run in shown] if len(shown) > 1 else []
    comparison = align(read) if read else None
    told = align([read[0], read[-1]], LETTERS[0] + LETTERS[len(read) - 1]) if len(read) > 2 else comparison
    return page_of(shown, comparison, told, redaction, _documents(store, runs) if redaction.documents else {})


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


def _documents(store: Store, runs: Sequence[str]) -> dict[str, Iterator[str]]:
    """The texts of those of their archives that are here, by their ids."""
    corpora = {row.corpus: _corpus(store, row.id) for row in map(store.run, runs) if row}
    return {id: _texts(corpus) for id, corpus in corpora.items() if corpus}


def _texts(corpus: Corpus) -> Iterator[str]:
    return (corpus.text(document.index) for document in corpus.documents)


def _corpus(store: Store, run: str) -> Corpus | None:
    try:
        return corpus_of(store, run)
    except CorpusError:
        return None
