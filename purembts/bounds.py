"""Upper confidence bounds: the highest plausible value of a choice, estimated from its tries.

A bound is data, and also a function of three numbers: the sum of the scores, each from 0 to 1; the
visits of a choice; and the visits of all available choices. It is infinite without visits, never
NaN. Any other function of these three numbers can be used in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from math import inf, log, sqrt
from operator import truediv
from typing import NamedTuple, TypeAlias

from purembts.checks import LARGEST, a_constant, finite


class Bound(NamedTuple):
    """An upper confidence bound in parts: own(score, visits) + scale(total) * width(visits)."""

    name: str
    """The name that a report shows."""
    own: Callable[[float, int], float]
    """The part that the score and the visits of a choice decide."""
    scale: Callable[[int], float] | None = None
    """The factor that the visits of all choices decide; None for a bound that is `own` alone."""
    width: Callable[[int], float] | None = None
    """The part that is multiplied by this factor."""

    def __call__(self, score: float, visits: int, total: int = 0) -> float:
        """Return the bound of a choice, by its score, its visits and the visits of all choices."""
        if not visits:
            return inf
        _, own, scale, width = self
        if scale is None or width is None:
            return own(score, visits)
        return own(score, visits) + scale(total) * width(visits)


AnyBound: TypeAlias = Bound | Callable[[float, int, int], float]
"""A `Bound`, or a plain function from the score, the visits and the total to the bound."""


def wald_with(z: float) -> Bound:
    """The workshop's bound: (w + z sqrt(w l / n)) / n for w wins and l losses in n visits.

    For w = 0 it is 3 / n, the rule of 3 of task 11. It can be higher than 1. There is no such rule
    for l = 0, so the bound after one loss (3.0) is higher than after one win (1.0).
    """
    wald = _wald if a_constant(z, "z") == 2 else partial(_wald, z=z)  # a partial is slower
    return Bound("the workshop's bound", wald)


def ucb1_with(c: float) -> Bound:
    """UCB1: the mean plus c sqrt(ln(total) / visits), computed as a product of two roots.

    Auer, Cesa-Bianchi and Fischer (2002), "Finite-time analysis of the multiarmed bandit problem",
    figure 1, where c is sqrt(2). Kocsis and Szepesvári (2006) use it in a tree.
    """
    scale = partial(_root_of_log, finite(c, "c", -LARGEST, LARGEST))
    return Bound("UCB1", truediv, scale, _root_of_inverse)


def _wald(score: float, visits: int, z: float = 2.0) -> float:
    """The workshop's bound of a choice with `visits`, whose scores add up to `score`."""
    if score <= 0:
        return 3 / visits
    spread = score * (visits - score)
    # The sum of scaled scores may be higher than the number of visits, by rounding.
    return (score + z * sqrt(spread / visits)) / visits if spread > 0 else score / visits


@lru_cache(1 << 16)
def _root_of_log(c: float, total: int) -> float:
    return c * sqrt(log(total))


@lru_cache(1 << 16)
def _root_of_inverse(visits: int) -> float:
    return sqrt(1 / visits)


ucb_wald: Bound = wald_with(2.0)
"""The workshop's bound with z = 2.

>>> ucb_wald(1, 1), ucb_wald(0, 1), round(ucb_wald(9, 10), 2), ucb_wald(0, 0)
(1.0, 3.0, 1.09, inf)
"""
ucb1: Bound = ucb1_with(sqrt(2))
"""UCB1 with c = sqrt(2)."""
CONSTANTS: Mapping[str, Callable[[float], Bound]] = {"z": wald_with, "c": ucb1_with}
"""The bounds by the name of their constant, as in `--c 0.5` and in the player `uct:1000,c=0.5`."""


def name_of(bound: AnyBound) -> str:
    """The name of `bound`, which may be a plain function."""
    return bound.name if isinstance(bound, Bound) else getattr(bound, "__name__", "bound")
