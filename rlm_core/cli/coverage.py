"""What the models of a run were shown of its archive, in a few lines."""

from __future__ import annotations

from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CorpusError
from rlm_core.evidence.coverage import Coverage
from rlm_core.jobs.reading import corpus_of, coverage
from rlm_core.plain import plain_line
from rlm_core.store.store import Store
from rlm_core.view import RunView
from rlm_core.wording import exact, m_of_n, share

LISTED = 5


def coverage_in_words(store: Store, run: str, view: RunView) -> str:
    """How much was shown, which documents were not, and the findings whose place nobody was shown."""
    try:
        corpus = corpus_of(store, run)
        seen = coverage(store, corpus, run)
    except CorpusError as error:
        return f"coverage: unknown. {error}"
    if not seen.chars:
        return "coverage: the archive has no text"
    shown = f"{share(seen.chars_shown, seen.chars)} of {exact(seen.chars, 'character')}"
    lines = [f"coverage: {shown} were shown to a model"]
    if seen.never_read:
        paths = [corpus.documents[number].path for number in seen.never_read]
        lines.append(f"never shown: {m_of_n(len(paths), len(corpus.documents))} documents: {_listed(paths)}")
    if unseen := _unseen(view, corpus, seen):
        lines.append(f"findings whose place was never shown to a model: {len(unseen)}: {_listed(unseen)}")
    return "\n".join(lines)


def _unseen(view: RunView, corpus: Corpus, seen: Coverage) -> list[str]:
    found = []
    for _, finding, checked in view.findings():
        document = corpus.find(checked.document) if checked and checked.document else None
        if checked is None or document is None or checked.start is None or checked.end is None:
            continue
        if not seen.was_shown(document.index, checked.start, checked.end):
            found.append(finding.item)
    return found


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    return ", ".join(plain_line(name, 100) for name in names[:LISTED]) + more
