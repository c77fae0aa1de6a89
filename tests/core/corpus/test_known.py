"""The same files again are not read again."""

import os

import pytest

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source, ingest
from rlm_core.corpus.known import fingerprint, known, remember
from rlm_core.ingest_limits import IngestLimits
from rlm_core.jobs.asking import load_archive
from rlm_core.store.store import Store

LIMITS = IngestLimits()


@pytest.fixture
def upload(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("The pump leaks.")
    return file


def test_an_upload_is_told_by_its_names_its_bytes_and_its_limits(upload):
    here = fingerprint([Source("a.txt", upload)], LIMITS)
    assert here == fingerprint([Source("a.txt", upload.read_bytes())], LIMITS)
    others = [
        fingerprint([Source("b.txt", upload)], LIMITS),
        fingerprint([Source("a.txt", b"The pump leaks!")], LIMITS),
        fingerprint([Source("a.txt", upload)], IngestLimits(max_nesting=2)),
        fingerprint([Source("a.txt", upload), Source("b.txt", b"")], LIMITS),
        fingerprint([Source("b.txt", b""), Source("a.txt", upload)], LIMITS),
    ]
    assert len({here, *others}) == 6


def test_what_is_no_file_is_never_told_again(upload, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(upload)
    for name in ("pipe", "link", "nowhere"):
        assert fingerprint([Source("a.txt", upload), Source(name, tmp_path / name)], LIMITS) is None


def test_a_corpus_is_known_until_its_folder_is_gone(upload, tmp_path):
    sources = [Source("a.txt", upload)]
    mark = fingerprint(sources, LIMITS)
    assert known(tmp_path / "corpora", mark) is None
    corpus, report = ingest(sources, tmp_path / "corpora", LIMITS)
    remember(corpus, mark)
    found, then = known(tmp_path / "corpora", mark)
    assert (found.id, then) == (corpus.id, report)
    Corpus.open(corpus.folder).delete()
    assert known(tmp_path / "corpora", mark) is None


def test_a_corpus_that_is_damaged_is_not_known(upload, tmp_path):
    sources = [Source("a.txt", upload)]
    corpus, _ = ingest(sources, tmp_path / "corpora", LIMITS)
    remember(corpus, fingerprint(sources, LIMITS))
    (corpus.folder / "report.json").write_text("{")
    assert known(tmp_path / "corpora", fingerprint(sources, LIMITS)) is None


def test_an_archive_that_is_loaded_again_is_already_here(upload, tmp_path):
    store = Store.open(tmp_path / "home")
    first, report = load_archive(store, upload)
    assert not report.already_here
    again, same = load_archive(store, upload)
    assert (again.id, same.already_here, same.items) == (first.id, True, report.items)
    store.delete_corpus(first.id)
    first.delete()
    assert not load_archive(store, upload)[1].already_here
    assert store.corpus(first.id).documents == 1
    upload.write_text("It leaks again.")
    assert not load_archive(store, upload)[1].already_here
