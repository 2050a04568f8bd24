"""Flat positions: those of a small game by numbers, and what a tree has learnt on them, in floats.

`exact.solver` with `mcts.learnt` is the specification of `value`, and `proving.backed_up` that of
`backed_up_ranks`. They take about ten times as long. A value is that of the player who begins. The
others play best against it, so a game is for one player, or for two with a constant sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from toolz import concat

from purembts.fast.links import ways_of
from purembts.game import E, Game, S, result_of
from purembts.mcts import Final
from purembts.positions import positions
from purembts.records import Tree, mean

UNKNOWN = -inf
"""The rank of a position without a record."""


class _Spot(NamedTuple):
    """A position of a game. Its moves are numbers of spots, all lower than its own."""

    is_mover: bool
    """True if the player of the values moves here."""
    events: int
    ends: int
    """The number of events that end the game."""
    points: float
    """The score of the player, times that number."""
    forced: tuple[tuple[int, int], ...]
    """For each event with a single move: how often it is listed, and the move."""
    choices: tuple[tuple[int, tuple[int, ...], Callable[[Any], tuple[float, ...]]], ...]
    """For each event with more moves: how often it is listed, its moves, and their getter."""


class Flat(NamedTuple):
    """The spots of a game, children first, and the number of each position."""

    numbers: dict[Any, int]
    spots: tuple[_Spot, ...]
    player: int
    """The player of the values, who begins."""
    error: float
    """The largest difference of a `value` from the exact one, by rounding."""


def flat_of(game: Game[S, E], start: S) -> Flat:
    """The flat positions of `game` from `start` on."""
    if game.players > 2 or (game.players == 2 and game.score_sum is None):
        right = "a game for one player, or for two with a constant sum of scores"
        raise ValueError(f"`game` must be {right}; got {game.name}.")
    numbers = {state: i for i, state in enumerate(positions(game, start))}
    player = game.to_move(start)
    spots = tuple([_spot(game, numbers, state, player) for state in numbers])
    return Flat(numbers, spots, player, _rounding(spots) * max(map(abs, game.score_range)))


def _spot(game: Game[S, E], numbers: dict[S, int], state: S, player: int) -> _Spot:
    """The spot of `state`, where `player` is that of the values."""
    ways = ways_of(game, state)
    turns = [(n, tuple([numbers[move] for move in moves])) for n, moves in ways if moves]
    ends = sum([n for n, moves in ways if not moves])
    return _Spot(
        game.to_move(state) == player,
        sum([n for n, _ in ways]),
        ends,
        ends * result_of(game, state)[player] if ends else 0.0,
        tuple([(n, moves[0]) for n, moves in turns if len(moves) == 1]),
        tuple([(n, moves, itemgetter(*moves)) for n, moves in turns if len(moves) > 1]),
    )


def _rounding(spots: Sequence[_Spot]) -> float:
    """The rounding of a value, added up along the longest game, for scores from -1 to 1.

    Each addition, multiplication and division rounds by at most 2**-53 of its result.
    """
    sums: list[float] = []
    for spot in spots:
        moves = [*[move for _, move in spot.forced], *concat(moves for _, moves, _ in spot.choices)]
        below = max([sums[move] for move in moves], default=0.0)
        sums.append(below + (len(moves) + 4) * 2.0**-53)
    return sums[-1]


def ranks_of(flat: Flat, tree: Tree[Any], final: Final = mean) -> list[float]:
    """The rank of each spot for `mcts.learnt(tree, final=final)`: the highest one is played."""
    player, means = flat.player, [UNKNOWN] * len(flat.spots)
    for state, (n, scores) in tree.items():
        means[flat.numbers[state]] = scores[player] / n
    if final is mean:
        return means
    keys = {flat.numbers[state]: final(record, player) for state, record in tree.items()}
    order = {pair: float(i) for i, pair in enumerate(sorted({(keys[i], means[i]) for i in keys}))}
    return [order[keys[i], x] if i in keys else UNKNOWN for i, x in enumerate(means)]


def value(flat: Flat, ranks: Sequence[float]) -> float:
    """The score of the player who plays the first move of the highest rank, from the last spot on.

    If no move has a rank, all are equally likely. The others play best against it. The value
    differs from the exact one by at most `flat.error`.
    """
    values: list[float] = []
    for is_mover, events, _, points, forced, choices in flat.spots:
        for n, move in forced:
            points += n * values[move]
        for n, moves, get in choices:
            if not is_mover:
                points += n * min(get(values))
                continue
            move_ranks = get(ranks)
            best = max(move_ranks)
            if best > UNKNOWN:
                points += n * values[moves[move_ranks.index(best)]]
            else:
                for move in moves:
                    points += n * values[move] / len(moves)
        values.append(points / events)
    return values[-1]


def backed_up_ranks(flat: Flat, means: Sequence[float]) -> list[float]:
    """The means of `proving.backed_up`, up to rounding, as the ranks of the spots.

    `means` are the ranks of a tree by its means. All positions of the tree must be reached through
    it, as in that of a search. A settled worth is the mean of settled children.
    """
    best, worst = [-inf] * len(means), [inf] * len(means)
    for i, spot in enumerate(flat.spots):
        if means[i] > UNKNOWN:
            best[i] = worst[i] = _mean_of_best(spot, best if spot.is_mover else worst, means[i])
    return best


def _mean_of_best(spot: _Spot, means: Sequence[float], default: float) -> float:
    """The mean of the best moves after each event, of those with means; or else `default`."""
    is_mover, _, events, points, forced, choices = spot
    best = max if is_mover else min
    for n, move in forced:
        if -inf < means[move] < inf:
            points, events = points + n * means[move], events + n
    for n, _, get in choices:
        if -inf < (mean_of_move := best(get(means))) < inf:
            points, events = points + n * mean_of_move, events + n
    return points / events if events > spot.ends else default
