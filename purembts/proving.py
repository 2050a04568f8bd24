"""Knowledge that follows from a tree: the positions that are settled, and means backed up.

The worth of a position is its exact value for each player if all play best. A position of a tree
is settled if its worth follows from the rules and from the positions of the tree, without results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Generic, NamedTuple

from pyrsistent import PMap, pmap

from purembts.exact import end_value, mean_of, turns_of
from purembts.game import E, Game, S, Values
from purembts.guards import explained
from purembts.positions import MOST_EVENTS, positions
from purembts.records import Record, Scores, Tree, as_tree, with_records


@explained
def settled(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> PMap[S, Values]:
    """The positions of `tree` from `state` on that are settled, each with its worth.

    A position is settled if the best move is settled after every event, or the game has ended. The
    worth is the mean over the known chances. Positions that are not reached from `state` through
    positions of `tree` are left out. More than `MOST_EVENTS` events are not looked at.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(2): Record(1, (0, 1)), Pile(0, 1): Record(1, (1, 0))}
    >>> settled(last_coin(), tree, Pile(2)) == {Pile(2): (1, 0), Pile(0, 1): (1, 0)}
    True
    """
    return pmap(_proof_of(game, as_tree(tree), state).worths)


@explained
def backed_up(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Tree[S]:
    """`tree`, whose records from `state` on keep their visits, and get means from their children.

    The mean of a position is the best mean of its children for the player to move, after each
    event, averaged over those events that end the game or have a child in the tree. So the results
    of moves that are not the best do not count. A position without visited children keeps its
    record, and a settled position gets its worth.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(2): Record(3, (1, 2)), Pile(1, 1): Record(1, (0, 1)),
    ...     Pile(0, 1): Record(1, (1, 0))}
    >>> backed_up(last_coin(), tree, Pile(2))[Pile(2)]
    Record(visits=3, scores=(3.0, 0.0))
    """
    tree = as_tree(tree)
    records = {}
    for position, means in _means(tree, _proof_of(game, tree, state)).items():
        n, scores = tree[position]
        rounded = [round(mean * GRID) / GRID for mean in means]
        # A record with these means, up to rounding, stays as it is.
        if n and rounded != [round(score / n * GRID) / GRID for score in scores]:
            records[position] = Record(n, tuple([n * mean for mean in rounded]))
    return with_records(tree, records)


# The positions that are settled


class _Proof(NamedTuple, Generic[S, E]):
    """The positions of a tree that follow from a first one, and the worth of the settled ones."""

    game: Game[S, E]
    turns: dict[S, tuple[int, list[tuple[int, Sequence[S]]]]]
    """For each position, children first: the player to move, and the moves after each event with
    the number of times that it is listed. The events that end the game count as one."""
    worths: dict[S, Values]
    is_enough: bool
    """The value of `_is_enough`."""


def _proof_of(game: Game[S, E], tree: Tree[S], state: S) -> _Proof[S, E]:
    """The positions that follow from `state` in `tree`, with their turns and worths."""
    if game.hidden is not None:
        raise ValueError(
            "`game` must have no hidden information, because a player cannot know the worth of a "
            f"position that it does not see; got {game.name}."
        )
    proof: _Proof[S, E] = _Proof(game, {}, {}, _is_enough(game))
    read, turns = dict(tree.items()).get, {}

    def children(game: Game[S, E], position: S) -> Iterator[S]:
        is_few = len(game.chances(position)) <= MOST_EVENTS
        all_ways = [(n, turn.moves) for n, turn in turns_of(game, position)] if is_few else []
        ways = [(n, moves) for n, moves in all_ways if moves]
        ends = sum([n for n, moves in all_ways if not moves])
        turns[position] = game.to_move(position), [*ways, (ends, ())] if ends else ways
        return (move for _, moves in ways for move in moves if read(move) is not None)

    for position in positions(game, state, skip=lambda at: read(at) is None, after=children):
        proof.turns[position] = turns[position]
        worths = [(n, _worth_of(proof, position, moves)) for n, moves in turns[position][1]]
        if worths and all(worth for _, worth in worths):
            proof.worths[position] = mean_of([(n, worth) for n, worth in worths if worth])
    return proof


def _is_enough(game: Game[S, E]) -> bool:
    """True if the highest score of one player decides the scores of all others."""
    low, high = map(Fraction, game.score_range)
    others = game.players - 1
    rest = None if game.score_sum is None else Fraction(game.score_sum) - high
    return not others or (rest is not None and (others == 1 or rest == others * low))


def _worth_of(proof: _Proof[S, E], position: S, moves: Sequence[S]) -> Values | None:
    """The worth of `position` after an event with these `moves`; None if it is not settled.

    It is the worth of the best move, the first of equal ones. It is settled if all moves are, or if
    the best move has the highest score. Then best play takes the first such move, so the moves
    before it must be settled too, unless `is_enough`.
    """
    if not moves:
        return end_value(proof.game, position)
    player, worths = proof.turns[position][0], list(map(proof.worths.get, moves))
    best = max(filter(None, worths), key=itemgetter(player), default=None)
    if best is not None and best[player] == proof.game.score_range[1]:
        return None if not proof.is_enough and None in worths[: worths.index(best)] else best
    return None if None in worths else best


# Means


def _means(tree: Tree[S], proof: _Proof[S, E]) -> dict[S, Scores]:
    """The means of each position that is settled, has visits, or has a child with means."""
    means: dict[S, Scores] = {at: tuple(map(float, worth)) for at, worth in proof.worths.items()}
    for position in proof.turns:
        if position not in means:
            n, scores = tree[position]
            children = _from_children(proof, position, means)
            if averages := children or tuple([score / n for score in scores if n]):
                means[position] = averages
    return means


def _from_children(proof: _Proof[S, E], position: S, means: Mapping[S, Scores]) -> Scores:
    """The means of `position` from those of its children; () if it has no child with means."""
    game, (player, turns) = proof.game, proof.turns[position]
    sums, total, is_leaf = [0.0] * game.players, 0, True
    for n, moves in turns:
        choices = [means[move] for move in moves if move in means]
        if moves and not choices:
            continue
        is_leaf = is_leaf and not choices
        best = max(choices, key=itemgetter(player)) if choices else game.result(position)
        total += n
        sums = [points + n * mean for points, mean in zip(sums, best, strict=True)]
    return () if is_leaf else tuple([points / total for points in sums])


GRID = 2.0**32
"""Means that are backed up are multiples of 1 / `GRID`.

Then n times a mean, divided by n, is this mean again. So equal moves stay equal, and the first of
them is played, not the one that rounding favours.
"""
