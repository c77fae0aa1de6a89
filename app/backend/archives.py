"""Archives that were uploaded, and the sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from app.backend.folder import Problem, current_store, store_of
from rlm_core.corpus.corpus import INDEX_NAME, Corpus
from rlm_core.corpus.report import IngestReport
from rlm_core.errors import CorpusError
from rlm_core.jobs import archives as disk
from rlm_core.jobs import asking
from rlm_core.tokens import BYTES_PER_TOKEN


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that has been read. `tokens` is an estimate."""

    id: str
    name: str
    documents: int
    chars: int
    tokens: int
    added_at: float
    report: IngestReport


def archives() -> list[Archive]:
    """Newest first."""
    return [_archive(row) for row in current_store().corpora()]


def only_the_sample(known: Sequence[Archive]) -> bool:
    """Whether nobody has read an archive of their own yet."""
    return all(each.name == asking.SAMPLE_ARCHIVE for each in known)


def archive(id: str) -> Archive | None:
    row = current_store().corpus(id)
    return _archive(row) if row else None


def nameless(id: str) -> str:
    """What to call an archive that is not listed here."""
    return "archive no longer listed" if id else "archive not recorded"


def corpus_of(id: str) -> Corpus:
    """The documents of a listed archive. Raises `Problem` for any other: the id may be from a run that was made elsewhere."""
    store = current_store()
    if not id:
        raise CorpusError(
            "This run was imported, and its log does not hold the archive: its documents cannot be shown."
        )
    if store.corpus(id) is None:
        raise CorpusError(
            "The archive of this run is no longer in the data folder, so its documents cannot be shown. "
            "Upload the same files again: they become the same archive, and this page shows them."
        )
    folder = store.home / "corpora" / id
    try:
        return _opened(folder, (folder / INDEX_NAME).stat().st_mtime_ns)
    except FileNotFoundError:
        return Corpus.open(folder)  # says what is missing


@st.cache_resource(max_entries=8, show_spinner=False)
def _opened(folder: Path, written_ns: int) -> Corpus:
    """`written_ns` tells a corpus that was deleted and uploaded again from the one that was there before."""
    return Corpus.open(folder)


def _archive(row: Any) -> Archive:
    report = IngestReport.from_dict(row.report)
    return Archive(row.id, row.name, row.documents, row.chars, row.chars // BYTES_PER_TOKEN, row.added_at, report)


def bytes_of_archive(id: str) -> int:
    """What deleting it would free."""
    return disk.bytes_of_archive(current_store(), id)


def runs_of_archive(id: str) -> int:
    """How many runs were asked of it."""
    return current_store().count_runs_of(id)


def delete_archive(id: str) -> None:
    """Delete an archive for good; its runs stay. Raises `Problem`, also while a run needs it."""
    disk.delete_archive(current_store(), id)


def report_of(problem: Problem) -> IngestReport | None:
    """What became of each file of an upload of which nothing could be read."""
    return problem.report if isinstance(problem, asking.NothingRead) else None


def sample() -> Archive | None:
    """The sample archive, read on first use; `None` where it was not shipped."""
    store, path = current_store(), asking.sample_archive()
    if path is None:
        return None
    return archive(_sample_id(store.home, path)) or _known(asking.load_archive(store, path)[0])


@st.cache_resource(max_entries=4, show_spinner=False)
def _sample_id(home: Path, path: Path) -> str:
    return asking.load_archive(store_of(home), path)[0].id


def sample_question() -> str:
    return asking.sample_question()


def _known(corpus: Corpus) -> Archive:
    found = archive(corpus.id)
    assert found is not None
    return found
