"""Statistical tests that state how often they fail a right program, and which faults they catch.

A right program fails a test with a probability of at most `FALSE_ALARM`. A program that is off by
`effect` passes it with a probability of at most `MISSED`. A test that is too small to see its
effect raises a ValueError.

The tests of a probability and of a mean keep both promises exactly. The tests of a distribution use
chi-square, whose promises are approximations: a fault that makes one of a hundred outcomes much
likelier was missed in 2 % of the tests. They ask for at least five expected cases of each outcome,
and count rarer outcomes as one.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import ceil, isclose, log, sqrt
from typing import TypeVar

from purembts.checks import above_zero, at_least_one, brief, finite, not_negative

try:
    from scipy.stats import binom, chi2, ncx2
except ImportError:
    from purembts.verify.tails import binom, chi2, ncx2

FALSE_ALARM = 1e-9
"""The highest probability that a test fails a right program."""
MISSED = 1e-3
"""The highest probability that a test passes a program that is off by its effect."""
SMALLEST = 1e-7
"""The smallest effect. Where p is 1/2, it needs about 2 x 10^15 trials."""
FEWEST = 5
"""The lowest expected number of cases of an outcome in a chi-square test."""

O = TypeVar("O", bound=Hashable)  # noqa: E741
"""An outcome."""


# A probability


def assert_probability(successes: float, n: int, p: Fraction | float, *, effect: float) -> None:
    """Raise an AssertionError unless `successes` of `n` trials fit the probability `p`.

    The test is the exact binomial test. `effect` is a difference of probabilities.

    >>> assert_probability(2043, 100_000, 0.0204, effect=0.01)
    """
    _check_effect(effect)
    if not can_tell(n, finite(float(p), "p", 0, 1), effect):
        raise ValueError(
            f"`n` must be large enough to tell {float(p)} from a probability off by {effect}; "
            f"got {n}."
        )
    low, high = acceptance(n, p)
    if not low <= successes <= high:
        raise AssertionError(
            f"{successes} of {n} do not fit probability {float(p)}, which gives {low} to {high}"
        )


def acceptance(n: int, p: Fraction | float) -> tuple[int, int]:
    """The lowest and the highest number of successes of `n` trials that fit the probability `p`."""
    p = finite(float(p), "p", 0, 1)
    if p in (0, 1):
        return round(n * p), round(n * p)
    return int(binom.ppf(FALSE_ALARM / 2, n, p)), int(binom.isf(FALSE_ALARM / 2, n, p))


def chance_to_pass(n: int, p: Fraction | float, true: float) -> float:
    """The probability that `n` trials fit the probability `p` if the probability is `true`."""
    low, high = acceptance(n, p)
    return float(binom.cdf(high, n, true) - binom.cdf(low - 1, n, true))


def can_tell(n: int, p: Fraction | float, effect: float) -> bool:
    """True if a test of `n` trials catches a probability that differs from `p` by `effect`.

    Differences that lead below 0 or above 1 are no probabilities, and are left out.
    """
    at_least_one(n, "n")
    others = [q for q in (float(p) - effect, float(p) + effect) if 0 <= q <= 1]
    return bool(others) and all(chance_to_pass(n, p, q) <= MISSED for q in others)


def how_many(p: Fraction | float, effect: float) -> int:
    """The number of trials to ask for, to tell `p` from probabilities that differ by `effect`.

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
    while not can_tell(high, p, effect):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if can_tell(middle, p, effect) else (middle, high)
    return high


def _check_effect(effect: float) -> None:
    """Raise a ValueError if `effect` is not above 0, or is too small for a test of any size."""
    if above_zero(effect, "effect") < SMALLEST:
        raise ValueError(f"`effect` must be at least {SMALLEST}; got {effect}.")


