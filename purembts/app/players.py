"""Players by their names: `uct:1000`, `settle:300`, `flat:500`, `time:2`, `perfect`, `random`.

The constant of a search can follow, `uct:1000,c=0.5`. `my.py:name` is a strategy of one's own.
"""

from functools import cache, partial
from pathlib import Path
from typing import Any

from purembts.app.clock import monotonic, timed_player
from purembts.app.kinds import AnyGame, AnyStrategy, AnyTree, AnyTurn, Position
from purembts.app.solved import too_large
from purembts.app.thinking import (
    at_pace,
    seen_flat,
    seen_uct,
    split_by_time,
    strategy_of,
)
from purembts.bounds import AnyBound, ucb1, ucb1_with, wald_with
from purembts.chance import Rng
from purembts.checks import above_zero, brief
from purembts.exact import is_solvable
from purembts.players import Player, no_trees, perfect_player, random_player, settle_player
from purembts.verify.loading import Unloadable, thing_called


def strategy_called(
    game: AnyGame, text: str, *, bound: AnyBound = ucb1, start: object = None
) -> AnyStrategy:
    """The strategy of `player_called`."""
    return strategy_of(game, player_called(game, text, bound=bound, start=start))


def watched_player(game: AnyGame, text: str, **options: Any) -> Player:
    """`player_called`, with a tree in each tenth of a second in which dives are made."""
    player = player_called(game, text, **options)
    has_dives = text.startswith(("uct", "settle"))
    return at_pace(player, partial(split_by_time, clock=monotonic)) if has_dives else player


def player_called(
    game: AnyGame, text: str, *, bound: AnyBound = ucb1, start: object = None
) -> Player:
    """The player with the name `text`; a ValueError says which names there are.

    `bound` is the bound of its searches if the name has no constant, and `start` the position where
    the games begin.

    >>> from random import Random
    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> player_called(last_coin(), "perfect")(turn_at(last_coin(), Pile(20), None), Random(7))
    Pile(coins=18, player=1)
    """
    kind, _, rest = text.partition(":")
    amount, _, constant = rest.partition(",")
    if "," in rest:
        bound = _bound_called(text, kind, constant)
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
    if text.rpartition(":")[0].endswith(".py"):
        own = _own(text)
        return own if isinstance(own, Player) else Player(no_trees, partial(_move, text))
    raise _wrong(text)


@cache
def _own(text: str) -> AnyStrategy:
    """The strategy with the name `text` in a file, which is run once in each process."""
    file, _, name = text.rpartition(":")
    if not Path(file).is_file():
        raise ValueError(f"A player must name a file that exists; got {brief(text)}.")
    try:
        strategy = thing_called(file, name)
    except Unloadable as error:
        raise ValueError(str(error)) from error
    if not callable(strategy):
        raise ValueError(
            f"`{name}` of {file} must be a strategy, a function of a turn and a generator; "
            f"got {brief(strategy)}."
        )
    return strategy  # type: ignore[no-any-return]


def _move(text: str, turn: AnyTurn, tree: AnyTree, rng: Rng) -> Position:  # noqa: ARG001
    return _own(text)(turn, rng)


def _bound_called(text: str, kind: str, constant: str) -> AnyBound:
    """The bound of `constant`, `c=0.5` or `z=1`, for a search with the name `text`."""
    name, _, number = constant.partition("=")
    try:
        bound = {"c": ucb1_with, "z": wald_with}[name](float(number))
    except (KeyError, ValueError):
        raise _wrong(text) from None
    if kind not in ("uct", "settle", "time"):
        raise _wrong(text)
    return bound


def _wrong(text: str) -> ValueError:
    return ValueError(
        "A player must be uct:DIVES, settle:DIVES, flat:GAMES, time:SECONDS (with a constant: "
        "uct:1000,c=0.5), perfect, random or file.py:name, for example uct:1000; "
        f"got {brief(text)}."
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
