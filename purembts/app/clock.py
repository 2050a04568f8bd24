"""Time limits. No other room looks at the clock."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias, TypeVar

from purembts.app.kinds import AnyGame, AnyTree, AnyTurn
from purembts.app.thinking import growing, split_by_time
from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng
from purembts.checks import not_negative
from purembts.players import Pace, Player, best_by
from purembts.records import visits

T = TypeVar("T")
Clock: TypeAlias = Callable[[], float]
"""A function that gives the time in seconds, from any point on."""

monotonic: Clock = time.monotonic


def within(seconds: float, items: Iterable[T], clock: Clock = time.monotonic) -> Iterator[T]:
    """The first of `items`, and the items after it until `seconds` have passed.

    >>> from itertools import count
    >>> *_, last = within(0.2, count(1))
    >>> last > 1
    True
    """
    return _within(not_negative(seconds, "seconds"), items, clock)


def _within(seconds: float, items: Iterable[T], clock: Clock) -> Iterator[T]:
    end = clock() + seconds
    for item in items:
        yield item
        if clock() >= end:
            return


def paced(seconds: float, clock: Clock = time.monotonic) -> Iterator[int]:
    """Numbers of dives for `engine.strides`, until `seconds` have passed.

    The first is one dive. A stride takes about a twentieth of the time, and at most about half a
    second, or it is of `players.FEW_DIVES` dives.
    """
    end = clock() + seconds
    yield 1
    for k in split_by_time([sys.maxsize], clock, min(seconds / 40, 0.25)):
        if clock() >= end:
            return
        yield k


def timed_player(game: AnyGame, seconds: float, *, bound: AnyBound = ucb1) -> Player:
    """The player of a new search in each turn, for `seconds`. It plays the most visited move.

    It is `players.uct_player` with a time limit instead of a number of dives. So a move depends on
    the speed of the machine as well as on the rng.
    """
    trees = partial(_timed_trees, game, seconds, bound)
    return Player(trees, best_by(visits), visits, bound=bound)


def _timed_trees(
    game: AnyGame,
    seconds: float,
    bound: AnyBound,
    turn: AnyTurn,
    rng: Rng,
    pace: Pace = iter,  # noqa: ARG001
) -> Iterator[AnyTree]:
    return growing(game, {}, turn.state, paced(seconds), rng, bound=bound, turn=turn)
