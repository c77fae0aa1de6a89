"""A stored run as the rules of `diagnose/` look at it: its events, its long texts, and what was shown of its archive.

Of a run whose archive is not here, or that is under way, nothing is said about what was shown.
"""

from __future__ import annotations

from rlm_core.diagnose.material import Material
from rlm_core.errors import CorpusError
from rlm_core.jobs.reading import corpus_of, coverage, is_looked_at, numbers_of
from rlm_core.passages import Passage
from rlm_core.store.store import Store
from rlm_core.view import RunView, fold


def material_of(store: Store, run: str) -> Material:
    """Raises `StoreError` if there is no such run."""
    return seen(store, run, fold(store.events(run, resolve=False)))


def seen(store: Store, run: str, view: RunView) -> Material:
    """The same of a view that is there already, without its long texts."""

    def whole(text: Passage) -> str:
        return text.head if text.sha is None else store.text(text.sha)

    try:
        corpus = corpus_of(store, run)
        shown = coverage(store, corpus, run)
    except CorpusError:
        return Material(view, whole)
    if not is_looked_at(store, run):
        return Material(view, whole)
    return Material(view, whole, shown, numbers_of(corpus))
