"""Players by their names: `uct:1000`, `settle:300`, `flat:500`, `time:2`, `perfect`, `random`."""

from functools import partial
from typing import Any

from purembts.bounds import AnyBound, ucb1
from purembts.checks import above_zero, brief
from purembts.exact import is_solvable
from purembts.game import Game, Strategy
from purembts.players import Player, perfect_player, random_player, settle_player
from purembts.shell.clock import monotonic, timed_player
from purembts.surfaces.minds import (
    at_pace,
    seen_flat,
    seen_uct,
    split_by_time,
    strategy_of,
    too_large,
)


def strategy_called(
    game: Game[Any, Any], text: str, *, bound: AnyBound = ucb1, start: object = None
) -> Strategy[Any, Any]:
    """The strategy of `player_called`."""
    return strategy_of(game, player_called(game, text, bound=bound, start=start))


def watched_player(game: Game[Any, Any], text: str, **options: Any) -> Player:
    """`player_called`, with a tree in each tenth of a second in which dives are made."""
    player = player_called(game, text, **options)
    has_dives = text.startswith(("uct", "settle"))
    return at_pace(player, partial(split_by_time, clock=monotonic)) if has_dives else player


def player_called(
    game: Game[Any, Any], text: str, *, bound: AnyBound = ucb1, start: object = None
) -> Player:
    """The player with the name `text`; a ValueError says which names there are.

    `bound` is the bound of its searches, and `start` the position where the games begin.

    >>> from random import Random
    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> player_called(last_coin(), "perfect")(turn_at(last_coin(), Pile(20), None), Random(7))
    Pile(coins=18, player=1)
    """
    kind, _, amount = text.partition(":")
    if text == "random":
        return random_player
    if text == "perfect":
        first = game.start if start is None else start
        if game.hidden or (first is not None and not is_solvable(game, first)):
            raise ValueError(too_large(game))
        return perfect_player(game)
    if kind == "uct":
        return seen_uct(game, _whole(text, amount), bound=bound)
    if kind == "settle":
        return settle_player(game, _whole(text, amount), bound=bound)
    if kind == "flat":
        return seen_flat(game, _whole(text, amount))
    if kind == "time":
        return timed_player(game, _above_zero(text, amount), bound=bound)
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
