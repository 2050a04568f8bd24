"""The tails of the binomial distribution in plain Python are those of scipy."""

from math import sqrt

import pytest
from scipy.stats import binom

from purembts.verify.statistics import acceptance, at_most, more_than

LEAST = 1e-50
"""The lowest value of a tail that is compared. Far below it, those of scipy become 0."""
SIGMAS = (-14, -8, -6.1, -3, -1, -0.1, 0, 0.1, 1, 3, 6.1, 8, 14)
TRIALS = (1, 2, 3, 7, 20, 100, 333, 1000, 20_000, 1_000_000)
CHANCES = (1e-4, 0.0204, 1 / 36, 1 / 6, 0.5, 0.9, 0.9999)
TAILS = [(at_most, binom.cdf), (more_than, binom.sf)]


def numbers(n, p):
    """Numbers of successes in both tails and near the mean, and those at the edges."""
    near = {int(n * p + sigmas * sqrt(n * p * (1 - p))) for sigmas in SIGMAS}
    return sorted(k for k in near | {-1, 0, 1, n - 1, n, n + 1} if -1 <= k <= n + 1)


@pytest.mark.parametrize("n", [*TRIALS, 10**9, 10**12, 10**15])
@pytest.mark.parametrize(("ours", "theirs"), TAILS)
def test_binomial_tails_are_those_of_scipy(n, ours, theirs):
    error = 1e-9 if n <= 10**6 else 1e-6
    for p in CHANCES:
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
        for p in CHANCES[1:-1]:
            quantiles = (binom.ppf(alarm / 2, n, p), binom.isf(alarm / 2, n, p))
            assert acceptance(n, p, alarm) == quantiles, (n, p)
