"""Random variates: numbers drawn from the normal, gamma, binomial and multinomial distributions.

Each numerical method names its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import cos, exp, floor, lgamma, log, log1p, pi, prod, sqrt, tau

from purembts.chance import Rng, random


def normal(rng: Rng = random) -> float:
    """A number drawn from the standard normal distribution (Box and Muller 1958).

    Each call takes two random numbers.
    """
    return sqrt(-2 * log(1 - rng.random())) * cos(tau * rng.random())


def gamma(shape: float, rng: Rng = random) -> float:
    """A number drawn from the gamma distribution with scale 1 and `shape`, which is at least 1.

    Marsaglia and Tsang (2000), "A simple method for generating gamma variables", ACM TOMS 26.
    """
    d = shape - 1 / 3
    while True:
        x = normal(rng)
        v = (1 + x / sqrt(9 * d)) ** 3
        if v > 0 and log(1 - rng.random()) < x * x / 2 + d - d * v + d * log(v):
            return d * v


def binomial(n: int, favourable: int, possible: int, rng: Rng = random) -> int:
    """The number of successes in `n` trials, each with probability `favourable` / `possible`.

    If fewer than ten successes are expected, the number is drawn by inversion (BINV;
    Kachitvichyanukul and Schmeiser 1988, "Binomial random variate generation", CACM 31). Otherwise
    it is drawn by transformed rejection (BTRS; Hörmann 1993, "The generation of binomial random
    variates", J. Stat. Comput. Simul. 46). The arguments are whole numbers of up to 300 digits. The
    distribution is right to the precision of a float.
    """
    if 2 * favourable > possible:
        return n - binomial(n, possible - favourable, possible, rng)
    if not n or not favourable:
        return 0
    if n * favourable < 10 * possible:
        return _by_inversion(n, favourable / possible, rng)
    return _by_rejection(n, favourable, possible, rng)


def multinomial(n: int, weights: Sequence[int], rng: Rng = random) -> list[int]:
    """The number of each outcome in `n` trials; `weights` are proportional to the probabilities.

    They are whole numbers, at least one of them above 0.
    """
    possible, counts = sum(weights), []
    for favourable in weights[:-1]:
        count = binomial(n, favourable, possible, rng)
        counts.append(count)
        n -= count
        possible -= favourable
    counts.append(n)
    return counts


def _by_inversion(n: int, p: float, rng: Rng) -> int:
    """Add the probabilities of 0, 1, 2, ... successes until the sum passes a random number."""
    k, u, odds = 0, rng.random(), p / (1 - p)
    probability = exp(n * log1p(-p))
    while u > probability:
        u -= probability
        k += 1
        probability *= odds * (n - k + 1) / k
        if probability < 1e-300 and k > n * p:  # the rest of u is rounding error
            return min(k, n)
    return k


def _by_rejection(n: int, favourable: int, possible: int, rng: Rng) -> int:
    """Draw points under a hat, and keep the first one under the binomial distribution.

    A hat is a curve that lies above the distribution. The names are those of Hörmann's algorithm.
    k is counted from the whole part of the mean. So it is exact even if no float can hold n
    exactly.
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
    """True if `height` is at most the logarithm of P(k) / P(mode), where P is the probability.

    This is step 5 of Kachitvichyanukul and Schmeiser's algorithm BTPE. Near the mode the ratio is a
    product of steps. Further out a normal approximation decides if its error is small enough, and
    otherwise the probability itself decides.
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
    log_of = partial(_log_probability, n=n, favourable=favourable, possible=possible)
    return height <= log_of(k) - log_of(mode)


def _log_probability(k: int, n: int, favourable: int, possible: int) -> float:
    """The logarithm of the probability of k successes, without a term that is equal for all k.

    Loader's saddle-point expansion (2000, "Fast and accurate computation of binomial
    probabilities"). It is as precise for large n as for small n.
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
    """The logarithm of k! minus Stirling's formula for it.

    If k is 0, the square root in the formula is taken at 1/2.
    """
    if k < 16:
        return lgamma(k + 1) - (k + 0.5) * log(k) + k - log(tau) / 2 if k else -log(pi) / 2
    kk = 1 / (float(k) * k)
    return (1 / 12 - kk * (1 / 360 - kk * (1 / 1260 - kk / 1680))) / k


def _deviance(x: int, mean: float, away: float) -> float:
    """The value of x log(x / mean) + mean - x for away = x - mean, without cancellation."""
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
