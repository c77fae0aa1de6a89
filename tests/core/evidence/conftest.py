"""Corpora made of texts."""

import pytest

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source, ingest


@pytest.fixture
def corpus_of(tmp_path):
    def make(files: dict[str, str]) -> Corpus:
        corpus, _ = ingest([Source(name, text.encode()) for name, text in files.items()], tmp_path / "corpora")
        return corpus

    return make
