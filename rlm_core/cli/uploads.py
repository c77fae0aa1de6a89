"""The ARCHIVE of a command: one or more files and folders, or the word `sample`, as one upload."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rlm_core.corpus.ingest import Source, sources_of
from rlm_core.samples import sample

SAMPLE = "sample"


def archive_paths(words: Sequence[str]) -> list[Path]:
    """The paths that the words on the command line mean. `sample` is the shipped archive unless a file is called so."""
    return [sample() if word == SAMPLE and not Path(word).exists() else Path(word) for word in words]


def sources_and_name(words: Sequence[str]) -> tuple[list[Source], str]:
    """The files of the upload, and what to call it. Raises `CorpusError` for a path where nothing is."""
    paths = archive_paths(words)
    found = [source for path in paths for source in sources_of(path)]
    more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
    return found, f"{paths[0].resolve().name}{more}"
