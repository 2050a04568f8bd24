"""The statistical tests fail for a wrong program, and pass for a right one."""

import re
from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest
from scipy.stats import binom

from purembts.verify.statistics import (
    MISSED,
    _can_tell,
    acceptance,
    assert_distribution,
    assert_probability,
    assert_same,
    assert_uniform,
    at_most,
    how_many,
    more_than,
    smallest_effect,
)


def test_a_probability_that_is_off_by_the_effect_is_caught():
    low, high = acceptance(10_000, 0.5)
    assert binom.cdf(high, 10_000, 0.55) - binom.cdf(low - 1, 10_000, 0.55) < MISSED
    rng = Random(1)
    heads = sum(rng.random() < 0.55 for _ in range(10_000))
    with pytest.raises(AssertionError):
        assert_probability(heads, 10_000, 0.5, effect=0.05)


@pytest.mark.parametrize("p", [0, 1])
def test_certainty_is_held_to_the_point(p):
    assert_probability(1000 * p, 1000, p, effect=0.05)
    with pytest.raises(AssertionError):
        assert_probability(abs(1000 * p - 1), 1000, p, effect=0.05)


def test_one_outcome_that_is_likelier_is_caught():
    assert_uniform([1000, 1040, 960, 1000], effect=0.3)
    with pytest.raises(AssertionError, match=r"1300 of 4000 do not fit probability 0\.25 of 1"):
        assert_uniform([1000, 1300, 850, 850], effect=0.3)


@pytest.mark.parametrize(("p", "effect"), [(0.0204, 0.01), (0.5, 0.05), (Fraction(1, 6), 0.2)])
def test_how_many_trials_are_enough_and_fewer_are_not(p, effect):
    n = how_many(p, effect)
    assert _can_tell(n, p, effect)
    assert not _can_tell(n - 1, p, effect)
    assert smallest_effect(n, p) == pytest.approx(effect, rel=0.02)


CHANCES = {"a": Fraction(1, 2), "b": Fraction(3, 10), "c": Fraction(1, 5), "rare": 0}


def drawn(n, seed, **more):
    """The cases of n draws from `CHANCES`, with `more` added to the probabilities."""
    rng, weights = Random(seed), {key: float(p) + more.get(key, 0) for key, p in CHANCES.items()}
    cases = Counter()
    for _ in range(n):
        point = rng.random()
        for outcome, weight in weights.items():
            point -= weight
            if point < 0:
                cases[outcome] += 1
                break
    return cases


def test_an_outcome_that_is_off_by_the_effect_is_caught():
    assert_distribution(drawn(3000, 1), CHANCES, effect=0.1)
    with pytest.raises(AssertionError, match=r"do not fit probability 0\.5 of 'a', which gives"):
        assert_distribution(drawn(3000, 1, a=0.1, b=-0.1), CHANCES, effect=0.1)
    for never in ("rare", "d"):
        with pytest.raises(AssertionError, match=f"1 of 3001 do not fit .* 0 of '{never}'"):
            assert_distribution(drawn(3000, 1) + Counter([never]), CHANCES, effect=0.1)


def test_two_samples_of_other_distributions_are_caught():
    assert_same(drawn(6000, 1), drawn(3000, 2))
    assert_same({"a": 6000}, {"a": 500})
    assert_same(dict.fromkeys(range(5000), 1), dict.fromkeys(range(5000, 10_000), 1))
    with pytest.raises(AssertionError, match=r"of 6000 and .* of 3000 cases of 'c' do not fit"):
        assert_same(drawn(6000, 1), drawn(3000, 2, a=0.1, c=-0.1))


