"""Upper confidence bounds: the highest plausible value of a choice, estimated from its tries.

A bound is a function of three numbers: the sum of the scores, each from 0 to 1; the number of
tries; and the number of tries of all available choices together. It is infinite without tries, and
never NaN. The same functions serve the arms of a bandit and the moves in a tree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, log, sqrt
from typing import TypeAlias

Bound: TypeAlias = Callable[[float, int, int], float]


def ucb_wald(score: float, visits: int, total: int = 0, *, z: float = 2.0) -> float:  # noqa: ARG001
    """The workshop's bound: the mean plus z times its standard error, and 3 / n without a win.

    The formula is (w + z sqrt(w l / n)) / n for w wins and l losses in n visits, from task 11. The
    bound can be higher than 1. For w = 0 it is 3 / n, the rule of 3. There is no such rule for
    l = 0. So the bound after one loss (3.0) is higher than after one win (1.0). `total` is not
    used.

    >>> ucb_wald(1, 1), ucb_wald(0, 1), round(ucb_wald(9, 10), 2), ucb_wald(0, 0)
    (1.0, 3.0, 1.09, inf)
    """
    if not visits:
        return inf
    if score <= 0:
        return 3 / visits
    spread = score * (visits - score)
    # By rounding, the sum of scaled scores may be higher than the number of visits.
    return (score + z * sqrt(spread / visits if spread > 0 else 0)) / visits


def ucb1(score: float, visits: int, total: int, *, c: float = sqrt(2)) -> float:
    """UCB1: the mean plus c sqrt(ln(total) / visits), computed as a product of two roots.

    Auer, Cesa-Bianchi and Fischer (2002), "Finite-time analysis of the multiarmed bandit problem",
    figure 1, where c is sqrt(2). Kocsis and Szepesvári (2006) use it in a tree.

    >>> round(ucb1(3, 4, 4), 6), round(3 / 4 + sqrt(2 * log(4) / 4), 6)
    (1.582555, 1.582555)
    """
    return score / visits + c * sqrt(log(total)) * sqrt(1 / visits) if visits else inf


def wald_constant(bound: Bound) -> float | None:
    """The constant z if `bound` certainly is `ucb_wald`; None for any other bound.

    >>> wald_constant(partial(ucb_wald, z=1)), wald_constant(ucb1)
    (1, None)
    """
    return 2.0 if bound is ucb_wald else _parameter(bound, ucb_wald, "z")


def exploration_constant(bound: Bound) -> float | None:
    """The constant c if `bound` certainly is UCB1; None for any other bound.

    >>> exploration_constant(partial(ucb1, c=1)), exploration_constant(ucb_wald)
    (1, None)
    """
    return sqrt(2) if bound is ucb1 else _parameter(bound, ucb1, "c")


def _parameter(bound: Bound, of: Bound, name: str) -> float | None:
    """The value of the parameter `name` if `bound` is `of` with this parameter alone, else None.

    It is None as well for NaN, and for numbers so large that a bound could become infinite.
    """
    if isinstance(bound, partial) and bound.func is of and bound.keywords.keys() == {name}:
        value: float = bound.keywords[name]
        return value if not bound.args and -1e100 <= value <= 1e100 else None
    return None