def smallest_effect(n: int, p: Fraction | float) -> float:
    """The smallest difference from `p` that a test of `n` trials catches, up to 1 % of it.

    >>> round(smallest_effect(20_000, 0.0204), 4)
    0.0102
    """
    at_least_one(n, "n")
    low, high = 0.0, max(float(p), 1 - float(p))
    if not can_tell(n, p, high):
        raise ValueError(f"`n` must be large enough to tell {float(p)} from any other; got {n}.")
    while high - low > high / 100:
        middle = (low + high) / 2
        low, high = (low, middle) if can_tell(n, p, middle) else (middle, high)
    return high


# A mean


def assert_mean(
    values: Sequence[float], mean: Fraction | float, *, low: float, high: float, effect: float
) -> None:
    """Raise an AssertionError unless independent `values`, each from `low` to `high`, fit `mean`.

    `effect` is a difference of means. The test is Hoeffding's inequality, Journal of the American
    Statistical Association 58 (1963), theorem 2. It holds for any distribution on the range.
    """
    n, width = len(values), high - low
    finite(float(mean), "mean")
    if n < how_many_for_mean(effect / above_zero(width, "high - low")):
        raise ValueError(
            f"`values` must be enough to tell a mean from one that differs by {effect}; got {n}."
        )
    if not all(low <= value <= high for value in values):
        raise AssertionError(f"a value is not from {low} to {high}: {brief(values)}")
    found, allowed = float(sum(values)) / n, width * sqrt(log(2 / FALSE_ALARM) / (2 * n))
    if abs(found - mean) > allowed:
        raise AssertionError(
            f"a mean of {found} in {n} values does not fit {float(mean)}; "
            f"it may differ by {allowed:.3g}"
        )


def how_many_for_mean(effect: float) -> int:
    """The number of values to ask for, to tell a mean from one that differs by `effect`.

    `effect` is a share of the range of the values.
    """
    both = sqrt(log(2 / FALSE_ALARM)) + sqrt(log(1 / MISSED))
    return ceil((both / above_zero(effect, "effect")) ** 2 / 2)


# A distribution


def assert_uniform(counts: Sequence[int], *, effect: float | None = None) -> None:
    """Raise an AssertionError unless the numbers of cases of each outcome fit equal probabilities.

    The test catches an outcome that is likelier than the others by the share `effect`. Without an
    effect, it catches the smallest one that the number of cases can show.
    """
    if isinstance(counts, Mapping):
        raise ValueError(f"`counts` must be a sequence of numbers; got {brief(counts)}.")
    ways = at_least_one(len(counts), "len(counts)")
    if ways > 1:
        # One outcome has probability (1 + effect) / ways, at the cost of the others.
        noncentrality = (effect or 0) ** 2 / (ways - 1)
        _assert_fits(counts, [1 / ways] * ways, "equal probabilities", effect, noncentrality)


def assert_distribution(
    counts: Mapping[O, int], probabilities: Mapping[O, Fraction | float], *, effect: float
) -> None:
    """Raise an AssertionError unless the numbers of cases of each outcome fit `probabilities`.

    `effect` is a total variation distance: the sum of what the likelier outcomes have too much. It
    must be more than the share of the rare outcomes, because a shift among them cannot be seen.
    """
    for outcome, count in counts.items():
        if count and not probabilities.get(outcome):
            raise AssertionError(f"{brief(outcome)} came {count} times, and has probability 0")
    if not isclose(sum(probabilities.values()), 1, abs_tol=1e-9):
        raise ValueError(f"`probabilities` must add up to 1; got {brief(dict(probabilities))}.")
    n = sum(counts.values())
    possible = {outcome: float(p) for outcome, p in probabilities.items() if p}
    groups = _grouped({outcome: n * p for outcome, p in possible.items()})
    seen = [sum(counts.get(each, 0) for each in group) for group in groups]
    expected = [sum(possible[each] for each in group) for group in groups]
    # A shift within the group of rare outcomes cannot be seen.
    hidden = sum(p for p, group in zip(expected, groups, strict=True) if len(group) > 1)
    if len(possible) > 1:
        noncentrality = 4 * max(effect - hidden, 0) ** 2
        _assert_fits(seen, expected, "their probabilities", effect, noncentrality)


