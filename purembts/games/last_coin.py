"""The coin game: two players take coins from a pile in turn, and whoever takes the last one wins.

The usual game has 21 coins, of which one or two are taken at a time. Its positions that are lost
are those of a multiple of three coins.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

from purembts.chance import Rng
from purembts.checks import at_least_one, brief
from purembts.game import Codec, Display, Game
from purembts.records import Scores


class Pile(NamedTuple):
    """The coins that are left, and who takes next: player 0 or 1."""

    coins: int = 21
    player: int = 0


class Rules(NamedTuple):
    """A variant of the coin game, as a value."""

    takes: tuple[int, ...]
    """How many coins may be taken at a time, in ascending order."""
    misere: bool
    """Whether whoever takes last loses."""


def last_coin(takes: Iterable[int] = (1, 2), *, misere: bool = False) -> Game[Pile, None]:
    """The game in which any of `takes` may be taken; in misère play whoever takes last loses.

    It ends when nothing can be taken any more. A game begins with `Pile()`, or a pile of any size.

    >>> last_coin().moves(Pile(2), None)
    (Pile(coins=1, player=1), Pile(coins=0, player=1))
    """
    numbers = sorted({at_least_one(k, "takes") for k in takes})
    if not numbers:
        raise ValueError("There are no numbers of coins to take; the usual ones are (1, 2).")
    return _game(Rules(tuple(numbers), misere))


def pile(coins: int = 21, player: int = 0) -> Pile:
    """A pile of so many coins, from which `player` takes next; a ValueError if there is none such.

    >>> pile(-1)
    Traceback (most recent call last):
    ValueError: The pile has -1 coins; it has to be a whole number of at least 0.
    """
    if not isinstance(coins, int) or coins < 0:
        raise ValueError(
            f"The pile has {brief(coins)} coins; it has to be a whole number of at least 0."
        )
    if player not in (0, 1):
        raise ValueError(f"The player is {brief(player)}; it has to be 0 or 1.")
    return Pile(coins, player)


@cache
def _game(rules: Rules) -> Game[Pile, None]:
    return Game(
        moves=partial(_moves, rules),
        result=partial(_result, rules),
        to_move=_to_move,
        name="Last coin",
        start=Pile(),
        rules=rules,
        display=Display(show, label),
        json=Codec(list, _decode),
        playout=playout,
    )


def _moves(rules: Rules, pile: Pile, event: None) -> tuple[Pile, ...]:  # noqa: ARG001
    coins, player = pile
    return tuple([Pile(coins - k, 1 - player) for k in rules.takes if k <= coins])


def _result(rules: Rules, pile: Pile) -> Scores:
    """Who took last is the one who is not to move."""
    winner = pile.player if rules.misere else 1 - pile.player
    return (1, 0) if winner == 0 else (0, 1)


def _to_move(pile: Pile) -> int:
    return pile.player


# A playout of its own


class _Draws(NamedTuple):
    """What there is to draw from: turn by turn, and an even number of turns at once."""

    options: tuple[tuple[int, ...], ...]
    """What may be taken from 0, 1, 2, ... coins, while not everything may."""
    enough: int
    """The coins with which everything may be taken in each of the turns."""
    ways: tuple[int, ...]
    """What each way to go through these turns takes in all."""


@cache
def _draws(takes: tuple[int, ...]) -> _Draws:
    options = tuple(tuple(k for k in takes if k <= coins) for coins in range(takes[-1]))
    turns = 4 if len(takes) <= 3 else 2
    return _Draws(options, turns * takes[-1], tuple(map(sum, product(takes, repeat=turns))))


def playout(game: Game[Pile, None], pile: Pile, rng: Rng = random) -> Scores:
    """How a game from `pile` ends in which every choice is uniformly random.

    It has the law of `plain_playout`: while there are coins for anything, several turns are drawn
    at once, each way to go through them as likely as any other; after that they are drawn one by
    one.
    """
    coins, player = pile
    takes, misere = game.rules
    draw = rng.random
    options, enough, ways = _draws(takes)
    while coins >= enough:
        coins -= ways[int(draw() * len(ways))]
    while few := options[coins] if coins < len(options) else takes:
        coins -= few[int(draw() * len(few))] if len(few) > 1 else few[0]
        player = 1 - player
    return (0, 1) if player == misere else (1, 0)


# What a person reads and types


def show(pile: Pile) -> str:
    """The coins in rows of ten, how many there are, and who takes.

    >>> print(show(Pile(12)))
    oooooooooo
    oo
    12 coins; player 1 takes
    """
    rows = ["o" * min(10, pile.coins - done) for done in range(0, pile.coins, 10)]
    coins = "1 coin" if pile.coins == 1 else f"{pile.coins} coins"
    return "\n".join([*rows, f"{coins}; player {pile.player + 1} takes"])


def label(before: Pile, after: Pile) -> str:
    """What a move is called.

    >>> label(Pile(21), Pile(19, 1))
    'take 2'
    """
    return f"take {before.coins - after.coins}"


def _decode(value: Any) -> Pile:  # noqa: ANN401
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{brief(value)} is not a pile, a list of its coins and the player.")
    return pile(*value)
