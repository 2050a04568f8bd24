"""Learning curves, made fast: the positions of a small game by numbers, and values in floats.

`curves.trials_of` is the specification: `exact.solver` with `mcts.learnt` that of `value`, and
`proving.backed_up` that of `backed_up_ranks`. A value is that of the player who begins. The others
play best against it.
"""

from __future__ import annotations

import builtins
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, islice, pairwise
from math import inf
from random import Random
from typing import Any, NamedTuple, TypeAlias

from purembts import curves as plain
from purembts.bounds import AnyBound
from purembts.curves import BOUNDS, Curves, Reading, Trials, curves_of
from purembts.exact import turns_of
from purembts.executors import Executor
from purembts.fast.compiled import loops_in_use
from purembts.fast.engine import strides
from purembts.game import E, Game, S, start_of
from purembts.guards import explained
from purembts.mcts import Final
from purembts.positions import positions
from purembts.proving import GRID
from purembts.records import Tree, mean


@explained
def curves(
    game: Game[S, E],
    marks: Iterable[int],
    seeds: int,
    bounds: Mapping[str, AnyBound] = BOUNDS,
    *,
    seed: int | str,
    start: S | None = None,
    final: Final = mean,
    executor: Executor = builtins,
) -> Curves:
    """The learning curves of `curves.curves`, up to rounding, but faster."""
    trials = trials_of(game, marks, bounds, seed=seed, start=start, final=final, seeds=seeds)
    return curves_of(trials, seeds, executor)


@explained
def trials_of(
    game: Game[S, E],
    marks: Iterable[int],
    bounds: Mapping[str, AnyBound],
    *,
    seed: int | str,
    start: S | None = None,
    final: Final = mean,
    seeds: int = 1,
) -> Trials:
    """The trials of `curves.trials_of`, whose readings are made faster."""
    trials = plain.trials_of(game, marks, bounds, seed=seed, start=start, final=final)
    first = start_of(game, start)
    flat, dives = flat_of(game, first), seeds * trials.marks[-1] * len(bounds)
    readings = partial(_readings, game, first, trials.marks, dict(bounds), seed, final, flat, dives)
    return trials._replace(error=flat.error, readings=readings)


def _readings(
    game: Game[S, E],
    start: S,
    marks: Sequence[int],
    bounds: Mapping[str, AnyBound],
    seed: int | str,
    final: Final,
    flat: Flat,
    dives: int,
    i: int,
) -> Iterator[Reading]:
    """The readings of seed i; the search of each bound draws the same random numbers."""
    lengths = [after - before for before, after in pairwise([0, *marks])]
    rngs = [Random(f"{seed}/{i}") for _ in bounds]
    searches = [
        islice(strides(game, {}, start, lengths, rng, bound=bound, total=dives), 1, None)
        for rng, bound in zip(rngs, bounds.values(), strict=True)
    ]
    for trees in zip(*searches, strict=True):
        pairs = zip(bounds, trees, strict=True)
        yield {key: x for name, tree in pairs for key, x in _read(flat, name, tree, final).items()}


def _read(flat: Flat, name: str, tree: Tree[S], final: Final) -> Reading:
    """The value of what `tree` has learnt, and of its means backed up."""
    means = ranks_of(flat, tree)
    ranks = means if final is mean else ranks_of(flat, tree, final)
    backed_up = backed_up_ranks(flat, means)
    return {name: value(flat, ranks), f"{name}, backed up": value(flat, backed_up)}


# Positions by numbers

UNKNOWN = -inf
"""The rank of a position without a record."""
Cells: TypeAlias = Any
"""An array of numbers, or for plain Python a list."""


class Flat(NamedTuple):
    """The positions of a game by numbers, children first. A turn is an event with moves."""

    numbers: dict[Any, int]
    player: int
    """The player of the values, who begins."""
    error: float
    """The largest difference of a `value` from the exact one, by rounding."""
    rows: tuple[Cells, ...]
    """For each position: 1 if the player moves there; the number of its events, and of those that
    end the game; the score of the player times that number; and its first turn. For each turn: how
    often it is listed, and its first move. For each move, its position."""


def flat_of(game: Game[S, E], start: S) -> Flat:
    """The flat positions of `game`, for one player or two with a constant sum, from `start` on."""
    numbers, player = {at: i for i, at in enumerate(positions(game, start))}, game.to_move(start)
    ways = [[(n, turn.moves) for n, turn in turns_of(game, state)] for state in numbers]
    ends = [sum([n for n, moves in row if not moves]) for row in ways]
    points = [n and n * game.result(at)[player] for at, n in zip(numbers, ends, strict=True)]
    turns = [[way for way in row if way[1]] for row in ways]
    turns = [sorted(row, key=lambda way: len(way[1]) > 1) for row in turns]
    lists = [[numbers[move] for move in moves] for row in turns for _, moves in row]
    first_turn = [*accumulate(map(len, turns), initial=0)]
    rows = (
        array("q", [game.to_move(state) == player for state in numbers]),
        array("q", [sum([n for n, _ in row]) for row in ways]),
        array("q", ends),
        array("d", points),
        array("q", first_turn),
        array("q", [n for row in turns for n, _ in row]),
        array("q", accumulate(map(len, lists), initial=0)),
        array("q", chain(*lists)),
    )
    children = [[*chain(*lists[a:b])] for a, b in pairwise(first_turn)]
    return Flat(numbers, player, _rounding(children) * max(map(abs, game.score_range)), rows)


