"""The rules of Shut the Box, and of its variants.

A box is the frozenset of the levers that are up. A move is the box that it leaves. The two sides
are the player and the box. `WIN` is (1, 0) and `LOSS` is (0, 1), so the scores of a record are the
wins and losses of James Vanderhyde's workshop. The module `workshop` defines the usual game again,
for readers; here a game has any number of levers and up to three dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

from purembts.checks import at_least_one, brief, whole_number
from purembts.display import Codec, Display
from purembts.game import Game
from purembts.games import shut_the_box_texts as texts
from purembts.records import Record, Scores

Box: TypeAlias = frozenset[int]
"""The levers that are up."""
Roll: TypeAlias = int | None
"""The total of the dice; None before a roll, and for the shut box, which needs no roll."""

Hints: TypeAlias = Mapping[Any, Record | Fraction | float]
"""A record or a probability for each box, or for each box and roll, with None before a roll."""

WIN: Scores = (1, 0)
LOSS: Scores = (0, 1)


class Rules(NamedTuple):
    """A variant of Shut the Box, as a value: `Rules()` is the usual game."""

    levers: int = 9
    """The number of levers. The first lever is 1."""
    dice: int = 2
    """The number of dice, 1 to 3."""
    one_die_end: bool | Literal["sum", "shut"] = False
    """One die is thrown near the end, by one of two conventions.

    "sum": one die when the levers that are up add up to at most six. "shut": one die once all
    levers above six are shut, 7 to 9 in a box of nine. True is "sum", and False is for two dice.
    """
    most_levers: int | None = None
    """The most levers that one move may shut; None for no limit."""


USUAL: Rules = Rules()


# The box


@lru_cache(maxsize=1 << 16)
def canonical(box: Box) -> Box:
    """The frozenset that stands for all equal boxes. A map finds the same object faster."""
    return box


def full_box(levers: int = USUAL.levers) -> Box:
    """The box with all levers up."""
    return canonical(frozenset(range(1, levers + 1)))


def boxes(levers: int = USUAL.levers) -> tuple[Box, ...]:
    """All the boxes, in the order of `workshop.power`: first the shut one, last the full one."""
    power: list[Box] = [frozenset()]
    for lever in range(1, levers + 1):
        power += [box | {lever} for box in power]
    return tuple(map(canonical, power))


# The dice


@cache
def faces(dice: int) -> tuple[tuple[int, ...], ...]:
    """The equally likely throws of `dice` dice: for two, 36 pairs of faces."""
    return tuple(product(range(1, 7), repeat=dice))


@cache
def _totals(dice: int) -> tuple[int, ...]:
    """The total of each throw of `dice` dice: for two, 36 totals, most of them several times."""
    return tuple(map(sum, faces(dice)))


def _dice_for(rules: Rules, box: Box) -> int:
    """The number of dice that are thrown for `box`."""
    up = max if rules.one_die_end == "shut" else sum
    return 1 if rules.one_die_end and up(box or {0}) <= 6 else rules.dice


def _chances(rules: Rules, box: Box) -> tuple[Roll, ...]:
    return _totals(_dice_for(rules, box)) if box else (None,)


def _dice(rules: Rules, box: Box, i: int) -> tuple[int, ...]:
    """The faces of the dice in event `i` of `_chances`."""
    return faces(_dice_for(rules, box))[i]


# The moves


@lru_cache(maxsize=1 << 16)
def _moves(levers: int, most: int | None, box: Box, roll: Roll) -> tuple[Box, ...]:
    """The boxes that `box` can become with `roll`, if a move shuts at most `most` levers.

    Any `roll` has moves if there are levers that add up to it, also one that two dice cannot show.
    """
    if not isinstance(roll, int) or roll < 1:
        return ()
    choices = _choices(min(levers, roll), min(most or roll, roll), roll)
    return tuple([canonical(box - shut) for shut in choices if shut <= box])


@lru_cache(maxsize=1 << 14)
def _choices(levers: int, most: int, roll: int) -> tuple[Box, ...]:
    """The sets of at most `most` of the levers 1 to `levers` with this sum, in `power`'s order."""
    if roll < 1 or most < 1 or levers * (levers + 1) < 2 * roll:
        return () if roll else (frozenset(),)
    others = _choices(levers - 1, most - 1, roll - levers)
    return (*_choices(levers - 1, most, roll), *[other | {levers} for other in others])


def _result(box: Box) -> Scores:
    return LOSS if box else WIN


def _to_move(box: Box) -> int:  # noqa: ARG001
    return 0


# The games


def shut_the_box(
    *,
    levers: int = USUAL.levers,
    dice: int = USUAL.dice,
    one_die_end: bool | Literal["sum", "shut"] = USUAL.one_die_end,
    most_levers: int | None = USUAL.most_levers,
) -> Game[Box, Roll]:
    """The game of Shut the Box. `Rules` says what the arguments mean.

    >>> shut_the_box(levers=12, dice=3).rules
    Rules(levers=12, dice=3, one_die_end=False, most_levers=None)
    """
    if not isinstance(one_die_end, bool) and one_die_end not in ("sum", "shut"):
        raise ValueError(f'`one_die_end` must be False, "sum" or "shut"; got {brief(one_die_end)}.')
    n = at_least_one(levers, "levers")
    most = None if most_levers is None else at_least_one(most_levers, "most_levers")
    rules = Rules(n, whole_number(dice, "dice", 1, 3), one_die_end, most)
    return Game(
        moves=partial(_moves, n, most),
        result=_result,
        to_move=_to_move,
        chances=partial(_chances, rules),
        name="Shut the Box",
        start=full_box(n),
        movers=(0,),
        rules=rules,
        display=_display(rules),
        json=Codec(sorted, partial(_decode, n)),
        is_small=n <= 14,
    )


def _display(rules: Rules) -> Display[Box]:
    """The texts of the game with `rules`."""
    n = rules.levers
    return Display(
        show=partial(texts.show, n),
        label=texts.label,
        short=partial(texts.short, n),
        event=texts.event,
        squares=partial(texts.squares, n),
        typed_move=partial(texts.typed_move, n),
        why_not=partial(texts.why_not, n),
        typed_position=partial(texts.typed_box, n),
        dice=partial(_dice, rules),
        look="tray",
        about=texts.about(*rules),
    )


def _decode(n: int, value: Any) -> Box:  # noqa: ANN401
    """The box with the levers in `value`, or a ValueError if there is no such box."""
    if not isinstance(value, list) or not all(isinstance(lever, int) for lever in value):
        raise ValueError(f"A box must be a list of levers; got {brief(value)}.")
    box, full = frozenset(value), full_box(n)
    if not box <= full:
        foreign = brief(sorted(box - full))
        raise ValueError(
            f"`box` must have only levers from 1 to {n}; got {brief(box)} with {foreign}."
        )
    return canonical(frozenset([lever for lever in sorted(full) if lever in box]))  # True equals 1


# The simplified game


def _simple_moves(box: Box, roll: Roll) -> tuple[Box, ...]:
    return (canonical(box - {roll}),) if roll in box else ()


simple_start: Box = canonical(full_box() - {1})
"""The start of the simplified game: lever 1 is down, because two dice never show 1."""
_usual_game = shut_the_box()
simple_game: Game[Box, Roll] = _usual_game._replace(
    moves=_simple_moves,
    name="Simplified Shut the Box",
    start=simple_start,
    rules=None,
    display=_usual_game.display._replace(about=texts.SIMPLE),
)
"""The game in which a move shuts the lever that the dice show. There is never a choice."""
