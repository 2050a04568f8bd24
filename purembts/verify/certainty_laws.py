"""Laws of the certain worths in a tree, like those of `proving.settled`, and of certain ranges.

The functions need not come from this library: `partial(proving.settled, game)` has their form. The
game must be small and without hidden information: `exact.solver` has the right answers.

A broken law is an AssertionError with the law, the case that breaks it, and the right answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from random import Random
from typing import Any, TypeAlias

from purembts.chance import shuffled
from purembts.checks import brief
from purembts.fast.engine import strides
from purembts.game import E, Game, S, playout
from purembts.mcts import merge_trees
from purembts.positions import children, positions
from purembts.proving import settle_strides
from purembts.proving import settled as right_settled
from purembts.records import Record, Tree, as_tree, rounding
from purembts.verify.laws import Ends, broken, can_end, exactly, is_contest, is_within, mean_range

Fold: TypeAlias = Callable[[Any, S], Any]
"""A function from a tree and a position to knowledge about the positions from there on."""


# All laws


def check_settled(settled: Fold[S], game: Game[S, E], start: S, *, seed: int = 7) -> None:
    """Check all laws of certain worths, in trees that are grown from `seed`."""
    grown = chains(game, start, seed=seed)
    for tree in each_of(grown):
        certain = settled(tree, start)
        _check_worths(game, tree, certain)
        _check_follows(game, tree, start, certain)
        _check_rules_alone(certain, settled(other_records(game, tree, seed), start))
    for old, new in growing(grown):
        _check_keeps(old, new, settled(old, start), settled(new, start))


def check_certain_range(
    certain_range: Fold[S], game: Game[S, E], start: S, *, seed: int = 7
) -> None:
    """Check all laws of certain ranges, in trees that are grown from `seed`."""
    grown = chains(game, start, seed=seed)
    for tree in each_of(grown):
        ranges, places = certain_range(tree, start), reached(game, tree, start)
        for law in (_check_contains, _check_limits, _check_unknown, _check_ends):
            for state in places:
                law(game, ranges, state)
        _check_points(ranges, right_settled(game, tree, start))
        _check_rules_alone(ranges, certain_range(other_records(game, tree, seed), start))
    for old, new in growing(grown):
        _check_narrows(old, new, certain_range(old, start), certain_range(new, start))


def _check_rules_alone(one: Mapping[S, Any], two: Mapping[S, Any]) -> None:
    """A law of certain worths, and of certain ranges."""
    for state in {**dict(one.items()), **dict(two.items())}:
        if one.get(state) != two.get(state):
            raise broken(
                "All that is certain must follow from the positions of a tree, not from results.",
                f"With other records, {brief(state)} has {as_text(two.get(state))}.",
                f"Before, it was {as_text(one.get(state))}.",
            )


# Trees


def chains(game: Game[S, E], start: S, *, seed: int = 7) -> list[list[Tree[S]]]:
    """Lists of trees that grow: by a search, by `settle`, and by positions in a random order.

    The searches have 0, 1, 2, 4, 8 and 16 dives. The last list ends with a tree of all positions.
    """
    grown = [list(islice(strides(game, {}, start, (1, 1, 2, 4, 8), Random(seed)), 6))]
    for remember in (1, 3, None):
        trees = settle_strides(game, {}, start, 1, Random(seed), remember=remember)
        grown.append([tree for i, tree in enumerate(islice(trees, 17)) if i in (0, 1, 2, 4, 8, 16)])
    rng = Random(seed)
    *others, _ = positions(game, start)
    made_up = {state: _made_up(game, state, rng) for state in (start, *shuffled(others, rng))}
    sizes = sorted({1 + len(others) * k // 6 for k in range(7)})
    return [*grown, [as_tree(dict(islice(made_up.items(), n))) for n in sizes]]


def _made_up(game: Game[S, E], state: S, rng: Random) -> Record:
    """The record of 1 to 9 games from `state` that all end alike."""
    n, result = 1 + int(rng.random() * 9), playout(game, state, rng)
    return Record(n, tuple([n * score for score in result]))


def other_records(game: Game[S, E], tree: Tree[S], seed: int) -> Tree[S]:
    """A tree of the same positions with other results."""
    rng = Random(f"{seed}/other")
    return as_tree({state: _made_up(game, state, rng) for state, _ in tree.items()})


def each_of(chains: Sequence[Sequence[Tree[S]]]) -> list[Tree[S]]:
    """The trees of `chains`, each of them once."""
    different: list[Tree[S]] = []
    for chain in chains:
        different += [tree for tree in chain if tree not in different]
    return different


def growing(chains: Sequence[Sequence[Tree[S]]]) -> Iterator[tuple[Tree[S], Tree[S]]]:
    """Pairs of a tree and one with more dives: the next of its chain, or the merge with another."""
    for chain in chains:
        yield from pairwise(chain)
    for one, other in pairwise(chain[len(chain) // 2] for chain in chains):
        yield one, merge_trees(one, other)
        yield other, merge_trees(one, other)


def reached(game: Game[S, E], tree: Any, start: S) -> list[S]:  # noqa: ANN401
    """The positions of `tree` from `start` on that are reached through its positions."""
    return list(positions(game, start, skip=lambda state: tree.get(state) is None))


# Certain worths


def _check_worths(game: Game[S, E], tree: Tree[S], certain: Mapping[S, Any]) -> None:
    for state, worth in certain.items():
        if tree.get(state) is None:
            raise broken(
                "A settled position must be one of the tree.",
                f"In a tree of {len(tree)} positions, {brief(state)} is settled.",
                "The tree does not have it.",
            )
        if tuple(worth) != (right := exactly(game)(state)):
            raise broken(
                "A settled worth must be the exact value.",
                f"In a tree of {len(tree)} positions, that of {brief(state)} is {as_text(worth)}.",
                f"Right is {as_text(right)}.",
            )


def _check_follows(game: Game[S, E], tree: Tree[S], start: S, certain: Mapping[S, Any]) -> None:
    """So every position is settled in a tree of all positions."""
    for state in reached(game, tree, start):
        if state not in certain and not open_events(game, certain, state):
            raise broken(
                "A position must be settled if its best move is certain after every event.",
                f"In a tree of {len(tree)} positions, {brief(state)} is not settled.",
                f"Its worth is certain: {as_text(exactly(game)(state))}.",
            )


def open_events(game: Game[S, E], certain: Mapping[S, Any], state: S) -> list[E]:
    """The events at `state` after which the best move is not certain."""
    events = dict.fromkeys(game.chances(state))
    return [event for event in events if not _is_certain(game, certain, state, event)]


def _is_certain(game: Game[S, E], certain: Mapping[S, Any], state: S, event: E) -> bool:
    """True if the best move is certain: all moves are, or one has the highest score there is.

    The moves before that one must be certain if its player does not decide the others' scores.
    """
    moves = game.moves(state, event)
    if all(move in certain for move in moves):
        return True
    player, (low, high) = game.to_move(state), game.score_range
    decides = is_contest(game) or game.score_sum == high + (game.players - 1) * low
    wins = [move in certain and certain[move][player] == high for move in moves]
    return any(wins) and (decides or all(move in certain for move in moves[: wins.index(True)]))


def _check_keeps(
    old: Tree[S], new: Tree[S], before: Mapping[S, Any], after: Mapping[S, Any]
) -> None:
    for state in before:
        if after.get(state) != before[state]:
            raise broken(
                "A settled position must stay settled when dives are added.",
                f"{brief(state)} is settled in a tree of {len(old)} positions. In one of {len(new)}"
                f", which has these too, its worth is {as_text(after.get(state, ()))}.",
                f"Right is {as_text(before[state])}.",
            )


# Certain ranges


def _check_contains(game: Game[S, E], ranges: Mapping[S, Any], state: S) -> None:
    low, high = ranges.get(state, ((), ()))
    value = exactly(game)(state)
    if not len(low) == len(high) == game.players or not (
        is_within((low, high), _scores(game)) and is_within((value, value), (low, high))
    ):
        raise broken(
            "A certain range must be within that of the scores, and have the exact value.",
            _range(state, (low, high)),
            f"The exact value is {as_text(value)}.",
        )


def _scores(game: Game[S, E]) -> Ends:
    low, high = game.score_range
    return (low,) * game.players, (high,) * game.players


def _range(state: S, ends: Ends) -> str:
    return f"The range of {brief(state)} is {_from(ends)}."


def _from(ends: Ends) -> str:
    return f"from {as_text(ends[0])} to {as_text(ends[1])}"


def _check_limits(game: Game[S, E], ranges: Mapping[S, Any], state: S) -> None:
    """The player to move gets at least the highest of the lowest values of the moves."""
    widest = mean_range([_widest(game, ranges, state, event) for event in game.chances(state)])
    if not is_within(ranges[state], widest):
        raise broken(
            "A certain range must be no wider than those of its moves allow.",
            _range(state, ranges[state]),
            f"It is at most {_from(widest)}.",
        )


def _widest(game: Game[S, E], ranges: Mapping[S, Any], state: S, event: E) -> Ends:
    """The widest range after an event that the ranges of the moves allow."""
    moves = game.moves(state, event)
    ends = [ranges.get(move, _scores(game)) for move in moves] or [(game.result(state),) * 2]
    lows, highs = [list(zip(*rows, strict=True)) for rows in zip(*ends, strict=True)]
    low = list(map(min, lows))
    if moves:
        player = game.to_move(state)
        low[player] = max(lows[player])
    return list(map(Fraction, low)), [Fraction(max(column)) for column in highs]


def _check_unknown(game: Game[S, E], ranges: Mapping[S, Any], state: S) -> None:
    """The sum of the scores alone can make a range narrower."""
    if any(move in ranges for move in children(game, state)) or can_end(game, state):
        return
    low, high = map(Fraction, game.score_range)
    if game.score_sum is not None:
        total, others = Fraction(game.score_sum), game.players - 1
        low, high = max(low, total - others * high), min(high, total - others * low)
    unknown = ((low,) * game.players, (high,) * game.players)
    if not is_within(unknown, ranges[state]):
        raise broken(
            "Where nothing is known, a certain range must be that of the scores.",
            _range(state, ranges[state]),
            f"Right is {_from(unknown)}.",
        )


def _check_ends(game: Game[S, E], ranges: Mapping[S, Any], state: S) -> None:
    """The highest value of one player leaves the other one the lowest, up to rounding."""
    if game.players != 2 or game.score_sum is None:
        return
    low, high = ranges[state]
    right = tuple([Fraction(game.score_sum) - value for value in reversed(low)])
    if not is_within((high, high), (right, right), rounding(2, game.score_range)):
        raise broken(
            "The ends of a range for two players must add up to the sum of the scores.",
            _range(state, ranges[state]),
            f"The highest values must be {as_text(right)}.",
        )


def _check_points(ranges: Mapping[S, Any], certain: Mapping[S, Any]) -> None:
    for state, worth in certain.items():
        if not all(tuple(end) == worth for end in ranges[state]):
            raise broken(
                "The certain range of a settled position must be a point.",
                _range(state, ranges[state]),
                f"The worth is {as_text(worth)}.",
            )


def _check_narrows(
    old: Tree[S], new: Tree[S], before: Mapping[S, Any], after: Mapping[S, Any]
) -> None:
    for state, wide in before.items():
        if state not in after or not is_within(after[state], wide):
            raise broken(
                "A certain range must become no wider when dives are added.",
                f"In a tree of {len(new)} positions, {brief(state)} has the range "
                f"{as_text(after.get(state))}.",
                f"In one of {len(old)} of these positions, it was {as_text(wide)}.",
            )


def as_text(values: Any) -> str:  # noqa: ANN401
    """Values without the words of Fraction: `(1/2, 1)`."""
    if isinstance(values, tuple):
        return f"({', '.join(map(as_text, values))})"
    return str(values)
