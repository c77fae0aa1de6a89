"""Bounded steps find what one long search would find."""

import mmap
import random

import pytest

from rlm_core.evidence.scanning import chars_between, hits, hits_backwards, line_start, lines_between
from rlm_core.evidence.work import TooMuchWork, Work


@pytest.fixture
def work():
    return Work(60.0)


def mapped(data: bytes) -> mmap.mmap:
    memory = mmap.mmap(-1, len(data))
    memory.write(data)
    return memory


def test_every_occurrence_is_found_once_in_both_directions_across_blocks(work):
    chance = random.Random(5)
    text = "".join(chance.choices("ab", k=3 << 20))
    needle = text[(1 << 20) - 12 : (1 << 20) + 12]
    for each, start, end in ((text, 0, len(text)), (text, 77, (2 << 20) + 5)):
        expected = [at for at in _all(needle, each) if start <= at <= end - len(needle)]
        assert expected
        assert list(hits(needle, each, start, end, work)) == expected
        assert list(hits_backwards(needle, each, start, end, work)) == expected[::-1]
        data = mapped(each.encode())
        assert list(hits(needle.encode(), data, start, end, work)) == expected
        assert list(hits_backwards(needle.encode(), data, start, end, work)) == expected[::-1]


def test_occurrences_that_overlap_count_each(work):
    assert list(hits("aa", "aaaa", 0, 4, work)) == [0, 1, 2]
    assert list(hits_backwards("aa", "aaaa", 0, 4, work)) == [2, 1, 0]
    assert list(hits("aa", "a", 0, 1, work)) == list(hits_backwards("aa", "a", 0, 1, work)) == []


def test_lines_and_characters_are_counted_in_blocks_as_in_the_whole():
    text = "".join(random.Random(1).choices("aä€😀\n", k=900_000))
    data = text.encode()
    assert lines_between(data, 0, len(data)) == text.count("\n")
    assert chars_between(data, 0, len(data)) == len(text)
    starts = [0, *(at + 1 for at, each in enumerate(text) if each == "\n")]
    for line in (1, 2, 3000, 100_000, len(starts)):
        assert line_start(text, 0, len(text), line) == starts[line - 1]
        assert line_start(data, 0, len(data), line) == len(text[: starts[line - 1]].encode())
    assert line_start(text, 0, len(text), None) == 0
    assert line_start(text, 0, len(text), 10**12) == len(text)


def test_a_search_ends_when_its_time_or_its_characters_are_used_up():
    with pytest.raises(TooMuchWork):
        list(hits("b", "a" * 10, 0, 10, Work(-1.0)))
    work = Work(60.0, max_chars=10)
    work.spend(10)
    with pytest.raises(TooMuchWork):
        work.spend(1)


def _all(needle: str, text: str) -> list[int]:
    found, at = [], text.find(needle)
    while at >= 0:
        found.append(at)
        at = text.find(needle, at + 1)
    return found
