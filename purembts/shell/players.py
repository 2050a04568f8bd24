"""Players by their names: `uct:1000`, `settle:300`, `flat:500`, `time:2`, `perfect`, `random`.

Each has a strategy, for many games, and a mind, for games that are watched.
"""

from functools import partial
from typing import Any, NamedTuple

from purembts.bounds import AnyBound, ucb1
from purembts.checks import above_zero, brief
from purembts.exact import is_solvable
from purembts.game import Game, Strategy
from purembts.play import perfect_player, random_player, settle_player, uct_player
from purembts.shell.clock import monotonic, timed_mind
from purembts.surfaces.minds import (
    Mind,
    flat_mind,
    parts_of,
    perfect_mind,
    random_mind,
    search_mind,
    settle_mind,
    split_by_time,
    strategy_of,
    too_large,
)


class Player(NamedTuple):
    """A strategy, and the mind that makes the same moves."""

    strategy: Strategy[Any, Any]
    mind: Mind


def strategy_called(
    game: Game[Any, Any], text: str, *, bound: AnyBound = ucb1, start: object = None
) -> Strategy[Any, Any]:
    """The strategy of `player_called`."""
    return player_called(game, text, bound=bound, start=start).strategy


def player_called(
    game: Game[Any, Any], text: str, *, bound: AnyBound = ucb1, start: object = None
) -> Player:
    """The player with the name `text`; a ValueError says which names there are.

    `bound` is the bound of its searches, and `start` the position where the games begin.

    >>> from random import Random
    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> perfect = player_called(last_coin(), "perfect").strategy
    >>> perfect(turn_at(last_coin(), Pile(20), None), Random(7))
    Pile(coins=18, player=1)
    """
    kind, _, amount = text.partition(":")
    options: dict[str, Any] = {"bound": bound}
    if text == "random":
        return Player(random_player, random_mind())
    if text == "perfect":
        first = game.start if start is None else start
        if game.hidden or (first is not None and not is_solvable(game, first)):
            raise ValueError(too_large(game))
        return Player(perfect_player(game), perfect_mind(game))
    if kind == "uct":
        n = _whole(text, amount)
        mind = search_mind(game, partial(split_by_time, parts_of(n), monotonic), **options)
        fast = None if game.hidden else uct_player(game, n, **options)
        return Player(fast or strategy_of(game, mind), mind)
    if kind == "settle":
        n = _whole(text, amount)
        mind = settle_mind(game, n, partial(split_by_time, clock=monotonic), **options)
        return Player(settle_player(game, n, **options), mind)
    if kind == "flat":
        mind = flat_mind(game, _whole(text, amount))
        return Player(strategy_of(game, mind), mind)
    if kind == "time":
        mind = timed_mind(game, _above_zero(text, amount), **options)
        return Player(strategy_of(game, mind), mind)
    raise _wrong(text)


def _wrong(text: str) -> ValueError:
    return ValueError(
        "A player must be uct:DIVES, settle:DIVES, flat:GAMES, time:SECONDS, perfect or random, "
        f"for example uct:1000; got {brief(text)}."
    )


def _whole(text: str, amount: str) -> int:
    """The whole number `amount`; 1e6 is one as well."""
    number = _above_zero(text, amount)
    if number != int(number):
        raise _wrong(text)
    return int(number)


def _above_zero(text: str, amount: str) -> float:
    try:
        return above_zero(float(amount), "SPEC")
    except ValueError:
        raise _wrong(text) from None
