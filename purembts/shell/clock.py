"""Time limits: the only place that looks at the clock."""

import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate, repeat
from math import inf
from typing import Any, TypeVar

from purembts.chance import Rng
from purembts.checks import brief
from purembts.game import E, Game, S, Turn
from purembts.play import Final, Strategy, think
from purembts.records import Tree, visits

T = TypeVar("T")

FEW_DIVES = 20
"""Dives between two looks at the clock."""


def within(
    seconds: float, items: Iterable[T], clock: Callable[[], float] = time.monotonic
) -> Iterator[T]:
    """The first of `items`, and those after it, until so many seconds have passed.

    >>> from collections import deque
    >>> from purembts import start_box, trees
    >>> [tree] = deque(within(0.01, trees({}, start_box)), maxlen=1)
    >>> tree[start_box].visits > 0
    True
    """
    end = clock() + seconds
    for item in items:
        yield item
        if clock() >= end:
            return


def timed_player(
    game: Game[S, E], seconds: float, *, final: Final = visits, **how: Any
) -> Strategy[S, E]:
    """The strategy that searches each turn anew for so many seconds and plays the best by `final`.

    It is `play.uct_player` with a limit of time, looked at every `FEW_DIVES` dives. What it plays
    depends on how fast the machine is as well as on the rng.
    """
    if not isinstance(seconds, int | float) or not 0 < seconds < inf:
        raise ValueError(f"`seconds` must be a finite number above 0; got {brief(seconds)}.")
    return partial(_timed_move, game, seconds, final, how)


def _timed_move(
    game: Game[S, E],
    seconds: float,
    final: Final,
    how: dict[str, Any],
    turn: Turn[S, E],
    rng: Rng = random,
) -> S:
    if len(turn.moves) == 1:
        return turn.moves[0]

    def go_on(known: tuple[Tree[S] | dict[S, Any], Any], dives: int) -> tuple[Tree[S], S]:
        return think(game, known[0], turn, dives, rng, final=final, **how)

    first = go_on(({}, None), 1)
    thoughts = accumulate(repeat(FEW_DIVES), go_on, initial=first)
    [(_, move)] = deque(within(seconds, thoughts), maxlen=1)
    return move
