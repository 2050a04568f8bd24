"""Statistical tests that state how often they fail a right program, and which faults they catch.

A right program fails a test with a probability of at most `FALSE_ALARM`. A program that is off by
`effect` passes it with a probability of at most `MISSED`. A test that is too small to see its
effect raises a ValueError.

All of them are exact binomial tests. A distribution is a test of each outcome, which share the
false alarm.
"""

from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import exp, isclose, lgamma, log, log1p, pi, sqrt
from typing import TypeVar

from purembts.checks import above_zero, at_least_one, brief, finite, whole_number

FALSE_ALARM = 1e-9
"""The highest probability that a test fails a right program."""
MISSED = 1e-3
"""The highest probability that a test passes a program that is off by its effect."""
_SMALLEST = 1e-7
"""The smallest effect. Where p is 1/2, it needs about 2 x 10^15 trials."""

O = TypeVar("O", bound=Hashable)  # noqa: E741
"""An outcome."""


# A probability


def assert_probability(successes: float, n: int, p: Fraction | float, *, effect: float) -> None:
    """Raise an AssertionError unless `successes` of `n` trials fit the probability `p`.

    The test is the exact binomial test. `effect` is a difference of probabilities.

    >>> assert_probability(2043, 100_000, 0.0204, effect=0.01)
    """
    _check_effect(effect)
    _check_size(n, finite(float(p), "p", 0, 1), effect)
    low, high = acceptance(n, p)
    if not low <= successes <= high:
        raise AssertionError(
            f"{successes} of {n} do not fit probability {float(p)}, which gives {low} to {high}"
        )


def acceptance(n: int, p: Fraction | float, alarm: float = FALSE_ALARM) -> tuple[int, int]:
    """The lowest and the highest number of successes of `n` trials that fit the probability `p`.

    `alarm` is the probability that a right program has another number.
    """
    n, p = whole_number(n, "n", 0, 10**18), finite(float(p), "p", 0, 1)
    if p in (0, 1):
        return round(n * p), round(n * p)
    low = bisect_left(range(n), True, key=lambda k: at_most(k, n, p) >= alarm / 2)
    return low, bisect_left(range(n), True, key=lambda k: more_than(k, n, p) <= alarm / 2)


def _can_tell(n: int, p: Fraction | float, effect: float, alarm: float = FALSE_ALARM) -> bool:
    """True if a test of `n` trials catches a probability that differs from `p` by `effect`.

    Differences that lead below 0 or above 1 are no probabilities, and are left out.
    """
    at_least_one(n, "n")
    low, high = acceptance(n, p, alarm)
    others = [q for q in (float(p) - effect, float(p) + effect) if 0 <= q <= 1]
    passes = [at_most(high, n, q) - at_most(low - 1, n, q) for q in others]
    return bool(others) and max(passes) <= MISSED


def _check_size(n: int, p: float, effect: float, alarm: float = FALSE_ALARM) -> None:
    """Raise a ValueError if a test of `n` trials does not catch a difference of `effect`."""
    if not _can_tell(n, p, effect, alarm):
        least, off = how_many(p, effect, alarm), f"a probability off by {effect}"
        raise ValueError(f"`n` must be at least {least} to tell {p} from {off}; got {n}.")