def _rounding(lists: Iterable[Sequence[int]]) -> float:
    """The rounding of a value, added up along the longest game, for scores from -1 to 1.

    Each addition, multiplication and division rounds by at most 2**-53 of its result. `lists` are
    the moves from each position.
    """
    sums: list[float] = []
    for moves in lists:
        below = max([sums[move] for move in moves], default=0.0)
        sums.append(below + (len(moves) + 4) * 2.0**-53)
    return sums[-1]


def ranks_of(flat: Flat, tree: Tree[Any], final: Final = mean) -> Cells:
    """The rank of each position for `mcts.learnt(tree, final=final)`: the highest one is played."""
    player, numbers, means = flat.player, flat.numbers, array("d", [UNKNOWN]) * len(flat.numbers)
    for state, (n, scores) in tree.items():
        means[numbers[state]] = scores[player] / n
    if final is mean:
        return means
    keys = {numbers[state]: final(record, player) for state, record in tree.items()}
    order = {pair: float(i) for i, pair in enumerate(sorted({(keys[i], means[i]) for i in keys}))}
    return array("d", [order[keys[i], x] if i in keys else x for i, x in enumerate(means)])


def value(flat: Flat, ranks: Cells) -> float:
    """The score of the player who plays the first move of the highest rank, from the start on.

    If no move has a rank, all are equally likely. The others play best against it. The value
    differs from the exact one by at most `flat.error`.
    """
    return _filled(fill_values, flat, ranks, array("d", ranks))[-1]  # type: ignore[no-any-return]


def backed_up_ranks(flat: Flat, means: Cells) -> Cells:
    """The means of `proving.backed_up` as the ranks of the positions.

    `means` are the ranks of a tree by its means. All positions of the tree must be reached through
    it, as in that of a search. A settled worth is the mean of settled children.
    """
    n = len(means)
    low, high = array("d", [-inf]) * n, array("d", [inf]) * n
    return _filled(fill_means, flat, means, low, low[:], high)


def _filled(loop: Callable[..., None], flat: Flat, *columns: Cells) -> Cells:
    """The second of `columns` after `loop`, compiled if numba has started.

    Plain Python is faster on lists than on arrays.
    """
    rows = *flat.rows, *columns
    if kernel := loops_in_use():
        kernel.COMPILED[loop](*rows)
        return columns[1]
    lists = [row.tolist() for row in rows]
    loop(*lists)
    return array("d", lists[len(flat.rows) + 1])


def fill_values(
    is_mover: Cells, events: Cells, ends: Cells, points: Cells, first_turn: Cells, times: Cells,  # noqa: ARG001
    first_move: Cells, moves: Cells, ranks: Cells, values: Cells,
) -> None:  # fmt: skip
    """Fill `values` with the values of the positions."""
    for p in range(len(events)):
        total, chooses = points[p], is_mover[p]
        for t in range(first_turn[p], first_turn[p + 1]):
            first, end = first_move[t], first_move[t + 1]
            move = moves[first]
            top, best = ranks[move], values[move]
            for m in range(first + 1, end):
                move = moves[m]
                if (ranks[move] > top) if chooses else (values[move] < best):
                    top, best = ranks[move], values[move]
            if top == UNKNOWN and chooses:
                best = 0.0
                for m in range(first, end):
                    total += times[t] * values[moves[m]] / (end - first)
            total += times[t] * best
        values[p] = total / events[p]


def fill_means(
    is_mover: Cells, events: Cells, ends: Cells, points: Cells, first_turn: Cells, times: Cells,
    first_move: Cells, moves: Cells, means: Cells, ranks: Cells, highest: Cells, lowest: Cells,
) -> None:  # fmt: skip
    """Fill `highest` and `lowest` with the means backed up, -inf and inf where there is none.

    `ranks` gets them on the grid of `proving`, where they differ from `means`.
    """
    for p in range(len(events)):
        if means[p] == UNKNOWN:
            continue
        total, n = points[p], ends[p]
        for t in range(first_turn[p], first_turn[p + 1]):
            best = -inf if is_mover[p] else inf
            for m in range(first_move[t], first_move[t + 1]):
                move = moves[m]
                if is_mover[p]:
                    if highest[move] > best:
                        best = highest[move]
                elif lowest[move] < best:
                    best = lowest[move]
            if -inf < best < inf:
                total += times[t] * best
                n += times[t]
        best = total / n if n > ends[p] else means[p]
        highest[p] = lowest[p] = best
        rounded = round(best * GRID) / GRID
        ranks[p] = means[p] if rounded == round(means[p] * GRID) / GRID else rounded
