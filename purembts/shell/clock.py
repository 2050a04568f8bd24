"""Time limits. No other room looks at the clock."""

import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate, repeat
from typing import Any, TypeVar

from purembts.chance import Rng
from purembts.checks import above_zero, not_negative, only
from purembts.game import E, Game, S, Turn
from purembts.play import SEARCH_OPTIONS, Final, Strategy, think
from purembts.records import Record, Tree, visits

T = TypeVar("T")

monotonic: Callable[[], float] = time.monotonic

FEW_DIVES = 20
"""Dives between two looks at the clock."""


def until(seconds: float) -> Callable[[], bool]:
    """A function whose value is True until `seconds` have passed, and False after that."""
    end = monotonic() + not_negative(seconds, "seconds")
    return lambda: monotonic() < end


def within(
    seconds: float, items: Iterable[T], clock: Callable[[], float] = time.monotonic
) -> Iterator[T]:
    """The first of `items`, and the items after it until `seconds` have passed.

    >>> from collections import deque
    >>> from purembts import start_box, trees
    >>> [tree] = deque(within(0.01, trees({}, start_box)), maxlen=1)
    >>> tree[start_box].visits > 0
    True
    """
    return _within(not_negative(seconds, "seconds"), items, clock)


def _within(seconds: float, items: Iterable[T], clock: Callable[[], float]) -> Iterator[T]:
    end = clock() + seconds
    for item in items:
        yield item
        if clock() >= end:
            return


def timed_player(
    game: Game[S, E], seconds: float, *, final: Final = visits, **options: Any
) -> Strategy[S, E]:
    """The strategy of a new search in each turn, for `seconds`. It plays the best move by `final`.

    It is `play.uct_player` with a time limit instead of a number of dives. It looks at the clock
    after every `FEW_DIVES` dives, so a move depends on the speed of the machine as well as on the
    rng. `options` are those of `engine.search`.
    """
    above_zero(seconds, "seconds")
    only(options, *SEARCH_OPTIONS)
    return partial(_timed_move, game, seconds, final, options)


def _timed_move(
    game: Game[S, E],
    seconds: float,
    final: Final,
    options: dict[str, Any],
    turn: Turn[S, E],
    rng: Rng = random,
) -> S:
    if len(turn.moves) == 1:
        return turn.moves[0]

    def more(thought: tuple[Tree[S] | dict[S, Record], Any], dives: int) -> tuple[Tree[S], S]:
        return think(game, thought[0], turn, dives, rng, final=final, **options)

    first = more(({}, None), 1)
    thoughts = accumulate(repeat(FEW_DIVES), more, initial=first)
    [(_, move)] = deque(within(seconds, thoughts), maxlen=1)
    return move
