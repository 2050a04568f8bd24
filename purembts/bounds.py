"""Upper confidence bounds: the highest plausible value of a choice, estimated from its tries.

A bound is data, and it is also a function of three numbers: the sum of the scores, each from 0 to
1; the number of tries; and the number of tries of all available choices together. It is infinite
without tries, and never NaN. The same bounds serve the arms of a bandit and the moves in a tree.
Any function of these three numbers can be used in the place of a `Bound`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, log, sqrt
from operator import truediv
from typing import NamedTuple, TypeAlias


class Bound(NamedTuple):
    """An upper confidence bound in parts: own(score, visits) + scale(total) * width(visits).

    >>> mean_only = Bound("the mean", own=truediv)
    >>> mean_only(3, 4, 100), mean_only(0, 0, 100)
    (0.75, inf)
    """

    name: str
    """The name that a report shows."""
    own: Callable[[float, int], float]
    """The part that the score and the visits of a choice alone decide; it has visits."""
    scale: Callable[[int], float] | None = None
    """The factor that the visits of all choices decide; None if `own` is the whole bound."""
    width: Callable[[int], float] | None = None
    """The part that is multiplied by it: a function of the visits of a choice."""

    def __call__(self, score: float, visits: int, total: int = 0) -> float:
        """Return the bound of a choice with this score in so many visits, of `total` in all."""
        if not visits:
            return inf
        own = self.own(score, visits)
        return own + self.scale(total) * self.width(visits) if self.scale and self.width else own


AnyBound: TypeAlias = Bound | Callable[[float, int, int], float]
"""A `Bound`, or a plain function from the score, the visits and the total to the bound."""


def wald_with(z: float) -> Bound:
    """The workshop's bound: the mean plus z times its standard error, and 3 / n without a win.

    The formula is (w + z sqrt(w l / n)) / n for w wins and l losses in n visits, from task 11. The
    bound can be higher than 1. For w = 0 it is 3 / n, the rule of 3. There is no such rule for
    l = 0. So the bound after one loss (3.0) is higher than after one win (1.0).

    >>> round(wald_with(1)(9, 10), 3)
    0.995
    """
    return Bound("the workshop's bound", partial(_wald, z))


def ucb1_with(c: float) -> Bound:
    """UCB1: the mean plus c sqrt(ln(total) / visits), computed as a product of two roots.

    Auer, Cesa-Bianchi and Fischer (2002), "Finite-time analysis of the multiarmed bandit problem",
    figure 1, where c is sqrt(2). Kocsis and Szepesvári (2006) use it in a tree.

    >>> round(ucb1_with(sqrt(2))(3, 4, 4), 6), round(3 / 4 + sqrt(2 * log(4) / 4), 6)
    (1.582555, 1.582555)
    """
    return Bound("UCB1", truediv, partial(_root_of_log, c), _root_of_inverse)


def _wald(z: float, score: float, visits: int) -> float:
    if score <= 0:
        return 3 / visits
    spread = score * (visits - score)
    # By rounding, the sum of scaled scores may be higher than the number of visits.
    return (score + z * sqrt(spread / visits if spread > 0 else 0)) / visits


def _root_of_log(c: float, total: int) -> float:
    return c * sqrt(log(total))


def _root_of_inverse(visits: int) -> float:
    return sqrt(1 / visits)


ucb_wald: Bound = wald_with(2.0)
"""The workshop's bound with z = 2.

>>> ucb_wald(1, 1), ucb_wald(0, 1), round(ucb_wald(9, 10), 2), ucb_wald(0, 0)
(1.0, 3.0, 1.09, inf)
"""
ucb1: Bound = ucb1_with(sqrt(2))
"""UCB1 with c = sqrt(2)."""


def name_of(bound: AnyBound) -> str:
    """The name of `bound`, which may be a plain function."""
    return bound.name if isinstance(bound, Bound) else getattr(bound, "__name__", "bound")
