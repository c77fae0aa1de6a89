"""What a task may cost: ranges that follow from prices and size, from earlier runs where there are any, and within limits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlm_core.estimates import NOTHING, EarlierRun, Estimate, Plan, Range, Rate, estimate, total_usd
from rlm_core.task import Limits

ROOT = Rate(1.25e-6, 10e-6, 272_000)
HELPER = Rate(0.25e-6, 2e-6, 272_000)
UNKNOWN = Rate(None, None)
FREE = Rate(0.0, 0.0)
RLM = Plan("rlm", {"depth": 1}, 241_000, ROOT, HELPER, Limits())
BASE = replace(RLM, strategy="base", options={})


def usd(plan, *earlier):
    found = estimate(plan, earlier).usd
    assert found is not None
    return found


def test_a_base_run_costs_the_archive_once_and_a_reply():
    found = usd(BASE)
    assert found.low == pytest.approx(241_000 * 1.25e-6 + 500 * 10e-6)
    assert found.high == pytest.approx(241_000 * 1.25e-6 + 4_000 * 10e-6)


def test_a_base_run_that_is_cut_costs_no_more_than_the_window_holds():
    large = replace(BASE, corpus_tokens=9_000_000, options={"overflow": "cut"})
    assert usd(large).high < 272_000 * 1.25e-6 + 4_000 * 10e-6
    assert usd(replace(large, options={})).low > 10


def test_an_rlm_run_with_helpers_is_a_range_of_a_few_dimes_for_a_million_characters():
    found = usd(RLM)
    assert 0.02 < found.low < 0.2
    assert 0.2 < found.high < 1.0


def test_without_helpers_their_price_does_not_matter():
    alone = replace(RLM, options={"depth": 0}, helper=UNKNOWN)
    assert usd(alone) == usd(replace(alone, helper=HELPER, corpus_tokens=9_000_000))


def test_helpers_cost_in_proportion_to_the_archive_and_the_root_model_does_not():
    small, large = usd(replace(RLM, corpus_tokens=0)), usd(replace(RLM, corpus_tokens=10_000_000))
    assert small == usd(replace(RLM, corpus_tokens=0, options={"depth": 1}, helper=FREE))
    assert large.high - small.high == pytest.approx(11_000_000 * 0.25e-6 + 1_100_000 * 2e-6)


def test_fewer_turns_cost_less():
    assert usd(replace(RLM, limits=Limits(max_turns=2))).high < usd(RLM).high


@pytest.mark.parametrize(
    "plan", [replace(RLM, root=UNKNOWN), replace(RLM, helper=UNKNOWN), replace(BASE, root=UNKNOWN)]
)
def test_an_unknown_price_is_an_unknown_cost(plan):
    assert estimate(plan).usd is None
    assert estimate(plan, [EarlierRun(241_000, 0.4, 60.0)]).usd is None


def test_a_strategy_about_which_nothing_was_measured_is_unknown():
    assert estimate(replace(RLM, strategy="another")) == Estimate()
    assert estimate(replace(RLM, options={"depth": 3})) == Estimate()


def test_free_models_are_free():
    assert usd(replace(RLM, root=FREE, helper=FREE)) == NOTHING
    assert usd(replace(RLM, root=FREE, helper=FREE), EarlierRun(241_000, 0.0, 5.0)) == NOTHING


def test_earlier_runs_are_believed_before_assumptions():
    runs = [EarlierRun(241_000, 3.0, 60.0), EarlierRun(241_000, 6.0, 120.0)]
    found = estimate(RLM, runs)
    assert found.usd == Range(2.0, 9.0)
    assert found.time_s == Range(40.0, 180.0)
    assert found.earlier_runs == 2


def test_of_a_larger_archive_an_earlier_run_says_at_least_what_it_took():
    found = estimate(replace(RLM, corpus_tokens=482_000), [EarlierRun(241_000, 3.0, 60.0)])
    assert found.usd == Range(2.0, 9.0)
    assert found.time_s == Range(40.0, 180.0)


def test_a_run_of_an_archive_of_quite_another_size_says_nothing():
    assert estimate(RLM, [EarlierRun(1_000, 3.0, 60.0)]) == estimate(RLM)


def test_a_run_whose_cost_is_not_known_still_says_how_long_it_took():
    found = estimate(RLM, [EarlierRun(241_000, None, 60.0)])
    assert found.usd == estimate(RLM).usd
    assert found.time_s == Range(40.0, 90.0)


def test_time_is_unknown_before_the_first_run():
    assert estimate(RLM).time_s is None


def test_nothing_is_expected_above_the_limits():
    limited = replace(RLM, limits=Limits(max_usd=0.05, timeout_s=50))
    found = estimate(limited, [EarlierRun(241_000, 3.0, 60.0)])
    assert found.usd == Range(0.05, 0.05)
    assert found.time_s == Range(40.0, 50.0)


def test_a_sum_says_how_many_of_its_parts_are_unknown():
    assert total_usd([Estimate(Range(1, 2)), Estimate(), Estimate(Range(3, 4))]) == (Range(4, 6), 1)
    assert total_usd([Estimate()]) == (None, 1)


RATES = st.builds(Rate, *[st.floats(0, 1e-3)] * 2, st.integers(1, 10**7))
RUNS = st.builds(EarlierRun, st.integers(0, 10**9), st.none() | st.floats(0, 1e3), st.floats(0, 1e5))


@given(
    st.sampled_from([("rlm", {"depth": 0}), ("rlm", {"depth": 1}), ("base", {}), ("base", {"overflow": "cut"})]),
    st.integers(0, 10**9),
    RATES,
    RATES,
    st.none() | st.floats(0.01, 100),
    st.lists(RUNS, max_size=3),
)
def test_low_is_never_above_high_nor_high_above_the_limit(how, tokens, root, helper, max_usd, earlier):
    found = estimate(Plan(*how, tokens, root, helper, Limits(max_usd=max_usd)), earlier)
    assert found.usd is not None
    assert 0 <= found.usd.low <= found.usd.high
    assert max_usd is None or found.usd.high <= max_usd
    assert found.time_s is None or 0 <= found.time_s.low <= found.time_s.high <= 900
