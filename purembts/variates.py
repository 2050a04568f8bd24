"""Random variates: numbers drawn from the normal and the gamma distribution."""

from __future__ import annotations

from math import cos, log, sqrt, tau

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
