import pytest

from rlm_core.sandbox.capture import HeadAndTail, Tail


def captured(chunks, limit):
    capture = HeadAndTail(limit)
    for chunk in chunks:
        capture.add(chunk)
    return capture


@pytest.mark.parametrize("size", [1, 3, 10, 100])
def test_text_up_to_the_limit_is_kept_whole(size):
    text = "0123456789" * 10
    capture = captured([text[start : start + size] for start in range(0, 100, size)], 100)
    assert (capture.text(), capture.total) == (text, 100)


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_longer_text_keeps_head_and_tail_and_says_how_much_is_missing(size):
    text = "".join(chr(0x4E00 + number % 5000) for number in range(1000))
    capture = captured([text[start : start + size] for start in range(0, 1000, size)], 100)
    assert capture.text() == f"{text[:50]}\n[... 900 characters not kept ...]\n{text[-50:]}"
    assert capture.total == 1000


def test_text_dropped_elsewhere_is_counted():
    capture = captured(["a" * 100], 100)
    capture.skip(1_000_000)
    capture.add("z" * 50)
    assert capture.text() == f"{'a' * 50}\n[... 1,000,050 characters not kept ...]\n{'z' * 50}"
    assert capture.total == 1_000_150


def test_a_tail_holds_little_more_than_its_capacity():
    tail = Tail(100)
    for _ in range(10_000):
        tail.add("0123456789")
    assert (tail.total, tail.text()) == (100_000, "0123456789" * 10)
    assert sum(map(len, tail._chunks)) < 120
