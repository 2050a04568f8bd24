"""Laws of what follows from a tree: certain worths and ranges, better estimates, and dives to them.

`certain_worths` and `certain_ranges` are the plain definitions of `proving.settled` and of
`proving.certain_range`, for small games without hidden information. The functions that are checked
need not come from this library: `partial(proving.settled, game)` has their form. A function of a
tree and a position has knowledge about the positions from there on: `backed_up(tree, state)`
returns a tree, and `robust(tree, state)` a policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from operator import le
from random import Random
from typing import Any, TypeAlias

from pyrsistent import pmap

from purembts.chance import shuffled
from purembts.checks import brief
from purembts.exact import solver
from purembts.fast.engine import strides
from purembts.game import E, Game, S, Values, playout
from purembts.mcts import merge_trees
from purembts.positions import children, positions
from purembts.proving import settle_strides
from purembts.records import NOTHING, Record, Tree, rounding
from purembts.verify.certificates import certain_after, certain_worth
from purembts.verify.laws import (
    Ends,
    Uct,
    as_text,
    best_range,
    broken,
    is_contest,
    is_within,
    mean_range,
    worst_values,
)
from purembts.verify.search_laws import Step, check_dive, line_of, stepped

Fold: TypeAlias = Callable[[Any, S], Any]
"""A function from a tree and a position to knowledge about the positions from there on."""
AnyTree: TypeAlias = Tree[S] | dict[S, Record]
EMPTY: Any = pmap()
"""A tree without positions."""


# The plain definitions


def certain_worths(game: Game[S, E], tree: AnyTree[S], start: S) -> dict[S, Values]:
    """The positions of `tree` from `start` on whose worth is certain, each with its worth.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> certain_worths(last_coin(), {Pile(0, 1): Record(1, (1, 0))}, Pile(0, 1))
    {Pile(coins=0, player=1): (Fraction(1, 1), Fraction(0, 1))}
    """
    worths: dict[S, Values] = {}
    for state in reached(game, tree, start):
        if worth := certain_worth(game, worths, state):
            worths[state] = worth
    return worths


def certain_ranges(game: Game[S, E], tree: AnyTree[S], start: S) -> dict[S, Ends]:
    """The positions of `tree` from `start` on, each with the worths that are still possible.

    `start` has a range also where it is not in the tree.
    """
    worths, ranges = certain_worths(game, tree, start), {start: _scores(game)}
    for state in reached(game, tree, start):
        events = game.chances(state)
        ranges[state] = mean_range([_after(game, worths, ranges, state, each) for each in events])
    return ranges


def _after(
    game: Game[S, E], worths: Mapping[S, Values], ranges: Mapping[S, Ends], state: S, event: E
) -> Ends:
    """The range of `state` after `event`: that of the moves that can be the best one.

    The player to move gets at least the highest of the lowest values of the moves.
    """
    if worth := certain_after(game, worths, state, event):
        return worth, worth
    player = game.to_move(state)
    own = [ranges.get(move, _scores(game)) for move in game.moves(state, event)]
    lowest = max([low[player] for low, _ in own])
    lows, highs = zip(*[each for each in own if each[1][player] >= lowest], strict=True)
    low = [min(column) for column in zip(*lows, strict=True)]
    low[player] = lowest
    return _of_sum(game, low, [max(column) for column in zip(*highs, strict=True)])


def _of_sum(game: Game[S, E], low: Sequence[Any], high: Sequence[Any]) -> Ends:
    """The part of a range in which the values of all players add up to the sum of the scores."""
    if game.score_sum is None:
        return low, high
    pairs, total = list(zip(low, high, strict=True)), Fraction(game.score_sum)
    least = [max(a, total - (sum(high) - b)) for a, b in pairs]
    most = [min(b, total - (sum(low) - a)) for a, b in pairs]
    # Scores such as 0.1 and 0.9 miss their sum by rounding, so the ends may miss each other.
    return (least, most) if all(map(le, least, most)) else (low, high)


def _scores(game: Game[S, E]) -> Ends:
    """The range of a position of which nothing is known."""
    low, high = ((Fraction(score),) * game.players for score in game.score_range)
    return low, high


# Certain worths and ranges


def check_settled(
    settled: Fold[S], game: Game[S, E], start: S, trees: Iterable[AnyTree[S]] | None = None
) -> None:
    """Check that `settled` is `certain_worths`, in `trees`, by default those of `grown_trees`."""
    for tree in trees or grown_trees(game, start):
        _check_equal("worth", tree, settled(tree, start), certain_worths(game, tree, start))


def check_certain_range(
    certain_range: Fold[S], game: Game[S, E], start: S, trees: Iterable[AnyTree[S]] | None = None
) -> None:
    """Check that `certain_range` is `certain_ranges`, in `trees`."""
    for tree in trees or grown_trees(game, start):
        _check_equal("range", tree, certain_range(tree, start), certain_ranges(game, tree, start))


def _check_equal(
    what: str, tree: AnyTree[S], found: Mapping[S, Any], right: Mapping[S, Any]
) -> None:
    """The first position that differs is named, where children come before their parents."""
    for state in {**right, **dict(found.items())}:
        got, must = _as_tuple(found.get(state)), right.get(state)
        if got != must:
            raise broken(
                "All that is certain must follow from the rules and the positions of a tree.",
                f"In a tree of {len(tree)} positions, the {what} of {brief(state)} is "
                f"{'not certain' if got is None else as_text(got)}.",
                f"Right is {as_text(must)}." if must else f"Its {what} is not certain.",
            )


def _as_tuple(value: Any) -> Any:  # noqa: ANN401
    """A worth or a range, of lists or of tuples, in the form of the definitions."""
    return tuple(map(_as_tuple, value)) if isinstance(value, Sequence) else value


# Values backed up


def check_backed_up(
    backed_up: Fold[S], game: Game[S, E], start: S, trees: Iterable[AnyTree[S]] | None = None
) -> None:
    """Check all laws of values that are backed up, in `trees` and once more in their answers."""
    for first in trees or grown_trees(game, start):
        for tree in (first, backed_up(first, start)):
            after, places = backed_up(tree, start), reached(game, tree, start)
            for state in {**dict(tree.items()), **dict(after.items())}:
                _check_kept(state, tree.get(state), after.get(state), state in places)
            _check_means(game, tree, after, certain_worths(game, tree, start), places)


def _check_kept(state: S, old: Record | None, new: Record | None, is_reached: bool) -> None:
    kept = old and new and repr(new) == repr(Record(old.visits, new.scores))
    if not kept or (new != old and not is_reached):
        raise broken(
            "Values that are backed up must keep all visits, and all other positions.",
            f"The record of {brief(state)} was {old}, and is {new}.",
            "It must be the same, as it is not reached."
            if kept
            else f"Right are {(old or NOTHING).visits} visits.",
        )


def _check_means(
    game: Game[S, E],
    tree: AnyTree[S],
    after: Tree[S],
    certain: Mapping[S, Values],
    places: Sequence[S],
) -> None:
    """A mean is the exact worth if it is certain, and else that of the best moves.

    It is the mean over the events whose moves have visits. Without such an event, it stays as it
    was. Best moves with equal values can have different values for the other players, so a value
    between them is right. Each mean is right up to its own rounding.
    """
    for state in places:
        worth = certain.get(state)
        right = (worth, worth) if worth else _right_range(game, tree, after, state)
        error = rounding(len(game.chances(state)) + 4, game.score_range)
        if not after[state].visits or right is None:
            continue
        if not is_within((got := _means(after[state]), got), right, error):
            raise broken(
                "A mean must be that of the best moves, over the events that are known.",
                f"The mean of {brief(state)} is {as_text(got)}.",
                f"Right is from {as_text(right[0])} to {as_text(right[1])}.",
            )


def _right_range(game: Game[S, E], tree: AnyTree[S], after: Tree[S], state: S) -> Ends | None:
    """The lowest and the highest means that are right at `state`; None if they are not known."""
    known = {move: after[move] for move in children(game, state) if move in after}
    if not all(record.visits for record in known.values()):
        return None  # such a move may have a value from its own moves
    if not known:
        return (_means(tree[state]),) * 2
    rows: list[Ends] = []
    for event in game.chances(state):
        moves = game.moves(state, event)
        if means := [_means(known[move]) for move in moves if move in known]:
            rows.append(best_range(means, game.to_move(state), rounding(4, game.score_range)))
        elif not moves:
            rows.append((game.result(state),) * 2)
    return mean_range(rows)


def _means(record: Record) -> tuple[float, ...]:
    return tuple([score / record.visits for score in record.scores])


# The policy


def check_policy(
    robust: Fold[S], game: Game[S, E], start: S, trees: Iterable[AnyTree[S]] | None = None
) -> None:
    """A policy is never worth more than best play, and as much where a tree is settled.

    In a game for one player, or for two with a constant sum, each player meets best replies. In
    another game all follow the policy, and only settled positions are checked.
    """
    for tree in trees or grown_trees(game, start):
        policy, certain = robust(tree, start), certain_worths(game, tree, start)
        gets = worst_values(game, policy) if is_contest(game) else solver(game, policy=policy)
        for state in reached(game, tree, start):
            if (got := gets(state)) != certain.get(state, got):
                raise broken(
                    "A policy must be best play where the tree is settled.",
                    f"At {brief(state)}, which is settled, it is worth {as_text(got)}.",
                    f"Best play is worth {as_text(certain[state])}.",
                )


# Dives


def check_settle(
    settle: Uct[S],
    game: Game[S, E],
    start: S,
    *,
    tree: AnyTree[S] = EMPTY,
    remember: int | None = None,
    seed: int = 7,
) -> None:
    """Check all laws of a dive, in dives into `tree` from `start` until it is settled.

    `remember` is the most new positions of a dive; None if it adds the whole game.
    """
    rng, dives = Random(seed), 0
    while start not in (certain := certain_worths(game, tree, start)):
        dives += 1
        tree, step = stepped(settle, tree, start, rng, f"Dive {dives} with seed {seed}")
        check_dive(game, step)
        _check_open(game, step, certain, remember)
    state = rng.getstate()
    grown, result = settle(tree, start, rng)
    same, draws = grown is tree, rng.getstate() != state
    if not same or draws or tuple(result) != certain[start]:
        raise broken(
            "A dive from a settled position must return the same tree and the worth, and draw "
            "nothing.",
            f"From {brief(start)}, the tree is {'' if same else 'not '}the same, the result is "
            f"{as_text(tuple(result))}, and {'' if draws else 'no '}numbers are drawn.",
            f"The worth is {as_text(certain[start])}.",
        )


def _check_open(
    game: Game[S, E], step: Step[S], certain: Mapping[S, Any], remember: int | None
) -> None:
    """Each dive adds a position, so `start` is settled after finitely many dives."""
    line, new = line_of(game, step), sum(old == NOTHING for old, _ in step.changed.values())
    for state, move in pairwise(line):
        if move not in (left := _open_moves(game, certain, state)):
            raise broken(
                "A dive must leave out moves and events that are certain.",
                f"{step.name} went from {brief(state)} to {brief(move)}.",
                f"Open are {', '.join(map(brief, left))}.",
            )
    most = remember or len(line)
    if not (0 < new <= most) or (new != remember and _open_moves(game, certain, line[-1])):
        raise broken(
            "A dive must add its new positions, as many as it may remember.",
            f"{step.name} added {new} and ended at {brief(line[-1])}.",
            f"Right is {remember or 'at least one'}, or fewer where nothing more is open.",
        )


def _open_moves(game: Game[S, E], certain: Mapping[S, Any], state: S) -> list[S]:
    """The moves that are not certain, after the events whose best move is not."""
    events = [each for each in game.chances(state) if not certain_after(game, certain, state, each)]
    moves = dict.fromkeys(move for event in events for move in game.moves(state, event))
    return [move for move in moves if move not in certain]


# Trees


DIVES = (1, 1, 2, 4, 8)
"""The dives from each tree of a search to the next one."""


def grown_trees(game: Game[S, E], start: S, seed: int = 7) -> list[AnyTree[S]]:
    """Different trees: of a search, of `settle`, of positions in a random order, and merges.

    One of them has all positions. A merge is a dict.
    """
    grown: list[Tree[S]] = [*strides(game, {}, start, DIVES, Random(seed))]
    for remember in (1, 3, None):
        grown += settle_strides(game, {}, start, DIVES, Random(seed), remember=remember)
    rng = Random(seed)
    *others, _ = positions(game, start)
    made_up = {state: _made_up(game, state, rng) for state in (start, *shuffled(others, rng))}
    sizes = [1 + len(others) * k // 6 for k in range(7)]
    grown += [pmap(dict(islice(made_up.items(), n))) for n in sizes]
    merges = [dict(merge_trees(*pair).items()) for pair in pairwise(grown[4::5])]
    trees: list[AnyTree[S]] = [*grown, *merges]
    return [tree for i, tree in enumerate(trees) if tree not in trees[:i]]


def _made_up(game: Game[S, E], state: S, rng: Random) -> Record:
    """The record of 1 to 9 games from `state` that all end alike."""
    n, result = 1 + int(rng.random() * 9), playout(game, state, rng)
    return Record(n, tuple([n * score for score in result]))


def reached(game: Game[S, E], tree: AnyTree[S], start: S) -> list[S]:
    """The positions of `tree` from `start` on that are reached through its positions."""
    return list(positions(game, start, skip=lambda state: tree.get(state) is None))
