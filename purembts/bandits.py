"""Upper confidence bounds: how good a choice could be, given how often it was tried.

A bound is a function of three numbers: the sum of the scores, on a scale from 0 to 1 a try; the
number of tries; and the number of tries of all the choices there are. It is infinite for what was
never tried, and never NaN. The same functions serve the arms of a bandit and the children in a
tree.
"""

from collections.abc import Callable
from functools import partial
from math import inf, log, sqrt
from typing import TypeAlias

Bound: TypeAlias = Callable[[float, int, int], float]


def ucb_wald(score: float, visits: int, total: int = 0, *, z: float = 2.0) -> float:  # noqa: ARG001
    """The workshop's bound: the mean plus z times its standard error, 3 / n where nothing was won.

    The formula is the one of task 11, with w wins and l losses in n visits:
    (w + z sqrt(w l / n)) / n. It is not capped at 1, and it has no mirror image of the rule of 3
    for l = 0, so that one loss (3.0) outranks one win (1.0). `total` is not used.

    >>> ucb_wald(1, 1), ucb_wald(0, 1), round(ucb_wald(9, 10), 2), ucb_wald(0, 0)
    (1.0, 3.0, 1.09, inf)
    """
    if not visits:
        return inf
    if score <= 0:
        return 3 / visits
    # Scores that were scaled may be more than visits by rounding.
    return (score + z * sqrt(max(0.0, score * (visits - score)) / visits)) / visits


def ucb1(score: float, visits: int, total: int, *, c: float = sqrt(2)) -> float:
    """UCB1: the mean plus c sqrt(ln(total) / visits), here as a product of two roots.

    Auer, Cesa-Bianchi and Fischer (2002), "Finite-time analysis of the multiarmed bandit problem",
    figure 1, which is c = sqrt(2); as a tree's bound, Kocsis and Szepesvári (2006).

    >>> round(ucb1(3, 4, 4), 6), round(3 / 4 + sqrt(2 * log(4) / 4), 6)
    (1.582555, 1.582555)
    """
    return score / visits + c * sqrt(log(total)) * sqrt(1 / visits) if visits else inf


def needs_no_total(bound: Bound) -> bool:
    """Whether `bound` is known to depend on the record alone, so that it may be remembered with it.

    >>> needs_no_total(partial(ucb_wald, z=1)), needs_no_total(ucb1)
    (True, False)
    """
    return getattr(bound, "func", bound) is ucb_wald


def exploration(bound: Bound) -> float | None:
    """The c of a bound that is known to be UCB1; None for any other.

    >>> exploration(partial(ucb1, c=1)), exploration(ucb_wald)
    (1, None)
    """
    if bound is ucb1:
        return sqrt(2)
    if isinstance(bound, partial) and bound.func is ucb1 and not bound.args:
        c: float = bound.keywords.get("c", sqrt(2))
        return c
    return None
