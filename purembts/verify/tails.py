"""Tails of the binomial distribution, in plain Python.

Up to a million trials, tails down to 1e-50 are right within a billionth of their value. A tail is a
sum of at most about 10 sqrt(n) terms. From about ten million trials on, it is an area, which is
right within a millionth.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p, pi, sqrt

_ENOUGH = 1e-17
"""The share of a sum below which its next terms are left out."""
WIDE, STEPS = 4e6, 400
"""The variance from which a tail is an area, and the steps of Simpson's rule there."""


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
    """The tail from k on of a wide distribution: its area from k - 1/2 on, to where it is 0."""
    spread = sqrt(n * p * q)
    step = min(14 * spread, 40 * spread**2 / (k - n * p + spread)) / STEPS
    heights = [_exactly(k - 0.5 + i * step, n, p, q) for i in range(STEPS + 1)]
    return (4 * sum(heights[1::2]) + 2 * sum(heights[2:-1:2]) + heights[0] + heights[-1]) * step / 3


def more_than(k: int, n: int, p: float) -> float:
    """The probability of more than k successes of n trials."""
    return _above(k, n, p, 1 - p)


def at_most(k: int, n: int, p: float) -> float:
    """The probability of at most k successes: that of more than n - k - 1 failures."""
    return _above(n - k - 1, n, 1 - p, p)


def _above(k: int, n: int, p: float, q: float) -> float:
    """The probability of more than k successes of n trials, for p = 1 - q."""
    if k < 0 or k >= n or p * q == 0:
        return float(k < 0 or (p > q and k < n))
    return _tail(k + 1, n, p, q) if k + 1 > n * p else 1 - _tail(n - k, n, q, p)