def assert_same(
    one: Mapping[O, int], other: Mapping[O, int], *, effect: float | None = None
) -> None:
    """Raise an AssertionError unless two samples fit one distribution.

    A sample is a map from outcomes to numbers of cases. `effect` is the total variation distance
    of the two distributions, where rare outcomes count as one. Without an effect, the test catches
    the smallest one that the number of cases can show.
    """
    m, n = sum(one.values()), sum(other.values())
    share = min(m, n) / max(m + n, 1)
    both = {each: one.get(each, 0) + other.get(each, 0) for each in {**one, **other}}
    groups = _grouped({each: share * cases for each, cases in both.items()})
    # By Cauchy and Schwarz, the sum of (p - q)^2 / mean(p, q) is at least 4 effect^2.
    _check_size(m + n, len(groups), effect, m * n / max(m + n, 1) ** 2 * 4 * (effect or 0) ** 2)
    statistic = 0.0
    for group in groups:
        a, b = (sum(cases.get(each, 0) for each in group) for cases in (one, other))
        statistic += (a * n - b * m) ** 2 / ((a + b) * m * n)
    found = f"{brief(dict(one))} and {brief(dict(other))}"
    _assert_likely(statistic, len(groups), f"{found} do not fit one distribution")


def _grouped(expected: Mapping[O, float]) -> list[list[O]]:
    """The outcomes, the likeliest first; those with less than `FEWEST` cases are one group.

    This group may not depend on which sample has a case, or a right program would fail.
    """
    ordered = sorted(expected, key=lambda outcome: -expected[outcome])
    groups = [[outcome] for outcome in ordered if expected[outcome] >= FEWEST]
    rare = ordered[len(groups) :]
    if not groups:
        raise ValueError(
            f"`counts` must have an outcome with at least {FEWEST} expected cases; "
            f"got {len(rare)} rarer outcomes."
        )
    if sum(expected[outcome] for outcome in rare) >= FEWEST:
        return [*groups, rare]
    groups[-1] += rare
    return groups


def _assert_fits(
    counts: Sequence[int],
    probabilities: Sequence[float],
    expected: str,
    effect: float | None,
    noncentrality: float,
) -> None:
    """Pearson's chi-square test; `noncentrality` is that of the effect for a single case."""
    n = sum(counts)
    _check_size(n, len(counts), effect, noncentrality)
    if n * min(probabilities) < FEWEST:
        raise ValueError(f"`counts` must be large enough for each outcome; got {n} trials.")
    statistic = sum(
        (count - n * p) ** 2 / (n * p) for count, p in zip(counts, probabilities, strict=True)
    )
    _assert_likely(statistic, len(counts), f"{brief(list(counts))} do not fit {expected}")


def _assert_likely(statistic: float, ways: int, found: str) -> None:
    p = float(chi2.sf(statistic, max(ways - 1, 1)))
    if p < FALSE_ALARM:
        raise AssertionError(f"{found}: p = {p:.1e}")


def _check_size(n: int, ways: int, effect: float | None, noncentrality: float) -> None:
    """Raise a ValueError if `n` cases are too few for the effect, or for any."""
    is_large, what = n >= FEWEST * ways, "any effect"
    if effect is not None:
        what, degrees = f"an effect of {not_negative(effect, 'effect')}", max(ways - 1, 1)
        limit = chi2.isf(FALSE_ALARM, degrees)
        is_large = is_large and ncx2.cdf(limit, degrees, n * noncentrality) <= MISSED
    if not is_large:
        raise ValueError(
            f"`counts` must be large enough to see {what} with {ways} outcomes; got {n} trials."
        )
