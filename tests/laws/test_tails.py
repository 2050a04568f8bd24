"""The tails in plain Python are those of scipy, and so are the statistical tests with them."""

import importlib
import sys
from itertools import product
from math import sqrt

import pytest
from scipy import stats

from purembts.verify import statistics, tails

CLOSE = {"rel": 1e-9, "abs": 0}
LEAST = 1e-50
"""The lowest value of a tail that is compared. Far below it, those of scipy become 0."""
SIGMAS = (-14, -8, -6.1, -3, -1, -0.1, 0, 0.1, 1, 3, 6.1, 8, 14)
TRIALS = (1, 2, 3, 7, 20, 100, 333, 1000, 20_000, 1_000_000)
CHANCES = (1e-4, 0.0204, 1 / 36, 1 / 6, 0.5, 0.9, 0.9999)


def same(found, expected):
    """True if both are the same number, or are too small to be compared."""
    return found == pytest.approx(expected, **CLOSE) or max(found, expected) < LEAST


def numbers(n, p):
    """Numbers of successes in both tails and near the mean, and those at the edges."""
    near = {int(n * p + sigmas * sqrt(n * p * (1 - p))) for sigmas in SIGMAS}
    return sorted(k for k in near | {-1, 0, 1, n - 1, n, n + 1} if -1 <= k <= n + 1)


@pytest.mark.parametrize("n", TRIALS)
@pytest.mark.parametrize("tail", ["cdf", "sf"])
def test_binomial_tails_are_those_of_scipy(n, tail):
    mine, theirs = getattr(tails.binom, tail), getattr(stats.binom, tail)
    cases = [(k, p) for p in CHANCES for k in numbers(n, p)]
    assert [(k, p) for k, p in cases if not same(mine(k, n, p), theirs(k, n, p))] == []


@pytest.mark.parametrize("tail", ["cdf", "sf"])
@pytest.mark.parametrize("p", [0, 1])
def test_binomial_tails_of_a_certainty_are_those_of_scipy(tail, p):
    mine, theirs = getattr(tails.binom, tail), getattr(stats.binom, tail)
    assert [mine(k, 9, p) for k in range(-1, 11)] == [theirs(k, 9, p) for k in range(-1, 11)]


@pytest.mark.parametrize("quantile", ["ppf", "isf"])
def test_binomial_quantiles_are_those_of_scipy(quantile):
    mine, theirs = getattr(tails.binom, quantile), getattr(stats.binom, quantile)
    cases = list(product((5e-10, 1e-9, 0.0013, 0.31), TRIALS, CHANCES[1:-1]))
    assert [each for each in cases if mine(*each) != theirs(*each)] == []


@pytest.fixture
def plain(monkeypatch):
    """The statistical tests where scipy is missing."""
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    name = "purembts.verify.statistics"
    spec = importlib.util.find_spec(name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.binom is tails.binom
    return module


@pytest.mark.parametrize(("n", "p"), [(40, 1 / 6), (20_000, 0.0204), (20_000, 0.5), (10**6, 0.25)])
def test_without_scipy_a_probability_is_tested_alike(plain, n, p):
    assert plain.acceptance(n, p) == statistics.acceptance(n, p)
    assert plain.smallest_effect(n, p) == pytest.approx(statistics.smallest_effect(n, p), **CLOSE)
