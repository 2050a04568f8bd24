"""Random variates, against exact distributions and those of scipy."""

import hashlib
from fractions import Fraction
from functools import partial
from math import comb, exp, isclose, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from scipy.stats import gamma as stats_gamma

from purembts.variates import _lies_under, _log_probability, binomial, gamma, multinomial, normal
from purembts.verify.statistics import assert_probability
from purembts.verify.strategies import seeds


@pytest.mark.parametrize("shape", [1, 2, 7.5])
def test_gamma_and_normal_numbers_have_their_distributions(shape):
    rng, n = Random(7), 20_000
    drawn, bells = [gamma(shape, rng) for _ in range(n)], [normal(rng) for _ in range(n)]
    for share in (0.05, 0.3, 0.5, 0.8, 0.99):
        limit, other = stats_gamma.ppf(share, shape), norm.ppf(share)
        assert_probability(sum(x < limit for x in drawn), n, share, effect=0.04)
        assert_probability(sum(x < other for x in bells), n, share, effect=0.04)


def check_binomial(draw, n, favourable, possible, draws=2000, effect=0.11):
    """The draws are below quantiles of the distribution as often as they must be, also far out."""
    drawn = [draw(n, favourable, possible) for _ in range(draws)]
    assert all(0 <= k <= n for k in drawn)
    expected = binom(n, favourable / possible)
    for share in (0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999):
        quantile = expected.ppf(share)
        below = sum(k <= quantile for k in drawn)
        assert_probability(below, draws, expected.cdf(quantile), effect=effect)


BINOMIALS = [
    (1, 1, 2),
    (5, 1, 3),
    (100, 35, 36),
    (19, 1, 2),
    (20, 1, 2),
    (1000, 1, 100),
    (10**6, 5, 36),
    (10**15, 1, 10**14),
    (10**15, 7, 11),
]


@pytest.mark.parametrize(("n", "favourable", "possible"), BINOMIALS)
def test_binomial_draws_have_the_binomial_distribution(n, favourable, possible):
    rng = Random(f"{n}/{favourable}/{possible}")
    check_binomial(partial(binomial, rng=rng), n, favourable, possible)


SQUEEZED = [(40, 1, 2), (300, 1, 3), (3000, 1, 36), (10**6, 5, 36), (10**12, 31, 72)]


def check_lies_under(lies_under, n, favourable, possible):
    """Heights under the distribution are under it, near it and far from it, for any k.

    Far below the mode the normal approximation must not decide: its error is larger than its bound.
    """
    p = favourable / possible
    variance = n * p * (1 - p)
    mode = (n + 1) * favourable // possible
    top = _log_probability(mode, n, favourable, possible)
    for deviations in range(-100, 101):
        k = round(mode + deviations / 10 * sqrt(variance))
        if not 0 <= k <= n:
            continue
        height = _log_probability(k, n, favourable, possible) - top
        for off in (1e-6, 1e-4, 0.01, 0.1, 1):
            for at, expected in ((height - off, True), (height + off, False)):
                answer = lies_under(at, k, n, favourable, possible, variance)
                assert answer == expected, f"{off} from the distribution at {k}"


@pytest.mark.parametrize(("n", "favourable", "possible"), SQUEEZED)
def test_the_points_under_the_distribution_are_found_exactly(n, favourable, possible):
    check_lies_under(_lies_under, n, favourable, possible)


def exact_distribution(n, favourable, possible):
    """The probability of each number of successes, as Fractions."""
    p = Fraction(favourable, possible)
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


@pytest.mark.parametrize(("n", "favourable", "possible"), [(40, 1, 2), (200, 1, 12), (1000, 3, 7)])
def test_the_probabilities_behind_the_draws_are_exact(n, favourable, possible):
    exact = exact_distribution(n, favourable, possible)
    mode = max(range(n + 1), key=exact.__getitem__)
    logs = [_log_probability(k, n, favourable, possible) for k in range(n + 1)]
    for k in range(n + 1):
        expected = exact[k] / exact[mode]
        if expected > Fraction(1, 10**250):
            assert isclose(exp(logs[k] - logs[mode]), float(expected), rel_tol=1e-12)


some_weights = st.lists(st.integers(0, 3), min_size=1, max_size=8).filter(any)


@given(seeds, st.integers(0, 10**15), some_weights)
def test_multinomial_splits_all_of_them_among_the_outcomes_that_can_come(seed, n, weights):
    counts = multinomial(n, weights, Random(seed))
    assert sum(counts) == n
    assert min(counts) >= 0
    assert not any(k for k, weight in zip(counts, weights, strict=True) if not weight)


def test_each_share_of_a_multinomial_is_binomial():
    rng = Random(1)
    for i, weight in enumerate((1, 2, 3)):
        check_binomial(lambda n, f, p, i=i: multinomial(n, (1, 2, 3), rng)[i], 1000, weight, 6)


class Starting:
    """A generator that gives some numbers first, then random ones."""

    def __init__(self, *numbers):
        self.numbers, self.rng = iter(numbers), Random(1)

    def random(self):
        number = next(self.numbers, None)
        return self.rng.random() if number is None else number


@pytest.mark.parametrize(
    "start", [(0.0,), (1 - 2**-53,), (0.5, 0.0), (0.001, 0.0), (2**-53, 2**-53)]
)
@pytest.mark.parametrize("n", [10, 1000, 10**15])
def test_draws_at_the_ends_of_a_generator(start, n):
    assert 0 <= binomial(n, 1, 3, Starting(*start)) <= n


DRAWS = (
    *(partial(binomial, *parameters) for parameters in BINOMIALS),
    normal,
    *(partial(gamma, shape) for shape in (1, 2.5, 40)),
    lambda rng: multinomial(1000, (3, 1, 2), rng)[1],
)


def test_the_same_seed_draws_the_same_numbers():
    """Held fast, because a change of a number in a method may be too small for statistics.

    To nine digits: the last digits are those of the machine's `log`.
    """
    rng = Random(7)
    drawn = " ".join(f"{draw(rng):.9g}" for draw in DRAWS for _ in range(2000))
    assert hashlib.sha256(drawn.encode()).hexdigest()[:8] == "c3dc6822"
