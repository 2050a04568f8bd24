"""Tails of the binomial and the chi-square distributions in plain Python, where scipy is missing.

`binom`, `chi2` and `ncx2` have those functions of `scipy.stats` that `statistics` uses, with the
same arguments. Up to a million trials, tails down to 1e-50 agree with scipy within a billionth of
their value. A tail of the binomial distribution is a sum of at most about 10 sqrt(n) terms.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from math import ceil, erfc, exp, lgamma, log, log1p, pi, sqrt
from types import SimpleNamespace

ENOUGH = 1e-17
"""The share of a sum below which its next terms are left out."""


# Binomial


def _stirling_error(n: float) -> float:
    """The logarithm of n! less that of Stirling's formula.

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


def _exactly(k: int, n: int, p: float, q: float) -> float:
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
    odds = p / q
    while k < n and term > total * ENOUGH:
        term *= (n - k) / (k + 1) * odds
        total += term
        k += 1
    return total


def _above(k: int, n: int, p: float, q: float) -> float:
    """The probability of more than k successes of n trials, for p = 1 - q."""
    if k < 0 or k >= n or p * q == 0:
        return float(k < 0 or (p > q and k < n))
    return _tail(k + 1, n, p, q) if k + 1 > n * p else 1 - _tail(n - k, n, q, p)


def _binomial_sf(k: int, n: int, p: float) -> float:
    return _above(k, n, p, 1 - p)


def _binomial_cdf(k: int, n: int, p: float) -> float:
    """The probability of at most k successes: that of more than n - k - 1 failures."""
    return _above(n - k - 1, n, 1 - p, p)


def _binomial_ppf(q: float, n: int, p: float) -> int:
    """The lowest number of successes with a probability of at least q to have no more."""
    return bisect_left(range(n), True, key=lambda k: _binomial_cdf(k, n, p) >= q)


def _binomial_isf(q: float, n: int, p: float) -> int:
    """The lowest number of successes with a probability of at most q to have more."""
    return bisect_left(range(n), True, key=lambda k: _binomial_sf(k, n, p) <= q)


# Chi-square


def _gamma_term(a: float, x: float) -> float:
    """x^a e^-x / Gamma(a + 1)."""
    return exp(a * log(x) - x - lgamma(a + 1))


def _chi2_sf(x: float, degrees: int) -> float:
    """The probability of more than x: the incomplete gamma function Q(degrees / 2, x / 2).

    Q(1/2, x) is erfc(sqrt(x)), Q(1, x) is e^-x, and Q(a + 1, x) is a gamma term more than Q(a, x)
    (Abramowitz and Stegun, 26.4.4 and 26.4.5).
    """
    half, odd = x / 2, degrees % 2
    if half <= 0:
        return 1.0
    first = erfc(sqrt(half)) if odd else exp(-half)
    return first + sum(_gamma_term(i / 2, half) for i in range(2 - odd, degrees, 2))


@lru_cache(maxsize=256)
def _chi2_isf(q: float, degrees: int) -> float:
    """The x with a probability of q to have more, by bisection."""
    low, high = 0.0, degrees + 1.0
    while _chi2_sf(high, degrees) > q:
        low, high = high, 2 * high
    while high - low > 1e-14 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _chi2_sf(middle, degrees) > q else (low, middle)
    return high


def _ncx2_cdf(x: float, degrees: int, noncentrality: float) -> float:
    """The probability of at most x with a noncentrality above 0.

    It is the mean of P(degrees / 2 + j, x / 2) for a Poisson number j with mean noncentrality / 2
    (Abramowitz and Stegun, 26.4.25). Each P is a sum of gamma terms, as in 6.5.29. Here they are
    put together: term i is in P for each j up to i.
    """
    a, half, mean = degrees / 2, x / 2, noncentrality / 2
    total, up_to_i = 0.0, 0.0
    for i in range(ceil(half) + 60 + ceil(12 * sqrt(half))):
        up_to_i += exp(i * log(mean) - mean - lgamma(i + 1))
        total += up_to_i * _gamma_term(a + i, half)
    return min(total, 1.0)


binom: SimpleNamespace = SimpleNamespace(
    cdf=_binomial_cdf, sf=_binomial_sf, ppf=_binomial_ppf, isf=_binomial_isf
)
chi2: SimpleNamespace = SimpleNamespace(sf=_chi2_sf, isf=_chi2_isf)
ncx2: SimpleNamespace = SimpleNamespace(cdf=_ncx2_cdf)
