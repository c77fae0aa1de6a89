"""The corpus on disk: its form, its id, and how documents are found in it."""

import json

import pytest

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import ingest, sources_of
from rlm_core.errors import CorpusError

FILES = {"a.txt": "first\ndocument", "d/Bé.md": "zweites Dokument: ü€😀\n", "d/e/a.txt": "", "log": "last"}


def test_the_table_says_where_each_document_lies(read):
    corpus = read(FILES).corpus
    text, index = corpus.text_path.read_bytes(), json.loads(corpus.index_path.read_text(encoding="utf-8"))
    for row, (path, content) in zip(index["documents"], FILES.items(), strict=True):
        assert (row["path"], row["chars"]) == (path, len(content))
        assert text[row["start"] : row["start"] + row["bytes"]].decode() == content
    assert text == "\n".join(FILES.values()).encode()


@pytest.mark.parametrize("chars", [0, 1, 2, 3, 20, 24, 1_000])
def test_the_beginning_of_a_document_is_that_of_its_text(read, chars):
    corpus = read(FILES).corpus
    for document in corpus.documents:
        assert corpus.beginning(document.index, chars) == corpus.text(document.index)[:chars]


def test_a_corpus_opens_as_it_was_written(read):
    got = read(FILES)
    again = Corpus.open(got.corpus.folder)
    assert again.documents == got.corpus.documents
    assert [again.text(document.index) for document in again.documents] == list(FILES.values())
    assert again.report() == got.report
    assert (again.id, again.name, again.chars) == (got.corpus.id, "a.txt and 3 more", sum(map(len, FILES.values())))
    assert again.tokens_estimate == sum(document.bytes for document in again.documents) // 4


def test_the_same_upload_is_recognised_and_a_different_one_is_not(read):
    first = read(FILES).corpus
    written = first.text_path.stat().st_mtime_ns
    assert read(FILES).corpus.id == first.id
    assert first.text_path.stat().st_mtime_ns == written
    assert read({**FILES, "log": "lost"}).corpus.id != first.id
    assert read({**FILES, "other": "last"}).corpus.id != first.id, "a file that was not read again makes another report"
    assert len(list(first.folder.parent.iterdir())) == 3


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("z.zip!/docs/a.txt", "z.zip!/docs/a.txt"),
        ("docs/a.txt", "z.zip!/docs/a.txt"),
        ("b.md", "z.zip!/docs/b.md"),
        ("wrong/folder/b.md", "z.zip!/docs/b.md"),
        ("B.MD", "z.zip!/docs/b.md"),
        ("b", "z.zip!/docs/b.md"),
        ("DOCS/A.TXT", "z.zip!/docs/a.txt"),
        ("a.txt", None),
        ("nothing", None),
        ("", None),
    ],
)
def test_a_document_is_found_by_its_path_or_a_part_of_it_that_is_its_own(read, make_zip, asked, found):
    upload = make_zip(("docs/a.txt", "1"), ("docs/b.md", "2"), ("other/a.txt", "3"))
    document = read({"z.zip": upload}).corpus.find(asked)
    assert (document.path if document else None) == found


def test_a_missing_or_damaged_corpus_says_what_to_do(tmp_path, read):
    with pytest.raises(CorpusError, match="Upload its files again"):
        Corpus.open(tmp_path / "c-nowhere")
    corpus = read(FILES).corpus
    corpus.index_path.write_text("{", encoding="utf-8")
    with pytest.raises(CorpusError, match="damaged"):
        Corpus.open(corpus.folder)


def test_a_deleted_corpus_is_gone(read):
    corpus = read(FILES).corpus
    assert corpus.text(0)
    corpus.delete()
    assert not corpus.folder.exists()


def test_a_folder_is_all_its_files_sorted_and_its_links_are_refused(tmp_path):
    folder = tmp_path / "dump"
    (folder / "sub").mkdir(parents=True)
    (folder / "b.txt").write_text("b")
    (folder / "sub" / "a.txt").write_text("a")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path)
    corpus, report = ingest(sources_of(folder), tmp_path / "corpora")
    assert {item.path: item.status for item in report.items} == {
        "b.txt": "ok",
        "link.txt": "unsafe-path",
        "sub/a.txt": "ok",
        "up": "unsafe-path",
    }
    assert b"secret" not in corpus.text_path.read_bytes()


def test_a_file_given_by_itself_may_be_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("real")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    corpus, _ = ingest(sources_of(tmp_path / "link.txt"), tmp_path / "corpora")
    assert corpus.documents[0].path == "link.txt"
    with pytest.raises(CorpusError, match="no file or folder"):
        sources_of(tmp_path / "nowhere")


def test_uploaded_names_are_metadata_too(read, tmp_path):
    got = read({"../../evil.txt": "evil", "a.txt": "fine"})
    assert got["../../evil.txt"].status == "unsafe-path"
    assert not list(tmp_path.rglob("*evil*"))


def test_the_report_says_every_fact_and_survives_being_stored(read):
    got = read({"a.txt": "ä".encode("cp1252") * 3 + b" Gr\xfcnwald", "b.txt": "", "c.jsonl": "x\n{}"})
    stored = json.loads(json.dumps(got.report.to_dict()))
    assert stored["upload_status"] == "ok"
    assert stored["items"][0]["encoding"] == "cp1252"
    assert stored["items"][1]["bytes"] == 0
    assert type(got.report).from_dict(stored) == got.report
