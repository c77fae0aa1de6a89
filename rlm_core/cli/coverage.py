"""What the models of a run were shown of its archive, in a few lines."""

from __future__ import annotations

from collections.abc import Mapping

from rlm_core.cli.window import window_in_words
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CorpusError
from rlm_core.evidence.coverage import Coverage
from rlm_core.evidence.reach import reach_of
from rlm_core.evidence.shown_before import Shown
from rlm_core.evidence.split_items import split_items
from rlm_core.jobs.reading import corpus_of, coverage, is_looked_at, numbers_of, shown_of
from rlm_core.plain import plain_line
from rlm_core.store.store import Store
from rlm_core.view import RunView
from rlm_core.wording import exact, m_of_n, read_apart, share

LISTED = 5


def coverage_in_words(store: Store, run: str, view: RunView) -> str:
    """How much was shown, which documents were not or what lay outside the window, the findings whose place nobody was shown
    in time, and the items whose entries were read apart."""
    try:
        corpus = corpus_of(store, run)
        seen = coverage(store, corpus, run)
    except CorpusError as error:
        return f"coverage: unknown. {error}"
    if not seen.chars:
        return "coverage: the archive has no text"
    shown = f"{share(seen.chars_shown, seen.chars)} of {exact(seen.chars, 'character')}"
    lines = [f"coverage: {shown} were shown to a model"]
    reach = reach_of(view, corpus, seen)
    if reach:
        lines += window_in_words(reach, corpus)
    elif seen.never_read:
        paths = [corpus.documents[number].path for number in seen.never_read]
        lines.append(f"never shown: {m_of_n(len(paths), len(corpus.documents))} documents: {_listed(paths)}")
    return "\n".join([*lines, *_in_order(view, shown_of(store, run, view)), *_apart(store, corpus, run, view, seen)])


def _apart(store: Store, corpus: Corpus, run: str, view: RunView, seen: Coverage) -> list[str]:
    """The items whose entries no model saw together; of a run that is under way that is not known."""
    if not is_looked_at(store, run):
        return []
    apart = split_items(view, seen, numbers_of(corpus))
    lines = [
        f"{plain_line(each.item, 100)}: {read_apart(len(each.entries), len(each.calls), len(each.frames))}"
        for each in apart[:LISTED]
    ]
    more = f"{len(apart) - LISTED:,} more items whose entries no model saw together" if len(apart) > LISTED else ""
    return [*lines, more] if more else lines


def _in_order(view: RunView, shown: Mapping[str, Shown]) -> list[str]:
    """The findings that nobody had been shown when they were recorded."""
    items: dict[Shown | None, list[str]] = {}
    for span, finding, _ in view.findings():
        items.setdefault(shown.get(span), []).append(finding.item)
    lines = []
    if late := items.get("afterwards"):
        lines.append(f"findings recorded before their words were shown to a model: {len(late):,}: {_listed(late)}")
    if never := items.get("never"):
        lines.append(
            f"findings whose words were never shown to a model: {len(never):,}: {_listed(never)}. "
            "Code found them in the archive itself"
        )
    return lines


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    return ", ".join(plain_line(name, 100) for name in names[:LISTED]) + more
