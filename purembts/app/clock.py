"""Time limits. No other room looks at the clock."""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from purembts.app.kinds import AnyGame, AnyTree, AnyTurn
from purembts.app.thinking import split_by_time
from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng
from purembts.players import Pace, Player, growing, uct_player

Clock: TypeAlias = Callable[[], float]
"""A function that gives the time in seconds, from any point on."""

monotonic: Clock = time.monotonic


def paced(seconds: float, clock: Clock = time.monotonic) -> Iterator[int]:
    """Numbers of dives for `engine.strides`, until `seconds` have passed.

    The first is one dive. A stride takes about a twentieth of the time, and at most about half a
    second, or it is of `thinking.FEW_DIVES` dives.
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
    return uct_player(game, 1, bound=bound)._replace(trees=trees)


def _timed_trees(
    game: AnyGame,
    seconds: float,
    bound: AnyBound,
    turn: AnyTurn,
    rng: Rng,
    pace: Pace = iter,  # noqa: ARG001
) -> Iterator[AnyTree]:
    return growing(game, {}, turn.state, paced(seconds), rng, bound=bound, turn=turn)
