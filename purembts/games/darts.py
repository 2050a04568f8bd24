"""Task 1 of the workshop: throw darts at a round board in a square, and find pi."""

import random
from typing import TypeAlias

from purembts.chance import Rng, repeatedly
from purembts.checks import an_rng, at_least_one

Dart: TypeAlias = tuple[float, float]
"""Where a dart hit: x and y, each from -1 to 1; the board has radius 1."""


def throw_dart(rng: Rng = random) -> Dart:
    """A point of the square, all of them equally likely."""
    an_rng(rng)
    return rng.random() * 2 - 1, rng.random() * 2 - 1


def in_circle(dart: Dart) -> bool:
    """Whether `dart` hit the board, which wins.

    >>> in_circle((0.6, 0.7)), in_circle((0.8, 0.7))
    (True, False)
    """
    x, y = dart
    return x * x + y * y < 1


def estimate_pi(n: int, rng: Rng = random) -> float:
    """Four times the share of n darts that hit the board.

    >>> estimate_pi(10_000, random.Random(7))
    3.1404
    """
    darts = repeatedly(at_least_one(n, "n"), lambda: throw_dart(rng))
    return 4 * sum(map(in_circle, darts)) / n
