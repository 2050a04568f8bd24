"""The rule by which the worth of a position is certain: one step of it, from moves to a position.

`settling` applies it to all positions of a tree, and `proofs` to each new position.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from purembts.exact import Whole
from purembts.game import Game, check_facts


class Rule(NamedTuple):
    """The facts of a game that decide when a turn is certain."""

    highest: Whole
    """The highest score that there is, as a whole number, and its denominator."""
    decided: bool
    """True if the scores of all others follow where one player has the highest score."""


def rule_of(game: Game[Any, Any]) -> Rule:
    """The rule of `game`; a ValueError if it is not a game, or has hidden information.

    The highest score decides the others in a game for one player, for two players with a constant
    sum, and where the others can only have the lowest score then.
    """
    check_facts(game)
    if game.hidden is not None:
        raise ValueError(
            "`game` must have no hidden information, because a position that a player does not "
            f"see cannot be certain to this player; got {game.name}."
        )
    low, high = map(Fraction, game.score_range)
    others = game.players - 1
    rest = None if game.score_sum is None else Fraction(game.score_sum) - high
    decided = rest is not None and (others == 1 or rest == others * low)
    return Rule((high.numerator, high.denominator), not others or decided)


def certain_worth(rule: Rule, worths: Sequence[Whole | None], player: int) -> Whole | None:
    """The worth of a turn of `player` with moves of these worths, None for those that are open.

    It is certain if all moves are certain: the best is played. It is also certain if one move has
    the highest score that there is. If this score does not decide those of the other players, the
    moves before it must be certain, because best play takes the first of equal moves.

    >>> rule = Rule((1, 1), decided=True)
    >>> certain_worth(rule, [(1, 1, 2), None], 0), certain_worth(rule, [None, (1, 0, 1)], 0)
    (None, (1, 0, 1))
    """
    best: Whole | None = None
    is_open = False
    top, unit = rule.highest
    for worth in worths:
        if worth is None:
            if not rule.decided:
                return None
            is_open = True
        elif worth[player] * unit == top * worth[-1]:
            return worth
        elif best is None or worth[player] * best[-1] > best[player] * worth[-1]:
            best = worth
    return None if is_open else best


def is_highest(rule: Rule, worth: Whole, player: int) -> bool:
    """True if `worth` is the highest score for `player`."""
    return worth[player] * rule.highest[1] == rule.highest[0] * worth[-1]
