"""The statistical tests fail for a wrong program, and pass for a right one."""

from fractions import Fraction
from random import Random

import pytest
from scipy.stats import binom

from stats import (
    FALSE_ALARM,
    MISSED,
    acceptance,
    assert_probability,
    assert_uniform,
    chance_to_pass,
)


@pytest.mark.parametrize(("n", "p"), [(1000, 0.5), (50_000, 0.02), (200, Fraction(1, 6)), (7, 0.5)])
def test_a_right_program_fails_at_most_once_in_a_billion_checks(n, p):
    low, high = acceptance(n, p)
    assert binom.cdf(low - 1, n, float(p)) + binom.sf(high, n, float(p)) <= FALSE_ALARM
    assert chance_to_pass(n, p, float(p)) >= 1 - FALSE_ALARM


def test_the_acceptance_is_no_wider_than_necessary():
    low, high = acceptance(1000, 0.5)
    assert binom.cdf(low, 1000, 0.5) > FALSE_ALARM / 2
    assert binom.sf(high - 1, 1000, 0.5) > FALSE_ALARM / 2


def test_a_probability_that_is_off_by_the_effect_is_caught():
    assert chance_to_pass(10_000, 0.5, 0.55) < MISSED
    rng = Random(1)
    heads = sum(rng.random() < 0.55 for _ in range(10_000))
    with pytest.raises(AssertionError):
        assert_probability(heads, 10_000, 0.5, effect=0.05)


def test_a_check_that_is_too_small_refuses_to_run():
    with pytest.raises(ValueError, match=r"`n` must be large enough to tell 0\.5 from .* got 100"):
        assert_probability(50, 100, 0.5, effect=0.05)
    with pytest.raises(ValueError, match="large enough to tell"):
        assert_probability(50, 100, 0.5, effect=0.6)


@pytest.mark.parametrize("p", [0, 1])
def test_certainty_is_held_to_the_point(p):
    assert_probability(1000 * p, 1000, p, effect=0.05)
    with pytest.raises(AssertionError):
        assert_probability(abs(1000 * p - 1), 1000, p, effect=0.05)


def test_one_outcome_that_is_likelier_is_caught():
    assert_uniform([1000, 1040, 960, 1000], effect=0.3)
    with pytest.raises(AssertionError, match="do not fit equal probabilities"):
        assert_uniform([1000, 1300, 850, 850], effect=0.3)
    with pytest.raises(ValueError, match=r"`counts` must be large enough .*; got 400 trials"):
        assert_uniform([100, 100, 100, 100], effect=0.3)
