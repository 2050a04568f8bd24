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
from math import isclose
from typing import TypeVar

from purembts.checks import above_zero, at_least_one, brief, finite, whole_number
from purembts.verify.tails import at_most, more_than

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
