"""The law of certain worths and ranges in a tree: they are those of the plain definitions here.

`certain_worths` and `certain_ranges` are the definitions of `proving.settled` and of
`proving.certain_range`, for small games without hidden information. The functions that are checked
need not come from this library: `partial(proving.settled, game)` has their form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from operator import le
from random import Random
from typing import Any, TypeAlias

from purembts.chance import shuffled
from purembts.checks import brief
from purembts.fast.engine import strides
from purembts.game import E, Game, S, Values, playout
from purembts.positions import positions
from purembts.proving import settle_strides
from purembts.records import Record, Tree, as_tree
from purembts.verify.certificates import certain_after, certain_worth
from purembts.verify.laws import Ends, as_text, broken, mean_range

Fold: TypeAlias = Callable[[Any, S], Any]
"""A function from a tree and a position to knowledge about the positions from there on."""
AnyTree: TypeAlias = Tree[S] | dict[S, Record]


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


# The law


def check_settled(settled: Fold[S], game: Game[S, E], start: S, *, seed: int = 7) -> None:
    """Check that `settled` is `certain_worths`, in trees that are grown from `seed`."""
    for tree in each_of(chains(game, start, seed=seed)):
        _check_equal("worth", tree, settled(tree, start), certain_worths(game, tree, start))


def check_certain_range(
    certain_range: Fold[S], game: Game[S, E], start: S, *, seed: int = 7
) -> None:
    """Check that `certain_range` is `certain_ranges`, in trees that are grown from `seed`."""
    for tree in each_of(chains(game, start, seed=seed)):
        _check_equal("range", tree, certain_range(tree, start), certain_ranges(game, tree, start))


def _check_equal(what: str, tree: Tree[S], found: Mapping[S, Any], right: Mapping[S, Any]) -> None:
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


# Trees


DIVES = (1, 1, 2, 4, 8)
"""The dives from each tree of a search to the next one."""


def chains(game: Game[S, E], start: S, *, seed: int = 7) -> list[list[Tree[S]]]:
    """Lists of trees that grow: by a search, by `settle`, and by positions in a random order.

    The last list ends with a tree of all positions.
    """
    grown = [list(strides(game, {}, start, DIVES, Random(seed)))]
    for remember in (1, 3, None):
        trees = settle_strides(game, {}, start, DIVES, Random(seed), remember=remember)
        grown.append(list(trees))
    rng = Random(seed)
    *others, _ = positions(game, start)
    made_up = {state: _made_up(game, state, rng) for state in (start, *shuffled(others, rng))}
    sizes = sorted({1 + len(others) * k // 6 for k in range(7)})
    return [*grown, [as_tree(dict(islice(made_up.items(), n))) for n in sizes]]


def _made_up(game: Game[S, E], state: S, rng: Random) -> Record:
    """The record of 1 to 9 games from `state` that all end alike."""
    n, result = 1 + int(rng.random() * 9), playout(game, state, rng)
    return Record(n, tuple([n * score for score in result]))


def each_of(chains: Sequence[Sequence[Tree[S]]]) -> list[Tree[S]]:
    """The trees of `chains`, each of them once."""
    different: list[Tree[S]] = []
    for chain in chains:
        different += [tree for tree in chain if tree not in different]
    return different


def reached(game: Game[S, E], tree: AnyTree[S], start: S) -> list[S]:
    """The positions of `tree` from `start` on that are reached through its positions."""
    return list(positions(game, start, skip=lambda state: tree.get(state) is None))
