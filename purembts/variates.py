"""Random variates: numbers drawn from the normal, gamma, binomial and multinomial distributions.

Numerical methods, each with its source. A function that draws takes an `rng` as its last argument.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from math import cos, exp, floor, lgamma, log, log1p, pi, prod, sqrt, tau

from purembts.chance import Rng
from purembts.checks import brief


def normal(rng: Rng = random) -> float:
    """A number of the standard normal law (Box and Muller 1958); two random numbers a time."""
    return sqrt(-2 * log(1 - rng.random())) * cos(tau * rng.random())


def gamma(shape: float, rng: Rng = random) -> float:
    """A number of the gamma law with this shape, at least 1, and scale 1.

    Marsaglia and Tsang (2000), "A simple method for generating gamma variables", ACM TOMS 26.
    """
    if not shape >= 1:
        raise ValueError(f"The shape is {brief(shape)}; it has to be at least 1.")
    d = shape - 1 / 3
    while True:
        x = normal(rng)
        v = (1 + x / sqrt(9 * d)) ** 3
        if v > 0 and log(1 - rng.random()) < x * x / 2 + d - d * v + d * log(v):
            return d * v


def binomial(n: int, favourable: int, possible: int, rng: Rng = random) -> int:
    """How many of n trials succeed, each with probability favourable / possible.

    By inversion where fewer than ten are expected (BINV; Kachitvichyanukul and Schmeiser 1988,
    "Binomial random variate generation", CACM 31), else by transformed rejection (BTRS; Hörmann
    1993, "The generation of binomial random variates", J. Stat. Comput. Simul. 46). Counts are
    whole numbers of up to 300 digits; the law is right to the precision of a float.
    """
    if n < 0 or not 0 <= favourable <= possible:
        raise ValueError(
            f"{favourable} of {possible} is no probability, or {n} no number of trials."
        )
    if 2 * favourable > possible:
        return n - binomial(n, possible - favourable, possible, rng)
    if not n or not favourable:
        return 0
    if n * favourable < 10 * possible:
        return _by_inversion(n, favourable / possible, rng)
    return _by_rejection(n, favourable, possible, rng)


def multinomial(n: int, weights: Sequence[int], rng: Rng = random) -> list[int]:
    """How many of n trials come out in each way, where `weights` say how likely the ways are."""
    counts = []
    possible = sum(weights)
    for favourable in weights[:-1]:
        count = binomial(n, favourable, possible, rng)
        counts.append(count)
        n -= count
        possible -= favourable
    counts.append(n)
    return counts


def _by_inversion(n: int, p: float, rng: Rng) -> int:
    """Count up the probabilities of 0, 1, 2, ... successes until they pass a random number."""
    k, u, odds = 0, rng.random(), p / (1 - p)
    probability = exp(n * log1p(-p))
    while u > probability:
        u -= probability
        k += 1
        probability *= odds * (n - k + 1) / k
        if probability < 1e-300 and k > n * p:  # what is left of u is rounding
            return min(k, n)
    return k


def _by_rejection(n: int, favourable: int, possible: int, rng: Rng) -> int:
    """Draw from a hat over the binomial law, and keep what lies under the law itself.

    The names are those of Hörmann's algorithm. k is counted from the whole part of the mean, so
    that nothing is lost where n is larger than what a float holds exactly.
    """
    p = favourable / possible
    whole, rest = divmod(n * favourable, possible)
    variance = n * p * (1 - p)
    spread = sqrt(variance)
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = rest / possible + 0.5
    v_r = 0.92 - 4.2 / b
    while True:
        u = rng.random() - 0.5
        v = rng.random()
        us = 0.5 - abs(u)
        if us >= 0.07 and v <= v_r:
            return whole + floor((2 * a / us + b) * u + c)
        if not us or not v:
            continue
        k = whole + floor((2 * a / us + b) * u + c)
        height = log(v * (2.83 + 5.1 / b) * spread / (a / (us * us) + b))
        if 0 <= k <= n and _lies_under(height, k, n, favourable, possible, variance):
            return k


def _lies_under(
    height: float, k: int, n: int, favourable: int, possible: int, variance: float
) -> bool:
    """Whether `height` is at most the logarithm of how likely k is, compared with the mode.

    As in step 5 of Kachitvichyanukul and Schmeiser's algorithm BTPE: step by step near the mode,
    by a normal law with a bound on its error where that decides, else by the law itself.
    """
    mode = (n + 1) * favourable // possible
    away = abs(k - mode)
    if away <= 20:
        odds = favourable / (possible - favourable)
        steps = prod([(n - i) * odds / (i + 1) for i in range(min(k, mode), max(k, mode))])
        return height <= (log(steps) if k > mode else -log(steps))
    if away < variance / 2 - 1:
        normal = -away * away / (2 * variance)
        error = away / variance * ((away * (away / 3 + 0.625) + 1 / 6) / variance + 0.5)
        if abs(height - normal) > error:
            return height < normal
    law = partial(_log_law, n=n, favourable=favourable, possible=possible)
    return height <= law(k) - law(mode)


def _log_law(k: int, n: int, favourable: int, possible: int) -> float:
    """The logarithm of the probability of k successes, but for a term that all k share.

    Loader's saddle-point expansion (2000, "Fast and accurate computation of binomial
    probabilities"), whose precision does not suffer from large n.
    """
    away = (k * possible - n * favourable) / possible
    return -(
        _stirling_error(k)
        + _stirling_error(n - k)
        + _deviance(k, n * favourable / possible, away)
        + _deviance(n - k, n * (possible - favourable) / possible, -away)
        + log(max(k, 0.5)) / 2
        + log(max(n - k, 0.5)) / 2
    )


def _stirling_error(k: int) -> float:
    """What Stirling's formula for the logarithm of k! leaves out, taken at 1/2 instead of at 0."""
    if k < 16:
        return lgamma(k + 1) - (k + 0.5) * log(k) + k - log(tau) / 2 if k else -log(pi) / 2
    kk = 1 / (float(k) * k)
    return (1 / 12 - kk * (1 / 360 - kk * (1 / 1260 - kk / 1680))) / k


def _deviance(x: int, mean: float, away: float) -> float:
    """Return x log(x / mean) + mean - x, where away = x - mean, without cancellation."""
    if abs(away) >= 0.1 * (x + mean):
        return x * log(x / mean) - away if x else mean
    v = away / (x + mean)
    total, term, j = away * v, 2 * x * v, 1
    while True:
        term *= v * v
        j += 2
        if total + term / j == total:
            return total
        total += term / j
