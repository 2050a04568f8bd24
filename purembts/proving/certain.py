"""The worths that are certain in a tree, and the ranges that contain the others.

The worth of a position is its exact value for each player if all play best. A position of a tree is
settled if its worth is certain, and open if it is not. This follows from the rules, and from the
positions that the tree has. No result in a record is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from operator import le
from typing import Generic, NamedTuple

from pyrsistent import PMap, pmap

from purembts.exact import mean_of
from purembts.fast.links import ways_of
from purembts.game import E, Game, S, Values, check_facts, checked_player, result_of
from purembts.positions import positions
from purembts.records import Record, Tree, as_tree, checked_record

# The rule: one step, from the moves after an event to a position


class Rule(NamedTuple, Generic[S, E]):
    """A game, and the facts that decide when the worth after an event is certain."""

    game: Game[S, E]
    highest: Fraction
    """The highest score that there is."""
    decided: bool
    """True if the scores of all others follow where one player has the highest score."""


def rule_of(game: Game[S, E]) -> Rule[S, E]:
    """The rule of `game`; a ValueError if it is no game, hides information, or leaves moves out.

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
    return Rule(game, high, not others or decided)


def worth_after(
    rule: Rule[S, E], worths: Mapping[S, Values], position: S, player: int, moves: Sequence[S]
) -> Values | None:
    """The worth of `position` after an event with these `moves` of `player`; None if it is open.

    It is certain if all moves have `worths`: the best is played. It is also certain if one move has
    the highest score that there is. If this score does not decide those of the other players, the
    moves before it must be certain, because best play takes the first of equal moves.
    """
    if not moves:
        return tuple(map(Fraction, result_of(rule.game, position)))
    best: Values | None = None
    is_open = False
    for move in moves:
        worth = worths.get(move)
        if worth is None:
            if not rule.decided:
                return None
            is_open = True
        elif worth[player] == rule.highest:
            return worth
        elif best is None or worth[player] > best[player]:
            best = worth
    return None if is_open else best


# The positions of a tree


class Known(NamedTuple, Generic[S, E]):
    """The positions of a tree that follow from a first one, and all worths that are certain."""

    rule: Rule[S, E]
    turns: dict[S, tuple[int, list[tuple[int, Sequence[S]]]]]
    """For each position, children first: the player to move, and the moves after each event with
    the number of times that it is listed. The events that end the game count as one."""
    worths: dict[S, Values]


def known_of(game: Game[S, E], tree: Tree[S], state: S) -> Known[S, E]:
    """The positions of `tree` that are reached from `state` through positions of `tree`."""
    known: Known[S, E] = Known(rule_of(game), {}, {})
    read, turns = dict(tree.items()).get, {}

    def children(game: Game[S, E], position: S) -> Iterator[S]:
        checked_record(read(position))
        ways = ways_of(game, position)
        own = [(n, moves) for n, moves in ways if moves]
        ended = sum([n for n, moves in ways if not moves])
        player = checked_player(game, position) if own else 0
        turns[position] = player, [*own, (ended, ())] if ended else own
        return (move for _, moves in own for move in moves if read(move) is not None)

    for position in positions(game, state, skip=lambda each: read(each) is None, after=children):
        player, own = known.turns[position] = turns[position]
        worths = [worth_after(known.rule, known.worths, position, player, each) for _, each in own]
        parts = [(n, worth) for (n, _), worth in zip(own, worths, strict=True) if worth]
        if len(parts) == len(own):
            known.worths[position] = mean_of(parts)
    return known


def settled(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> PMap[S, Values]:
    """The positions of `tree` from `state` on whose worth is certain, each with its worth.

    A position is certain if the best move is certain after every event, or the game has ended. The
    worth is the mean over the known chances. Positions that are not reached from `state` through
    positions of `tree` are left out.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(2): Record(1, (0, 1)), Pile(0, 1): Record(1, (1, 0))}
    >>> settled(last_coin(), tree, Pile(2)) == {Pile(2): (1, 0), Pile(0, 1): (1, 0)}
    True
    """
    return pmap(known_of(game, as_tree(tree), state).worths)


# Ranges


class Range(NamedTuple):
    """The worth that is still possible: the lowest and the highest value for each player."""

    low: Values
    high: Values


def certain_range(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> PMap[S, Range]:
    """The positions of `tree` from `state` on, each with the range that certainly has its worth.

    `state` has a range also if it is not in `tree`. The range of a settled position is a point.
    Where nothing is known, it is the range of scores of the game. It becomes narrower with each
    position that the tree gets. Where floats round the scores, such as 0.1 and 0.9, it contains the
    exact value up to the rounding of their sum.

    >>> from purembts.games.mnk import Board, tic_tac_toe
    >>> last = Board(0b0001_0010_0011, 0b0110_0001_0100)  # one square is free
    >>> certain_range(tic_tac_toe, {last: Record(1, (1, 0))}, last)[last].low
    (Fraction(0, 1), Fraction(0, 1))
    """
    known = known_of(game, as_tree(tree), state)
    widest = Range(*[(Fraction(score),) * game.players for score in game.score_range])
    ranges = {state: widest}
    for position, (player, turns) in known.turns.items():
        parts = []
        for n, moves in turns:
            worth = worth_after(known.rule, known.worths, position, player, moves)
            own = [ranges.get(move, widest) for move in moves]
            parts.append((n, (worth, worth) if worth else _best_range(game, own, player)))
        ranges[position] = Range(*[mean_of([(n, each[i]) for n, each in parts]) for i in (0, 1)])
    return pmap(ranges)


def _best_range(game: Game[S, E], ranges: Sequence[Range], player: int) -> tuple[Values, Values]:
    """The range of the best for `player` of moves with these ranges.

    A move that is certainly worse than another one is not played. The values of all players can add
    up to the sum of the scores.
    """
    lowest = max([each.low[player] for each in ranges])
    lows, highs = zip(*[each for each in ranges if each.high[player] >= lowest], strict=True)
    low = [min(column) for column in zip(*lows, strict=True)]
    high = [max(column) for column in zip(*highs, strict=True)]
    low[player] = lowest
    if game.score_sum is not None:
        pairs, total = list(zip(low, high, strict=True)), Fraction(game.score_sum)
        least = [max(a, total - (sum(high) - b)) for a, b in pairs]
        most = [min(b, total - (sum(low) - a)) for a, b in pairs]
        # Scores such as 0.1 and 0.9 miss their sum by rounding, so the ends may miss each other.
        if all(map(le, least, most)):
            low, high = least, most
    return tuple(low), tuple(high)