def test_without_an_effect_any_number_of_cases_will_do():
    assert_uniform([10] * 6)
    assert_uniform([7])
    with pytest.raises(AssertionError, match="do not fit probability"):
        assert_uniform([10, 100])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: how_many(2, 0.1), "`p` must be a number from 0 to 1; got 2"),
        (lambda: how_many(0.5, 0.6), "`effect` must lead from 0.5 to another probability; got 0.6"),
        (lambda: how_many(0.5, 0), "`effect` must be a finite number above 0; got 0"),
        (
            lambda: smallest_effect(3, 0.5),
            "`n` must be at least 31 to tell 0.5 from a probability off by 0.5; got 3",
        ),
        (lambda: how_many(0.5, 1e-9), "`effect` must be at least 1e-07; got 1e-09"),
        (
            lambda: assert_probability(50, 100, 0.5, effect=0.05),
            "`n` must be at least 8461 to tell 0.5 from a probability off by 0.05; got 100",
        ),
        (lambda: assert_probability(50, 100, 0.5, effect=0.6), "`effect` must lead from 0.5"),
        (lambda: assert_probability(1, 9, 1.5, effect=0.1), "`p` must be a number from 0 to 1"),
        (lambda: assert_probability(1, 9, 0.5, effect=-0.1), "`effect` must be a finite number ab"),
        (lambda: assert_uniform({1: 5, 2: 9}, effect=0.5), "`counts` must be a sequence of numbe"),
        (lambda: assert_uniform([100] * 4, effect=0.3), "`n` must be at least 3"),
        (lambda: assert_same({}, {}), "`len(one)` must be a whole number of at least 1; got 0"),
        (lambda: assert_uniform([], effect=0.5), "`len(counts)` must be a whole number of at le"),
        (lambda: assert_distribution({1: 9}, {1: 0.7}, effect=0.5), "`probabilities` must add up"),
    ],
)
def test_a_wrong_argument_or_too_few_cases_are_refused(wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        wrong()


# The tails of the binomial distribution in plain Python, beside those of scipy

LEAST = 1e-50
"""The lowest value of a tail that is compared. Far below it, those of scipy become 0."""
SIGMAS = (-14, -8, -6.1, -3, -1, -0.1, 0, 0.1, 1, 3, 6.1, 8, 14)
TRIALS = (1, 2, 3, 7, 20, 100, 333, 1000, 20_000, 1_000_000)
PROBABILITIES = (1e-4, 0.0204, 1 / 36, 1 / 6, 0.5, 0.9, 0.9999)
TAILS = [(at_most, binom.cdf), (more_than, binom.sf)]


def numbers(n, p):
    """Numbers of successes in both tails and near the mean, and those at the edges."""
    near = {int(n * p + sigmas * sqrt(n * p * (1 - p))) for sigmas in SIGMAS}
    return sorted(k for k in near | {-1, 0, 1, n - 1, n, n + 1} if -1 <= k <= n + 1)


@pytest.mark.parametrize("n", [*TRIALS, 10**9, 10**12, 10**15])
@pytest.mark.parametrize(("ours", "theirs"), TAILS)
def test_binomial_tails_are_those_of_scipy(n, ours, theirs):
    error = 1e-9 if n <= 10**6 else 1e-6
    for p in PROBABILITIES:
        for k in numbers(n, p):
            one, other = ours(k, n, p), theirs(k, n, p)
            assert one == pytest.approx(other, rel=error, abs=0) or max(one, other) < LEAST, (k, p)


@pytest.mark.parametrize(("ours", "theirs"), TAILS)
@pytest.mark.parametrize("p", [0, 1])
def test_binomial_tails_of_a_certainty_are_those_of_scipy(ours, theirs, p):
    assert [ours(k, 9, p) for k in range(-1, 11)] == [theirs(k, 9, p) for k in range(-1, 11)]


@pytest.mark.parametrize("alarm", [1e-9, 2e-9, 0.0026, 0.62])
def test_the_numbers_that_fit_a_probability_are_the_quantiles_of_scipy(alarm):
    for n in TRIALS:
        for p in PROBABILITIES[1:-1]:
            quantiles = (binom.ppf(alarm / 2, n, p), binom.isf(alarm / 2, n, p))
            assert acceptance(n, p, alarm) == quantiles, (n, p)
