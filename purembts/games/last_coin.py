"""The coin game: two players in turn take coins from a pile, and the player who takes last wins.

The usual game has 21 coins, and a turn takes one or two of them. If the number of coins is a
multiple of three, the player to move loses against best play.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, partial
from typing import Any, NamedTuple

from purembts.checks import brief, checked_parts, true_or_false, whole_number
from purembts.display import Codec, Display
from purembts.game import Game
from purembts.records import Scores


class Pile(NamedTuple):
    """The number of coins, and the player to move: 0 or 1."""

    coins: int = 21
    player: int = 0


class Rules(NamedTuple):
    """A variant of the coin game, as a value."""

    takes: tuple[int, ...]
    """The numbers of coins that a turn may take, in ascending order."""
    misere: bool
    """The player who takes last loses."""


def last_coin(takes: Iterable[int] = (1, 2), *, misere: bool = False) -> Game[Pile, None]:
    """The game in which a turn takes any number of coins that `takes` has.

    The player who takes last wins, or loses with `misere`. The game ends when no number can be
    taken. It begins with `Pile()`, or with a pile of any size.

    >>> last_coin().moves(Pile(2), None)
    (Pile(coins=1, player=1), Pile(coins=0, player=1))
    """
    return _game(Rules(_checked_takes(takes), true_or_false(misere, "misere")))


def _checked_takes(takes: Iterable[int]) -> tuple[int, ...]:
    """`takes` in ascending order, each once; or a ValueError."""
    numbers = tuple(takes) if isinstance(takes, Iterable) else ()
    if not numbers:
        raise ValueError(f"`takes` must be numbers of coins, such as (1, 2); got {brief(takes)}.")
    return tuple(sorted({whole_number(k, "takes", 1) for k in numbers}))


def pile(coins: int = 21, *, player: int = 0) -> Pile:
    """The pile of `coins` coins with `player` to move, or a ValueError.

    >>> pile(-1)
    Traceback (most recent call last):
    ValueError: `coins` must be a whole number of at least 0; got -1.
    """
    return Pile(whole_number(coins, "coins", 0), whole_number(player, "player", 0, 1))


@cache
def _game(rules: Rules) -> Game[Pile, None]:
    """The game with `rules`, the same one at every call."""
    return Game(
        moves=partial(_moves, rules),
        result=partial(_result, rules),
        to_move=_to_move,
        name="Last coin",
        start=Pile(),
        rules=rules,
        display=Display(
            partial(show, takes=rules.takes),
            label,
            short=_short,
            typed_position=_typed_pile,
            look="coins",
            about=_about(rules),
        ),
        json=Codec(list, _decode),
        is_small=True,
    )


def _about(rules: Rules) -> str:
    """The rules for a person."""
    *others, last = map(str, rules.takes)
    takes = f"{', '.join(others)} or {last}" if others else last
    coins = "coin" if takes == "1" else "coins"
    who = "loses" if rules.misere else "wins"
    return f"Two players take {takes} {coins} in turn. The player who takes the last coin {who}."


def _moves(rules: Rules, pile: Pile, event: None) -> tuple[Pile, ...]:  # noqa: ARG001
    coins, player = pile
    return tuple([Pile(coins - k, 1 - player) for k in rules.takes if k <= coins])


def _result(rules: Rules, pile: Pile) -> Scores:
    """The player who is not to move took last."""
    winner = pile.player if rules.misere else 1 - pile.player
    return (1, 0) if winner == 0 else (0, 1)


def _to_move(pile: Pile) -> int:
    return pile.player


# Text for people, and JSON


def show(pile: Pile, *, takes: tuple[int, ...] = (1, 2)) -> str:
    """The coins in rows of ten, their number, and the player to move, or that the game has ended.

    >>> print(show(Pile(12)))
    oooooooooo
    oo
    12 coins; player 1 takes
    """
    rows = ["o" * min(10, pile.coins - above) for above in range(0, pile.coins, 10)]
    coins = "1 coin" if pile.coins == 1 else f"{pile.coins} coins"
    is_over = pile.coins < min(takes)
    following = "the game has ended" if is_over else f"player {pile.player + 1} takes"
    return "\n".join([*rows, f"{coins}; {following}"])


def label(before: Pile, after: Pile) -> str:
    """The name of a move.

    >>> label(Pile(21), Pile(19, 1))
    'take 2'
    """
    return f"take {before.coins - after.coins}"


def _short(pile: Pile) -> str:
    return str(pile.coins)


def _typed_pile(text: str) -> Pile:
    """The pile with the number of coins in `text`, or a ValueError.

    The first player is to move if `text` does not say who is.

    >>> _typed_pile("12"), _typed_pile("oo 2 coins; player 2 takes")
    (Pile(coins=12, player=0), Pile(coins=2, player=1))
    """
    end = r"(?: coins?; (?:player ([12]) takes|the game has ended))?"
    match = re.fullmatch(rf"[o\s]*(-?\d{{1,18}}){end}\s*", text)
    if match is None:
        raise ValueError(f"A pile must be a number of coins, such as 12; got {brief(text)}.")
    return pile(int(match[1]), player=int(match[2] or 1) - 1)


def _decode(value: Any) -> Pile:  # noqa: ANN401
    """The pile with the coins and the player in `value`, or a ValueError if there is none."""
    right = "A pile must be a list of two whole numbers, its coins and the player"
    coins, player = checked_parts(value, (int, int), right)
    return pile(coins, player=player)
