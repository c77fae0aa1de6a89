from typing import get_args

import pytest

from rlm_core.task import Outcome, Verdict
from rlm_core.wording import (
    OUTCOMES,
    VERDICTS,
    count,
    exact,
    m_of_n,
    money,
    outcome,
    place,
    seconds,
    share,
    size,
)


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        (0.41, "$0.41"),
        (0.0, "$0.00"),
        (0.0007, "$0.0007"),
        (0.00001, "<$0.0001"),
        (0.0099, "$0.0099"),
        (1234.5, "$1,234.50"),
        (None, "unknown"),
    ],
)
def test_money_has_two_digits_and_four_below_a_cent(usd, said):
    assert money(usd) == said


def test_a_sum_with_an_unknown_part_says_so_and_an_unknown_sum_is_never_zero():
    assert money(0.41, 1) == "$0.41 + ?"
    assert money(0.0, 3) == "unknown"
    assert money(None, 3) == "unknown"


def test_an_estimate_carries_a_tilde():
    assert money(0.334, estimate=True) == "~$0.33"
    assert seconds(134, estimate=True) == "~2 min 14 s"
    assert count(241_030, estimate=True) == "~241 k"


def test_a_column_of_money_may_ask_for_three_digits():
    assert money(0.018, digits=3) == "$0.018"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "<0.1 s"),
        (0.008, "<0.1 s"),
        (0.05, "0.1 s"),
        (0.3, "0.3 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (61.2, "61 s"),
        (99.4, "99 s"),
        (99.6, "1 min 40 s"),
        (134, "2 min 14 s"),
        (3599.7, "1 h 00 min"),
        (3900, "1 h 05 min"),
        (None, "unknown"),
    ],
)
def test_time_is_in_seconds_up_to_99_and_then_in_minutes(value, said):
    assert seconds(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (9_999, "9,999"), (10_000, "10 k"), (473_200, "473 k"), (999_700, "1.0 M"), (None, "unknown")],
)
def test_counts_are_exact_below_ten_thousand(value, said):
    assert count(value) == said


def test_a_count_as_evidence_is_exact_with_its_noun():
    assert exact(38_497, "character") == "38,497 characters"
    assert exact(1, "call") == "1 call"
    assert exact(2, "reply", "replies") == "2 replies"


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [
        (96, 100, "96 %"),
        (9_999, 10_000, ">99 %"),
        (1, 1_000, "<1 %"),
        (0, 10, "0 %"),
        (10, 10, "100 %"),
        (0, 0, "unknown"),
    ],
)
def test_a_share_is_a_hundred_percent_only_when_nothing_is_missing(part, whole, said):
    assert share(part, whole) == said


def test_a_cut_list_says_of_how_many():
    assert m_of_n(8, 1310) == "8 of 1,310"


def test_places_name_document_and_lines():
    assert place("a/reports_05.txt", 131) == "a/reports_05.txt line 131"
    assert place("a/reports_05.txt", 120, 134) == "a/reports_05.txt lines 120–134"
    assert place("a/reports_05.txt") == "a/reports_05.txt"
    assert place(None) == "unknown"


def test_every_outcome_and_every_verdict_has_words():
    assert set(OUTCOMES) == set(get_args(Outcome))
    assert set(VERDICTS) == set(get_args(Verdict))
    assert outcome(None) == "running"
    assert outcome("forced") == "forced"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (62_400, "62 kB"),
        (999_600, "1.0 MB"),
        (9_960_000, "10 MB"),
        (1_234_000_000, "1.2 GB"),
        (12_345_000_000_000, "12,345 GB"),
        (None, "unknown"),
    ],
)
def test_sizes_have_two_digits_and_a_unit(value, said):
    assert size(value) == said


def test_an_estimated_size_carries_a_tilde():
    assert size(1_200_000, estimate=True) == "~1.2 MB"
