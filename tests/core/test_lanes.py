"""Stretches of time: in lanes, together, at once, and parted."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from rlm_core.lanes import covered, length, packed, parted, peaks


def stretches_of(seed, count=200):
    rng = random.Random(seed)
    return sorted(
        (start, start + rng.choice((0.0, 0.5, 3.0, 20.0)) * rng.random())
        for start in (rng.random() * 60 for _ in range(count))
    )


def test_each_takes_the_lowest_lane_that_is_free():
    assert packed([(0, 4), (1, 2), (1, 6), (2, 3), (4, 5), (4, 9)]) == [0, 1, 2, 1, 0, 1]
    assert packed([]) == []


@pytest.mark.parametrize("seed", range(5))
def test_in_one_lane_nothing_overlaps_and_no_more_lanes_are_used_than_there_are_at_once(seed):
    found = stretches_of(seed)
    lanes = packed(found)
    for lane in set(lanes):
        row = [each for each, at in zip(found, lanes, strict=True) if at == lane]
        assert all(one[1] <= two[0] for one, two in pairwise(row))
    at_once = max(sum(one <= at < two for one, two in found) for at, _ in found)
    assert max(lanes) + 1 >= at_once
    assert packed(found[:50]) == lanes[:50]


def test_what_overlaps_is_covered_once_and_short_gaps_can_be_closed():
    assert covered([(5, 6), (0, 2), (1, 3)]) == [(0, 3), (5, 6)]
    assert covered([(0, 1), (1.5, 2)], nearer_than=0.5) == [(0, 2)]
    assert length([(0, 2), (1, 3), (5, 6)]) == 4


def test_peaks_say_how_many_there_were_at_once_in_each_part():
    assert peaks([(0, 10), (2, 4), (2.5, 3)], 0, 10, 5) == (1, 3, 2, 1, 1)
    assert peaks([(0, 5), (5, 10)], 0, 10, 1) == (1,)
    assert peaks([(3, 3)], 0, 10, 2) == (0, 0)
    assert peaks([(3, 3)], 3, 3, 2) == (0, 0)


@pytest.mark.parametrize("seed", range(3))
def test_no_peak_is_lost_however_coarse_the_parts_are(seed):
    found = stretches_of(seed)
    end = max(two for _, two in found)
    highest = max(sum(one <= at < two for one, two in found) for at, _ in found)
    assert {max(peaks(found, 0, end, bins)) for bins in (1, 7, 60)} == {highest}


def test_they_are_parted_where_the_gaps_are_longest():
    found = [(0, 2), (1, 3), (4, 5), (20, 21), (22, 30), (23, 24), (90, 91)]
    assert parted(found, 3) == [[0, 1, 2], [3, 4, 5], [6]]
    assert parted(found, 2) == [[0, 1, 2, 3, 4, 5], [6]]
    assert parted(found, 99) == [[0, 1], [2], [3], [4, 5], [6]]
    assert parted([], 3) == []
