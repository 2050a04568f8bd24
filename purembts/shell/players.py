"""Players by their names: `uct:1000`, `flat:500`, `time:2`, `perfect` and `random`.

Each has a strategy, for many games, and a mind, for games that are watched.
"""

from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

from purembts.bounds import Bound
from purembts.checks import brief
from purembts.game import Game
from purembts.play import Strategy, flat_player, perfect_player, random_player, uct_player
from purembts.records import visits
from purembts.shell.clock import timed_player, timed_trees
from purembts.thoughts import (
    MOST_POSITIONS,
    Mind,
    best_by,
    flat_mind,
    is_small,
    perfect_mind,
    random_mind,
    seen_strategy,
    uct_mind,
    usual_bound,
)

USUAL = "uct:2000"
"""The usual player, who answers within about a second in every game of the library."""


class Player(NamedTuple):
    """A strategy, and the mind that makes the same moves."""

    strategy: Strategy[Any, Any]
    mind: Mind


def strategy_called(
    game: Game[Any, Any],
    text: str,
    *,
    bound: Bound | None = None,
    start: Any = None,  # noqa: ANN401
) -> Strategy[Any, Any]:
    """The strategy with the name `text`; a ValueError says which names there are.

    `bound` is the bound of its searches, and `start` the position where the games begin.
    """
    return player_called(game, text, bound=bound, start=start).strategy


def player_called(
    game: Game[Any, Any],
    text: str,
    *,
    bound: Bound | None = None,
    start: Any = None,  # noqa: ANN401
) -> Player:
    """The player with the name `text`; a ValueError says which names there are.

    >>> from random import Random
    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> coins = last_coin()
    >>> perfect = player_called(coins, "perfect").strategy
    >>> perfect(turn_at(coins, Pile(20), None), Random(7))
    Pile(coins=18, player=1)
    """
    options: dict[str, Any] = {"bound": bound or usual_bound(game)}
    kind, colon, amount = text.partition(":")
    if kind == "uct" and colon:
        n = int(_number(text, amount, int, "uct:1000"))
        return _player(game, uct_mind(game, n, **options), partial(uct_player, dives=n, **options))
    if kind == "flat" and colon:
        n = int(_number(text, amount, int, "flat:500"))
        return _player(game, flat_mind(game, n), partial(flat_player, games=n))
    if kind == "time" and colon:
        seconds = _number(text, amount, float, "time:2")
        mind = Mind(partial(timed_trees, game, seconds, options), best_by(visits), visits)
        return _player(game, mind, partial(timed_player, seconds=seconds, **options))
    if text == "random":
        return Player(random_player, random_mind())
    if text == "perfect":
        _refuse_large(game, start)
        return Player(perfect_player(game), perfect_mind(game))
    raise ValueError(
        "A player must be uct:DIVES, flat:GAMES, time:SECONDS, perfect or random, "
        f"for example uct:1000; got {brief(text)}."
    )


def _number(text: str, amount: str, kind: Callable[[str], float], example: str) -> float:
    """The number after the colon; 1e6 is a whole number as well."""
    try:
        number = float(amount)
    except ValueError:
        number = 0
    if not isfinite(number) or number <= 0 or number != kind(number):  # type: ignore[arg-type]
        what = "a whole number of at least 1" if kind is int else "a number of seconds above 0"
        raise ValueError(
            f"`{text.partition(':')[0]}:` must be followed by {what}, for example {example}; "
            f"got {brief(text)}."
        )
    return number


def _player(
    game: Game[Any, Any], mind: Mind, open_player: Callable[[Game[Any, Any]], Strategy[Any, Any]]
) -> Player:
    """The player with `mind`. `open_player` is the faster strategy where nothing is hidden."""
    return Player(seen_strategy(game, mind) if game.hidden else open_player(game), mind)


def _refuse_large(game: Game[Any, Any], start: Any) -> None:  # noqa: ANN401
    """Refuse perfect play of a game that takes too long to solve."""
    first = game.start if start is None else start
    if game.hidden or (first is not None and not is_small(game, first)):
        why = "hides cards" if game.hidden else f"has more than {MOST_POSITIONS:,} positions"
        raise ValueError(
            f"`perfect` must have a game that can be solved; got {game.name}, which {why}."
        )
