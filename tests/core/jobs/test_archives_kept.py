"""An archive is deleted with all that was kept of it, unless a run needs it."""

from pathlib import Path

import pytest

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source
from rlm_core.corpus.search import search
from rlm_core.errors import CorpusError, StoreError
from rlm_core.events import RunFinished, RunStarted
from rlm_core.jobs.archives import bytes_of_archive, delete_archive
from rlm_core.jobs.asking import load_archive
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Task


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "home")


@pytest.fixture
def corpus(store: Store) -> Corpus:
    return load_archive(store, [Source("a.txt", b"The pump leaks.\n")], name="pumps")[0]


def test_an_archive_goes_with_its_search_index_and_its_runs_stay(store: Store, corpus: Corpus) -> None:
    search(corpus, "pump")
    with Recorder.open(store.home, "r1") as recorder:
        recorder.emit("run", None, RunStarted(Task("Why?", corpus.id)))
        recorder.emit("run", None, RunFinished("answered"))
    size = bytes_of_archive(store, corpus.id)
    assert size > sum(path.stat().st_size for path in (corpus.text_path, corpus.index_path))
    assert delete_archive(store, corpus.id) == size
    assert store.corpus(corpus.id) is None
    assert not list((store.home / "corpora").iterdir())
    assert store.run("r1")
    with pytest.raises(CorpusError, match="Upload its files again"):
        Corpus.open(corpus.folder)


def test_the_same_files_become_the_same_archive_again(store: Store, corpus: Corpus) -> None:
    delete_archive(store, corpus.id)
    again, _ = load_archive(store, [Source("a.txt", b"The pump leaks.\n")], name="pumps")
    assert (again.id, again.text(0)) == (corpus.id, "The pump leaks.\n")


def test_an_archive_of_a_run_that_waits_or_goes_on_is_kept(store: Store, corpus: Corpus) -> None:
    job = store.add_job(Task("Why?", corpus.id))
    for state in ("queued", "running"):
        store.set_job_state(job, state)
        with pytest.raises(
            StoreError, match=f"cannot be deleted while the run {job} needs it. Wait until the run ends"
        ):
            delete_archive(store, corpus.id)
    assert Corpus.open(corpus.folder).text(0)
    store.set_job_state(job, "finished")
    with Recorder.open(store.home, "r1") as recorder:
        recorder.emit("run", None, RunStarted(Task("Why?", corpus.id)))
        with pytest.raises(StoreError, match="while the run r1 needs it"):
            delete_archive(store, corpus.id)
    assert delete_archive(store, corpus.id) > 0  # the process of that run is gone, so nobody reads it


def test_only_what_is_listed_is_deleted(store: Store, corpus: Corpus) -> None:
    for id in ("c-unknown", "..", "", f"../corpora/{corpus.id}"):
        with pytest.raises(StoreError, match="There is no archive"):
            delete_archive(store, id)
    assert Corpus.open(corpus.folder).text(0)


def test_what_a_broken_removal_has_left_goes_with_the_next(store: Store, corpus: Corpus) -> None:
    left = store.home / "corpora" / ".c-other.removed"
    left.mkdir()
    (left / "corpus.txt").write_text("left behind")
    delete_archive(store, corpus.id)
    assert not left.exists()


def test_an_archive_whose_files_are_gone_can_be_taken_off_the_list(store: Store, corpus: Corpus) -> None:
    corpus.delete()
    assert delete_archive(store, corpus.id) == 0
    assert store.corpora() == []
