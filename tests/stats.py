"""The statistical tests of the project.

Every claim about a random number is "so many of n came out so, where each does with probability p",
tested exactly, by the binomial distribution; or, where there are many ways to come out, that each
is as likely as any other, tested by chi-square. A right program fails once in `FALSE_ALARM` checks,
and a program whose probability is off by `effect` slips through less often than `MISSED`.
A check that is too small to see its effect refuses to run.
"""

from collections.abc import Sequence
from fractions import Fraction

from scipy.stats import binom, chi2, chisquare, ncx2

FALSE_ALARM = 1e-9
MISSED = 1e-3


def acceptance(n: int, p: Fraction | float) -> tuple[int, int]:
    """The numbers of successes that are no cause for alarm, from the first to the second."""
    p = float(p)
    low = int(binom.ppf(FALSE_ALARM / 2, n, p)) if 0 < p < 1 else round(n * p)
    high = int(binom.isf(FALSE_ALARM / 2, n, p)) if 0 < p < 1 else round(n * p)
    return low, high


def chance_to_pass(n: int, p: Fraction | float, true: float) -> float:
    """How likely a test of p passes where the probability is `true` instead."""
    low, high = acceptance(n, p)
    return float(binom.cdf(high, n, true) - binom.cdf(low - 1, n, true))


def assert_probability(successes: float, n: int, p: Fraction | float, *, effect: float) -> None:
    """Fail unless `successes` of n are what probability p gives; see above for how sure that is."""
    others = [q for q in (float(p) - effect, float(p) + effect) if 0 <= q <= 1]
    if not others or any(chance_to_pass(n, p, q) > MISSED for q in others):
        raise ValueError(f"{n} trials cannot tell {float(p)} from what is off by {effect}.")
    low, high = acceptance(n, p)
    assert low <= successes <= high, (
        f"{successes} of {n} is not what probability {float(p)} gives: {low} to {high}"
    )


def assert_uniform(counts: Sequence[int], *, effect: float) -> None:
    """Fail unless the numbers of times that things came are what equal probabilities give.

    `effect` is how much likelier, as a share, one of them would have to be to be told.
    """
    n, ways = sum(counts), len(counts)
    told_from = chi2.isf(FALSE_ALARM, ways - 1)
    # One way of probability (1 + effect) / ways, at the cost of the others.
    noncentrality = n * effect**2 / (ways - 1)
    if n < 5 * ways or ncx2.cdf(told_from, ways - 1, noncentrality) > MISSED:
        raise ValueError(f"{n} trials cannot tell a way that is likelier by {effect} from {ways}.")
    p = chisquare(counts).pvalue
    assert p >= FALSE_ALARM, f"{counts} is not what equal probabilities give: p = {p:.1e}"
