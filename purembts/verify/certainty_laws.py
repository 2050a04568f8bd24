"""Laws of the certain worths in a tree, like those of `proving.settled`, and of certain ranges.

The functions need not come from this library. `settled(tree, state)` returns a map from positions
to their certain worths, and `certain_range(tree, state)` one to pairs of the lowest and the highest
values. `partial(proving.settled, game)` has the first form.

A tree is a map from positions to records. The rules are a `Game` without hidden information. It
must be small: all its positions are visited, and `exact.solver` has the right answers.

`check_settled` and `check_certain_range` check all laws of one function. A broken law is an
AssertionError. Its message has the law, the case that breaks it, and the right answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from random import Random
from typing import Any, TypeAlias

from purembts.chance import shuffled
from purembts.checks import brief
from purembts.exact import solver
from purembts.fast.engine import strides
from purembts.game import E, Game, S, Values, playout
from purembts.mcts import merge_trees
from purembts.positions import children, positions
from purembts.proving import settle_strides
from purembts.proving import settled as right_settled
from purembts.records import Record, Tree, as_tree, rounding
from purembts.verify.keeping import kept
from purembts.verify.search_laws import broken, is_contest

Fold: TypeAlias = Callable[[Any, S], Any]
"""A function from a tree and a position to knowledge about the positions from there on."""


# All laws


def check_settled(settled: Fold[S], game: Game[S, E], start: S, *, seed: int = 7) -> None:
    """Check all laws of certain worths, in trees that are grown from `seed`."""
    grown = chains(game, start, seed=seed)
    for tree in each_of(grown):
        check_worths(settled, game, tree, start)
        check_follows(settled, game, tree, start)
        check_rules_alone(settled, tree, start, other_records(game, tree, seed))
    for old, new in growing(grown):
        check_keeps(settled, old, new, start)
    check_whole(settled, game, start)


def check_certain_range(
    certain_range: Fold[S], game: Game[S, E], start: S, *, seed: int = 7
) -> None:
    """Check all laws of certain ranges, in trees that are grown from `seed`."""
    grown = chains(game, start, seed=seed)
    for tree in each_of(grown):
        check_contains(certain_range, game, tree, start)
        check_limits(certain_range, game, tree, start)
        check_points(certain_range, game, tree, start)
        check_ends_add_up(certain_range, game, tree, start)
        check_rules_alone(certain_range, tree, start, other_records(game, tree, seed))
    for old, new in growing(grown):
        check_narrows(certain_range, old, new, start)


# Trees


def chains(game: Game[S, E], start: S, *, dives: int = 16, seed: int = 7) -> list[list[Tree[S]]]:
    """Lists of trees that grow: by a search, by `settle`, and by positions in a random order.

    The searches have 0, 1, 2, 4, ... dives, and `dives` at most. The last list ends with a tree of
    all positions.
    """
    lengths = [1 << max(i - 1, 0) for i in range(dives.bit_length())]
    grown: list[list[Tree[S]]] = [
        list(islice(strides(game, {}, start, lengths, Random(seed)), len(lengths) + 1))
    ]
    for remember in (1, 3, None):
        trees = settle_strides(game, {}, start, 1, Random(seed), remember=remember)
        some = [tree for i, tree in enumerate(islice(trees, dives + 1)) if not i & (i - 1)]
        grown.append(some)
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


@kept
def exactly(game: Game[S, E]) -> Callable[[S], Values]:
    """The solver of `game`, which keeps its values."""
    return solver(game)


# Certain worths


def check_worths(settled: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """A settled worth is the exact value, of a position that the tree has."""
    for state, worth in settled(tree, start).items():
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


def check_follows(settled: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """A position is settled if its best move is certain after every event."""
    certain = settled(tree, start)
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


def check_keeps(settled: Fold[S], old: Tree[S], new: Tree[S], start: S) -> None:
    """A settled position of a tree is settled in each tree of more dives, and in each merge."""
    before, after = settled(old, start), settled(new, start)
    for state in before:
        if after.get(state) != before[state]:
            raise broken(
                "A settled position must stay settled when dives are added.",
                f"{brief(state)} is settled in a tree of {len(old)} positions. In one of {len(new)}"
                f", which has these too, its worth is {as_text(after.get(state, ()))}.",
                f"Right is {as_text(before[state])}.",
            )


def check_whole(settled: Fold[S], game: Game[S, E], start: S) -> None:
    """Every position is settled in the tree of all positions."""
    whole = as_tree(dict.fromkeys(positions(game, start), Record(1, (0,) * game.players)))
    certain = settled(whole, start)
    for state in positions(game, start):
        if state not in certain:
            raise broken(
                "Every position must be settled in the tree of all positions.",
                f"{brief(state)} is not.",
                f"Its worth is {as_text(exactly(game)(state))}.",
            )


def check_rules_alone(fold: Fold[S], tree: Tree[S], start: S, other: Tree[S]) -> None:
    """All that is certain follows from the rules and the positions, and from no result."""
    one, two = fold(tree, start), fold(other, start)
    for state in {**dict(one.items()), **dict(two.items())}:
        if one.get(state) != two.get(state):
            raise broken(
                "All that is certain must follow from the positions of a tree, not from results.",
                f"With other records, {brief(state)} has {as_text(two.get(state))}.",
                f"Before, it was {as_text(one.get(state))}.",
            )


# Certain ranges


def check_contains(certain_range: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """Each position of the tree has a range, within the range of scores, with its exact value."""
    ranges, (least, most) = certain_range(tree, start), game.score_range
    for state in reached(game, tree, start):
        low, high = ranges.get(state, ((), ()))
        value = exactly(game)(state)
        inside = len(low) == len(high) == game.players and all(
            least <= a <= b <= c <= most for a, b, c in zip(low, value, high, strict=True)
        )
        if not inside:
            raise broken(
                "A certain range must be within that of the scores, and have the exact value.",
                f"The range of {brief(state)} is from {as_text(low)} to {as_text(high)}.",
                f"The exact value is {as_text(value)}.",
            )


def check_limits(certain_range: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """A range is no wider than those of its moves allow, and that of scores if nothing is known.

    The player to move gets at least the highest of the lowest values of the moves, and at most the
    highest of the highest values. Where nothing is known, the sum of the scores alone can make a
    range narrower.
    """
    ranges = certain_range(tree, start)
    for state in reached(game, tree, start):
        low, high = ranges[state]
        lows, highs = _widest(game, ranges, state)
        if not _is_within((low, high), (lows, highs)):
            raise broken(
                "A certain range must be no wider than those of its moves allow.",
                f"The range of {brief(state)} is from {as_text(low)} to {as_text(high)}.",
                f"It is at most from {as_text(lows)} to {as_text(highs)}.",
            )
        unknown = _unknown(game)
        if _knows_nothing(game, ranges, state) and not _is_within(unknown, (low, high)):
            raise broken(
                "Where nothing is known, a certain range must be that of the scores.",
                f"The range of {brief(state)} is from {as_text(low)} to {as_text(high)}.",
                f"Right is from {as_text(unknown[0])} to {as_text(unknown[1])}.",
            )


def _knows_nothing(game: Game[S, E], ranges: Mapping[S, Any], state: S) -> bool:
    can_end = not all(game.moves(state, event) for event in game.chances(state))
    return not can_end and not any(move in ranges for move in children(game, state))


def _widest(game: Game[S, E], ranges: Mapping[S, Any], state: S) -> Any:  # noqa: ANN401
    """The mean over the events of the widest range that the ranges of the moves allow."""
    unknown = tuple([(bound,) * game.players for bound in game.score_range])
    lows, highs = [], []
    events = game.chances(state)
    for event in events:
        moves = game.moves(state, event)
        ends = [ranges.get(move, unknown) for move in moves] or [(game.result(state),) * 2]
        low = [min(column) for column in zip(*[each[0] for each in ends], strict=True)]
        if moves:
            player = game.to_move(state)
            low[player] = max([each[0][player] for each in ends])
        lows.append(low)
        highs.append([max(column) for column in zip(*[each[1] for each in ends], strict=True)])
    return tuple(
        tuple([sum(map(Fraction, column)) / len(events) for column in zip(*rows, strict=True)])
        for rows in (lows, highs)
    )


def _unknown(game: Game[S, E]) -> tuple[Values, Values]:
    """The range of scores, without those that leave too much or too little for the others."""
    low, high = map(Fraction, game.score_range)
    if game.score_sum is not None:
        total, others = Fraction(game.score_sum), game.players - 1
        low, high = max(low, total - others * high), min(high, total - others * low)
    return (low,) * game.players, (high,) * game.players


def _is_within(inner: Any, outer: Any) -> bool:  # noqa: ANN401
    """True if the range `inner` is within `outer`."""
    return all(
        a <= b <= c <= d for a, b, c, d in zip(outer[0], inner[0], inner[1], outer[1], strict=True)
    )


def check_points(certain_range: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """The range of a settled position is a point."""
    ranges = certain_range(tree, start)
    for state, worth in right_settled(game, tree, start).items():
        low, high = ranges[state]
        if not tuple(low) == tuple(high) == worth:
            raise broken(
                "The certain range of a settled position must be a point.",
                f"The range of {brief(state)} is from {as_text(low)} to {as_text(high)}.",
                f"The worth is {as_text(worth)}.",
            )


def check_ends_add_up(certain_range: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """For two players with a constant sum, the highest value of one leaves the other the lowest.

    This holds up to the rounding of scores.
    """
    if game.players != 2 or game.score_sum is None:
        return
    total, ranges = Fraction(game.score_sum), certain_range(tree, start)
    error = rounding(2, game.score_range)
    for state in reached(game, tree, start):
        low, high = ranges[state]
        right = tuple([total - value for value in reversed(low)])
        if any(abs(a - b) > error for a, b in zip(high, right, strict=True)):
            raise broken(
                "The ends of a range for two players must add up to the sum of the scores.",
                f"The range of {brief(state)} is from {as_text(low)} to {as_text(high)}.",
                f"The highest values must be {as_text(right)}.",
            )


def check_narrows(certain_range: Fold[S], old: Tree[S], new: Tree[S], start: S) -> None:
    """No range becomes wider when dives are added."""
    before, after = certain_range(old, start), certain_range(new, start)
    for state, wide in before.items():
        if state not in after or not _is_within(after[state], wide):
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
