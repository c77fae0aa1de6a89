"""The index of a corpus: made once, whatever its size, and right about where each kept byte stands."""

import random
import threading

import numpy as np
import pytest
from made_archives import archive, fingerprints, prose, words

from rlm_core.errors import CorpusError
from rlm_core.evidence.fingerprints import FOLDER, HASHED, Fingerprints, chosen, kept_of, places_of_kept, window_of


def test_only_letters_digits_and_what_is_not_ascii_count():
    assert kept_of('> 12: "Ünd"\n\tDry_Room, 4\'.'.encode()) == "12Ünddryroom4".encode()
    assert [*places_of_kept(b" a-b")] == [1, 3]


@pytest.mark.parametrize("size", [HASHED, 60, 1_000, 200_000])
def test_texts_that_share_enough_share_a_chosen_hash_wherever_it_stands(size):
    random_ = random.Random(size)
    window = 24
    shared = random_.randbytes(HASHED + window - 1)
    found = []
    for _ in range(2):
        text = random_.randbytes(size) + shared + random_.randbytes(size)
        found.append({int(each) for _, hashes in chosen(np.frombuffer(text, np.uint8), window) for each in hashes})
        places = [int(place) for at, _ in chosen(np.frombuffer(text, np.uint8), window) for place in at]
        assert places == sorted(set(places))
        assert max(np.diff(places)) <= window
    assert found[0] & found[1]


def test_text_that_repeats_itself_gives_few_hashes():
    for repeated in (b"a", b"ab", b"0120345"):
        at = [place for each, _ in chosen(np.frombuffer(repeated * 50_000, np.uint8), 24) for place in each]
        assert len(at) < 100


def test_of_a_larger_corpus_fewer_hashes_are_chosen():
    assert [window_of(size) for size in (1, 64_000_000, 64_000_001, 1_000_000_000)] == [24, 24, 48, 96]


def test_every_kept_byte_is_found_again_in_its_document(tmp_path):
    random_ = random.Random(7)
    texts = [
        " \n...é" + prose(random_, 3_000, words(random_, 500, "abcé你😀-")),
        "...\n",
        "x",
        prose(random_, 2_000, words(random_)),
        "  end é  ",
    ]
    index = fingerprints(tmp_path, *texts)
    assert bytes(index.kept) == b"".join(kept_of(text.encode()) for text in texts)
    assert [*index.starts] == [0, *np.cumsum([len(kept_of(text.encode())) for text in texts])]
    for number, text in enumerate(texts):
        document = index.corpus.documents[number]
        first, last = int(index.starts[number]), int(index.starts[number + 1])
        for kept in {first, *range(first, last, 97), last - 1} - {last} if first < last else ():
            byte = index.byte_of(kept)
            begins = byte
            while index.corpus.data[begins] & 0xC0 == 0x80:
                begins -= 1
            char = index.char_of(document, begins)
            assert text[:char].encode() == index.corpus.data[document.start : begins]
        assert index.char_of(document, document.start) == 0
        assert index.char_of(document, document.start + document.bytes) == len(text)


def test_kept_bytes_belong_to_the_documents_that_they_lie_in(tmp_path):
    index = fingerprints(tmp_path, "abc", "!!", "de", "f")
    assert [(each.index, start, end) for each, start, end in index.documents_of(1, 6)] == [
        (0, 1, 3),
        (2, 3, 5),
        (3, 5, 6),
    ]


def test_an_archive_without_letters_has_an_empty_index(tmp_path):
    index = fingerprints(tmp_path, "... !!! ...\n")
    low, high = index.candidates(np.array([1, 2], np.uint32))
    assert [*index.starts] == [0, 0]
    assert [*low] == [*high]


def test_the_index_is_made_once_and_goes_with_its_archive(tmp_path):
    corpus = archive(tmp_path, {"a.txt": "Room A12 was wet again after the rain.\n" * 50})
    (corpus.folder / f"{FOLDER}.part").mkdir()
    made: list[Fingerprints] = []
    threads = [threading.Thread(target=lambda: made.append(Fingerprints.of(corpus))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4
    written = {file: file.stat().st_mtime_ns for file in (corpus.folder / FOLDER).iterdir()}
    Fingerprints.of(corpus)
    assert {file: file.stat().st_mtime_ns for file in (corpus.folder / FOLDER).iterdir()} == written
    assert not (corpus.folder / f"{FOLDER}.part").exists()


def test_an_index_that_cannot_be_made_is_a_sentence(tmp_path):
    corpus = archive(tmp_path, {"a.txt": "Room A12 was wet.\n"})
    (corpus.folder / FOLDER).mkdir()
    with pytest.raises(CorpusError, match="it is not known what the models were shown"):
        Fingerprints.of(corpus)
