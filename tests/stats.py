"""The statistical tests of the project.

There are two tests. The exact binomial test is for the number of successes in n trials, each with
probability p. The chi-square test is for outcomes that are all equally likely. A right program
fails a check with a probability of at most `FALSE_ALARM`. A program whose probability is off by
`effect` passes it with a probability of at most `MISSED`. A check that is too small to see its
effect refuses to run.
"""

from collections.abc import Sequence
from fractions import Fraction

from scipy.stats import binom, chi2, chisquare, ncx2

FALSE_ALARM = 1e-9
MISSED = 1e-3


def acceptance(n: int, p: Fraction | float) -> tuple[int, int]:
    """The lowest and the highest number of successes that pass."""
    p = float(p)
    low = int(binom.ppf(FALSE_ALARM / 2, n, p)) if 0 < p < 1 else round(n * p)
    high = int(binom.isf(FALSE_ALARM / 2, n, p)) if 0 < p < 1 else round(n * p)
    return low, high


def chance_to_pass(n: int, p: Fraction | float, true: float) -> float:
    """The probability that a test of `p` passes if the probability is `true` instead."""
    low, high = acceptance(n, p)
    return float(binom.cdf(high, n, true) - binom.cdf(low - 1, n, true))


def assert_probability(successes: float, n: int, p: Fraction | float, *, effect: float) -> None:
    """Fail unless `successes` of `n` trials fit the probability `p`."""
    others = [q for q in (float(p) - effect, float(p) + effect) if 0 <= q <= 1]
    if not others or any(chance_to_pass(n, p, q) > MISSED for q in others):
        raise ValueError(
            f"`n` must be large enough to tell {float(p)} from a probability off by {effect}; "
            f"got {n}."
        )
    low, high = acceptance(n, p)
    assert low <= successes <= high, (
        f"{successes} of {n} do not fit probability {float(p)}, which gives {low} to {high}"
    )


def assert_uniform(counts: Sequence[int], *, effect: float) -> None:
    """Fail unless the numbers of times that each outcome came fit equal probabilities.

    The test sees an outcome that is likelier than the others by the share `effect`.
    """
    n, ways = sum(counts), len(counts)
    limit = chi2.isf(FALSE_ALARM, ways - 1)
    # One outcome has probability (1 + effect) / ways, at the cost of the others.
    noncentrality = n * effect**2 / (ways - 1)
    if n < 5 * ways or ncx2.cdf(limit, ways - 1, noncentrality) > MISSED:
        raise ValueError(
            f"`counts` must be large enough to tell one of {ways} outcomes that is likelier by "
            f"{effect}; got {n} trials."
        )
    p = chisquare(counts).pvalue
    assert p >= FALSE_ALARM, f"{counts} do not fit equal probabilities: p = {p:.1e}"