def how_many(p: Fraction | float, effect: float, alarm: float = FALSE_ALARM) -> int:
    """The number of trials to ask for, to tell `p` from probabilities that differ by `effect`.

    `alarm` is the probability that the test fails a right program.

    >>> how_many(0.0204, 0.01)
    20427
    """
    _check_effect(effect)
    finite(float(p), "p", 0, 1)
    if not float(p) - effect >= 0 and not float(p) + effect <= 1:
        raise ValueError(
            f"`effect` must lead from {float(p)} to another probability; got {effect}."
        )
    # The lowest number, up to the steps of the binomial distribution.
    high = 1
    while not _can_tell(high, p, effect, alarm):
        high *= 2
    numbers = range(high // 2 + 1, high)
    return numbers.start + bisect_left(numbers, True, key=lambda n: _can_tell(n, p, effect, alarm))


def _check_effect(effect: float) -> None:
    """Raise a ValueError if `effect` is not above 0, or is too small for a test of any size."""
    if above_zero(effect, "effect") < _SMALLEST:
        raise ValueError(f"`effect` must be at least {_SMALLEST}; got {effect}.")


def smallest_effect(n: int, p: Fraction | float) -> float:
    """The smallest difference from `p` that a test of `n` trials catches, up to 1 % of it.

    >>> round(smallest_effect(20_000, 0.0204), 4)
    0.0102
    """
    low, high = 0.0, max(float(p), 1 - float(p))
    _check_size(n, float(p), high)
    while high - low > high / 100:
        middle = (low + high) / 2
        low, high = (low, middle) if _can_tell(n, p, middle) else (middle, high)
    return high


# A distribution


def assert_uniform(counts: Sequence[int], *, effect: float | None = None) -> None:
    """Raise an AssertionError unless the numbers of cases of each outcome fit equal probabilities.

    The test catches an outcome that is likelier than the others by the share `effect`, or less
    likely.
    """
    if isinstance(counts, Mapping):
        raise ValueError(f"`counts` must be a sequence of numbers; got {brief(counts)}.")
    p = Fraction(1, at_least_one(len(counts), "len(counts)"))
    cases = dict(enumerate(counts))
    effect = None if effect is None else effect * float(p)
    assert_distribution(cases, dict.fromkeys(cases, p), effect=effect)


def assert_distribution(
    counts: Mapping[O, int],
    probabilities: Mapping[O, Fraction | float],
    *,
    effect: float | None = None,
) -> None:
    """Raise an AssertionError unless the number of cases of each outcome fits its probability.

    `effect` is a difference of the probability of an outcome. Without it, the test catches the
    smallest one that the number of cases can show.
    """
    if not isclose(sum(probabilities.values()), 1, abs_tol=1e-9):
        raise ValueError(f"`probabilities` must add up to 1; got {brief(dict(probabilities))}.")
    n, alarm = sum(counts.values()), FALSE_ALARM / len(probabilities)
    for outcome in {**probabilities, **counts}:
        cases, p = counts.get(outcome, 0), float(probabilities.get(outcome, 0))
        if effect:
            _check_size(n, p, effect, alarm)
        low, high = acceptance(n, p, alarm)
        if not low <= cases <= high:
            raise AssertionError(
                f"{cases} of {n} do not fit probability {p:.4g} of {brief(outcome)}, which gives "
                f"{low} to {high}"
            )


def assert_same(one: Mapping[O, int], other: Mapping[O, int]) -> None:
    """Raise an AssertionError unless two samples fit one distribution.

    A sample is a map from outcomes to numbers of cases. The test catches the smallest difference
    of an outcome that the number of cases can show. Of all cases of an outcome, the number in `one`
    varies less than a binomial one: Hoeffding, Journal of the American Statistical Association 58
    (1963), theorem 4.
    """
    m, n = sum(one.values()), sum(other.values())
    alarm = FALSE_ALARM / at_least_one(len({**one, **other}), "len(one)")
    for outcome in {**one, **other}:
        a, b = one.get(outcome, 0), other.get(outcome, 0)
        low, high = acceptance(a + b, m / (m + n), alarm)
        if not low <= a <= high:
            raise AssertionError(
                f"{a} of {m} and {b} of {n} cases of {brief(outcome)} do not fit one distribution"
            )


# Tails of the binomial distribution
#
# Up to a million trials, tails down to 1e-50 are right within a billionth of their value. A tail is
# a sum of at most about 10 sqrt(n) terms. From about ten million trials on, it is an area, which is
# right within a millionth.

_ENOUGH = 1e-17
"""The share of a sum below which its next terms are left out."""
WIDE, STEPS = 4e6, 400
"""The variance from which a tail is an area, and the steps of Simpson's rule there."""


def _stirling_error(n: float) -> float:
    """The logarithm of n! minus the logarithm of Stirling's formula.

    The source is C. Loader, "Fast and accurate computation of binomial probabilities", 2000,
    section 2. The next two functions are its sections 3 and 4.
    """
    if n < 16:
        return lgamma(n + 1) - (n + 0.5) * log(n) + n - log(2 * pi) / 2
    square = n * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / n


def _deviance(k: float, mean: float) -> float:
    """The deviance k log(k / mean) + mean - k, with all its digits near the mean."""
    away = (k - mean) / mean
    return mean * ((1 + away) * log1p(away) - away)


def _exactly(k: float, n: int, p: float, q: float) -> float:
    """The probability of k successes of n trials, for p = 1 - q above 0."""
    if k in (0, n):
        p, q = (q, p) if k == 0 else (p, q)
        return exp(n * (log(p) if p < q else log1p(-q)))
    error = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    exponent = error - _deviance(k, n * p) - _deviance(n - k, n * q)
    return exp(exponent) * sqrt(n / (2 * pi * k * (n - k)))


def _tail(k: int, n: int, p: float, q: float) -> float:
    """The probability of k or more successes, where k is at least the mean and p = 1 - q.

    The next term is (n - k) / (k + 1) p / q times the one before. So the terms fall.
    """
    term = total = _exactly(k, n, p, q)
    if n * p * q > WIDE and term:
        return _area(k, n, p, q)
    odds = p / q
    while k < n and term > total * _ENOUGH:
        term *= (n - k) / (k + 1) * odds
        total += term
        k += 1
    return total


def _area(k: int, n: int, p: float, q: float) -> float:
    """The tail from k on of a wide distribution, as an area from k - 1/2 to where it is 0."""
    spread = sqrt(n * p * q)
    step = min(14 * spread, 40 * spread**2 / (k - n * p + spread)) / STEPS
    heights = [_exactly(k - 0.5 + i * step, n, p, q) for i in range(STEPS + 1)]
    return (4 * sum(heights[1::2]) + 2 * sum(heights[2:-1:2]) + heights[0] + heights[-1]) * step / 3


def more_than(k: int, n: int, p: float) -> float:
    """The probability of more than k successes of n trials."""
    return _above(k, n, p, 1 - p)


def at_most(k: int, n: int, p: float) -> float:
    """The probability of at most k successes, or in other words of more than n - k - 1 failures."""
    return _above(n - k - 1, n, 1 - p, p)


def _above(k: int, n: int, p: float, q: float) -> float:
    """The probability of more than k successes of n trials, for p = 1 - q."""
    if k < 0 or k >= n or p * q == 0:
        return float(k < 0 or (p > q and k < n))
    return _tail(k + 1, n, p, q) if k + 1 > n * p else 1 - _tail(n - k, n, q, p)
