"""What was shown of an archive, computed from reads."""

from rlm_core.evidence.coverage import Coverage, Read, Seen, merged


def coverage(*reads: tuple[str, int, int, int, str], chars: tuple[int, ...] = (100, 50, 0, 10)) -> Coverage:
    return Coverage(chars, [Read(*each) for each in reads])


def test_characters_read_twice_count_once():
    seen = coverage(("a", 0, 0, 40, "sent"), ("b", 0, 30, 60, "printed"), ("c", 1, 0, 50, "sent"))
    assert seen.spans_of(0) == [(0, 60)]
    assert seen.gaps_of(0) == [(60, 100)]
    assert seen.chars_shown == 110
    assert seen.share == 110 / 160


def test_a_quote_alone_is_not_a_reading():
    seen = coverage(("f", 0, 5, 9, "cited"))
    assert seen.spans_of(0) == []
    assert seen.spans_of(0, "cited") == [(5, 9)]
    assert seen.never_read == (0, 1, 3)
    assert not seen.was_shown(0, 5, 9)


def test_a_document_without_text_is_not_called_unread():
    assert coverage().never_read == (0, 1, 3)
    assert Coverage((), ()).share is None


def test_a_place_names_who_saw_it_and_how_much_of_it():
    seen = coverage(
        ("a", 0, 0, 40, "sent"), ("b", 0, 30, 35, "printed"), ("b", 0, 36, 41, "printed"), ("c", 0, 80, 90, "sent")
    )
    assert seen.seen_by(0, 30, 40) == [Seen("a", "sent", 1.0), Seen("b", "printed", 0.9)]
    assert seen.seen_by(0, 40, 41) == [Seen("b", "printed", 1.0)]
    assert seen.seen_by(1, 0, 50) == []


def test_a_place_was_shown_only_if_all_of_it_was():
    seen = coverage(("a", 0, 0, 20, "sent"), ("b", 0, 20, 30, "sent"))
    assert seen.was_shown(0, 10, 30)
    assert not seen.was_shown(0, 10, 31)


def test_spans_that_touch_are_one_and_empty_ones_are_none():
    assert merged([(5, 9), (0, 5), (12, 12), (11, 13)]) == [(0, 9), (11, 13)]
