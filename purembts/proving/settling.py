"""Knowledge that follows from a tree: certain worths, and better estimates.

A tree is data: the results of games, added up. Its knowledge is computed from it, and never stored
in it. `settled` and `certain_range` use the rules and the positions of a tree, but no result.
`backed_up`, `foreseen` and `robust` use the results as well.

The worth of a position is its exact value for each player if all play best. A position is settled
if its worth is certain, and open if it is not. `settle` is one dive, like that of `mcts.uct`, but
without settled positions. `proofs.settle_search` makes many such dives faster, and gives the same
tree.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from operator import itemgetter, le
from typing import Any, Generic, NamedTuple

from pyrsistent import PMap, pmap

from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng, pick, repeatedly
from purembts.checks import an_rng, at_least_one
from purembts.exact import Whole, as_fractions, as_whole, whole_mean
from purembts.fast.links import turns_of
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    Policy,
    S,
    Turn,
    Values,
    checked_player,
    checked_result,
    endless,
    events_of,
    playout,
    result_of,
    turn_at,
)
from purembts.mcts import Path, backpropagate, best_child, by_rank, first_record
from purembts.positions import positions
from purembts.proving.certainty import Rule, certain_worth, rule_of
from purembts.records import NOTHING, Record, Scores, Tree, as_tree, checked_record, with_records

# The positions of a tree


class _Reached(NamedTuple, Generic[S, E]):
    """The positions of a tree that follow from a first one, with their turns."""

    game: Game[S, E]
    rule: Rule
    turns: dict[S, tuple[int, list[tuple[int, Sequence[S]]]]]
    """For each position, children first: the player to move, and the moves after each event with
    the number of times that it is listed. The events that end the game count as one."""


def _reached(game: Game[S, E], tree: Tree[S], state: S) -> _Reached[S, E]:
    """The positions of `tree` that are reached from `state` through positions of `tree`."""
    rule = rule_of(game)
    read = dict(tree.items()).get if hasattr(tree, "items") else tree.get
    turns: dict[S, tuple[int, list[tuple[int, Sequence[S]]]]] = {}

    def children(game: Game[S, E], position: S) -> Iterator[S]:
        checked_record(read(position))
        kinds, events = turns_of(game, position)
        own = [(times, kinds[i]) for i, times in Counter(events).items() if kinds[i]]
        player = checked_player(game, position) if own else 0
        ended = len(events) - sum([times for times, _ in own])
        turns[position] = player, [*own, (ended, ())] if ended else own
        return iter([move for _, moves in own for move in moves if read(move) is not None])

    known = positions(game, state, skip=lambda each: read(each) is None, after=children)
    return _Reached(game, rule, {each: turns[each] for each in known})


# Certain worths


def settled(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> PMap[S, Values]:
    """The positions of `tree` from `state` on whose worth is certain, each with its worth.

    The worth is the exact value for each player if all play best. A position is certain if the game
    has ended there, or if the best move is certain after every event. The best move is certain if
    all moves are, or if one certainly has the highest score that there is. The value of each event
    is averaged over the known chances. No result in a record is used: only the rules, and the
    positions that `tree` has. Positions that are not reached from `state` through positions of
    `tree` are left out.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(2): Record(1, (0, 1)), Pile(0, 1): Record(1, (1, 0))}
    >>> settled(last_coin(), tree, Pile(2)) == {Pile(2): (1, 0), Pile(0, 1): (1, 0)}
    True
    """
    worths = _worths(_reached(game, as_tree(tree), state))
    return pmap({position: as_fractions(worth) for position, worth in worths.items()})


def _worths(reached: _Reached[S, E]) -> dict[S, Whole]:
    """The worth of each of the positions that are certain."""
    worths: dict[S, Whole] = {}
    for position, (player, turns) in reached.turns.items():
        parts = []
        for times, moves in turns:
            worth = _worth_after(reached, worths, position, player, moves)
            if worth is None:
                break
            parts.append((times, worth))
        else:
            worths[position] = whole_mean(parts)
    return worths


def _worth_after(
    reached: _Reached[S, E],
    worths: dict[S, Whole],
    position: S,
    player: int,
    moves: Sequence[S],
) -> Whole | None:
    """The worth of `position` after an event with these `moves`; None if it is not certain."""
    if len(moves) == 1:
        return worths.get(moves[0])
    if not moves:
        return as_whole(result_of(reached.game, position))
    return certain_worth(reached.rule, [worths.get(move) for move in moves], player)


class Range(NamedTuple):
    """The worth that is still possible: the lowest and the highest value for each player."""

    low: Values
    high: Values


def certain_range(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> PMap[S, Range]:
    """The positions of `tree` from `state` on, each with the range that certainly has its worth.

    `state` has a range also if it is not in `tree`. The ranges follow from the `settled` positions,
    by the rules alone. The range of a settled position is a point. Where nothing is known, it is
    the range of scores of the game. It becomes narrower with each position that the tree gets, and
    contains the exact value at any time. Where floats round the scores, such as 0.1 and 0.9, this
    holds up to the rounding of their sum.

    >>> from purembts.games.mnk import Board, tic_tac_toe
    >>> last = Board(0b0001_0010_0011, 0b0110_0001_0100)  # one square is free
    >>> certain_range(tic_tac_toe, {last: Record(1, (1, 0))}, last)[last].low
    (Fraction(0, 1), Fraction(0, 1))
    """
    reached = _reached(game, as_tree(tree), state)
    return pmap({state: _unknown(game), **_ranges(game, reached, _worths(reached))})


def _ranges(game: Game[S, E], reached: _Reached[S, E], worths: dict[S, Whole]) -> dict[S, Range]:
    """The range of each position."""
    unknown = _unknown(game)
    ranges: dict[S, Range] = {}
    for position, (player, turns) in reached.turns.items():
        parts = []
        for times, moves in turns:
            sure = _worth_after(reached, worths, position, player, moves)
            if sure is not None:
                parts.append((times, Range(as_fractions(sure), as_fractions(sure))))
                continue
            known = [ranges.get(move, unknown) for move in moves]
            parts.append((times, _within_sum(game, _best_range(known, player))))
        ranges[position] = _mean_range(parts)
    return ranges


def _unknown(game: Game[S, E]) -> Range:
    """The range of scores, of which nothing is left out."""
    low, high = map(Fraction, game.score_range)
    return Range((low,) * game.players, (high,) * game.players)


def _best_range(ranges: Sequence[Range], player: int) -> Range:
    """The range of the best for `player` of moves with these ranges.

    A move that is certainly worse than another one is not played.
    """
    lowest = max([each.low[player] for each in ranges])
    played = [each for each in ranges if each.high[player] >= lowest]
    low = [min(column) for column in zip(*[each.low for each in played], strict=True)]
    high = [max(column) for column in zip(*[each.high for each in played], strict=True)]
    low[player] = lowest
    return Range(tuple(low), tuple(high))


def _within_sum(game: Game[S, E], each: Range) -> Range:
    """`each`, narrowed so that the values of all players can add up to the sum of the scores."""
    if game.score_sum is None:
        return each
    lows, highs = sum(each.low), sum(each.high)
    total = Fraction(game.score_sum)
    pairs = list(zip(each.low, each.high, strict=True))
    low = tuple([max(low, total - (highs - high)) for low, high in pairs])
    high = tuple([min(high, total - (lows - low)) for low, high in pairs])
    # Scores such as 0.1 and 0.9 miss their sum by rounding, so the ends may miss each other.
    return Range(low, high) if all(map(le, low, high)) else each


def _mean_range(parts: Sequence[tuple[int, Range]]) -> Range:
    """The mean of ranges with weights."""
    lows = whole_mean([(times, as_whole(each.low)) for times, each in parts])
    highs = whole_mean([(times, as_whole(each.high)) for times, each in parts])
    return Range(as_fractions(lows), as_fractions(highs))


# Values backed up from the children


def backed_up(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Tree[S]:
    """`tree` with the records from `state` on replaced: as many visits, and means backed up.

    The mean of a position is that of its children: after each event, the best mean for the player
    to move, averaged over the chances of those events that the tree knows. A position without
    visited children keeps its own record, and a settled position gets its worth. So the results of
    moves that are not the best do not count. A tree of `settle` must be read in this way, because
    its own means are those of open events and open moves alone.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(2): Record(3, (1, 2)), Pile(1, 1): Record(1, (0, 1)),
    ...     Pile(0, 1): Record(1, (1, 0))}
    >>> backed_up(last_coin(), tree, Pile(2))[Pile(2)]
    Record(visits=3, scores=(3.0, 0.0))
    """
    tree = as_tree(tree)
    reached = _reached(game, tree, state)
    records = {}
    for position, means in _estimates(tree, reached, _worths(reached)).items():
        n, scores = tree.get(position) or NOTHING
        # A record with these means stays as it is: multiplying again would round its scores.
        if n and means != tuple([score / n for score in scores]):
            records[position] = Record(n, tuple([n * mean for mean in means]))
    return with_records(tree, records)


def _estimates(tree: Tree[S], reached: _Reached[S, E], worths: dict[S, Whole]) -> dict[S, Scores]:
    """The means of each position that is certain, has visits, or has a child with means."""
    estimates: dict[S, Scores] = {}
    for position, (player, turns) in reached.turns.items():
        worth = worths.get(position)
        if worth is not None:
            estimates[position] = tuple([own / worth[-1] for own in worth[:-1]])
            continue
        means = _from_children(reached.game, position, player, turns, estimates)
        n, scores = tree.get(position) or NOTHING
        if means or n:
            estimates[position] = means or tuple([score / n for score in scores])
    return estimates


def _from_children(
    game: Game[S, E],
    position: S,
    player: int,
    turns: Sequence[tuple[int, Sequence[S]]],
    estimates: dict[S, Scores],
) -> Scores:
    """The means of `position` from those of its children; () if it has no child with means."""
    sums, total, is_leaf = [0.0] * game.players, 0, True
    for times, moves in turns:
        known = [estimates[move] for move in moves if move in estimates]
        if moves and not known:
            continue
        is_leaf = is_leaf and not known
        means = max(known, key=itemgetter(player)) if known else result_of(game, position)
        total += times
        sums = [points + times * own for points, own in zip(sums, means, strict=True)]
    return () if is_leaf else tuple([points / total for points in sums])


def foreseen(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Policy[S, E]:
    """The policy of the move with the best value by `backed_up`, from `state` on.

    Of moves with the same value it plays the one whose worth is certainly higher: the one with the
    higher lower end of the `certain_range`, then with the higher upper end. So a lucky estimate of
    1 is never played in the place of a certain win. Then the most visited of open moves is played,
    and then the first. A move that is not in `tree` is as good as one that was always lost, and
    better than a certain loss. If no move of a turn is in `tree`, the policy is uniformly random.
    From a settled `state` on it is best play.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(2): Record(3, (1, 2)), Pile(1, 1): Record(1, (0, 1)),
    ...     Pile(0, 1): Record(1, (1, 0))}
    >>> foreseen(last_coin(), tree, Pile(2))(turn_at(last_coin(), Pile(2), None), ())
    (Pile(coins=0, player=1),)
    """
    tree = as_tree(tree)
    reached = _reached(game, tree, state)
    worths = _worths(reached)
    ranges = _ranges(game, reached, worths)
    estimates = _estimates(tree, reached, worths)
    known = {each: (means, ranges[each]) for each, means in estimates.items()}
    lowest, highest = game.score_range

    def rank(move: S, player: int) -> tuple[float | Fraction, ...]:
        if move not in known:
            return lowest, lowest, highest, 0
        means, (low, high) = known[move]
        n = (tree.get(move) or NOTHING).visits if low[player] < high[player] else 0
        # A mean may be above the highest score by rounding.
        return min(means[player], float(high[player])), low[player], high[player], n

    return _among(known, by_rank(rank))


def _among(known: Container[S], policy: Policy[S, E]) -> Policy[S, E]:
    """`policy` in turns with `known` moves, and else the uniformly random policy."""

    def play(turn: Turn[S, E]) -> Sequence[S]:
        is_known = any(move in known for move in turn.moves)
        return policy(turn) if is_known else turn.moves

    return play


def robust(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Policy[S, E]:
    """The policy of the most visited move, or of a certain move that is as good, from `state` on.

    Certain moves get no more visits, so the visits of the other moves are compared alone. The best
    certain move is played if its worth is at least the value of the most visited one by
    `backed_up`. In a large game most values come from few games, and `foreseen` plays the luckiest
    of them; in Reversi this policy is far better. It is the robust child of Chaslot et al. (2008),
    "Progressive strategies for Monte-Carlo tree search", beside moves that are certain.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(9): Record(9, (5, 4)), Pile(8, 1): Record(3, (3, 0)),
    ...     Pile(7, 1): Record(5, (2, 3))}
    >>> turn = turn_at(last_coin(), Pile(9), None)
    >>> robust(last_coin(), tree, Pile(9))(turn), foreseen(last_coin(), tree, Pile(9))(turn)
    ((Pile(coins=7, player=1),), (Pile(coins=8, player=1),))
    """
    tree = as_tree(tree)
    reached = _reached(game, tree, state)
    worths = _worths(reached)
    certain = {position: as_fractions(worth) for position, worth in worths.items()}
    values: dict[S, Sequence[Any]] = {**_estimates(tree, reached, worths), **certain}
    lowest, highest = game.score_range

    def rank(move: S, player: int) -> tuple[Any, bool]:
        # A mean may be above the highest score by rounding.
        value = min(values[move][player], highest) if move in values else lowest
        is_loss = value == lowest
        # Of equals, a certain move comes first; but of losses, one that is not certain.
        return value, move not in certain if is_loss else move in certain

    def policy(turn: Turn[S, E]) -> Sequence[S]:
        others = [move for move in turn.moves if move in values and move not in certain]
        most = max(others, key=lambda move: (tree.get(move) or NOTHING).visits, default=None)
        left = [move for move in turn.moves if move == most or move not in others]
        ranks = [rank(move, turn.player) for move in left]
        return (left[ranks.index(max(ranks))],)

    return _among(values, policy)


# Dives that leave out what is certain


def settle(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> tuple[Tree[S], Scores | Values]:
    """One dive like that of `mcts.uct`, without settled positions: the new tree, and the result.

    Events and moves that are certain are left out. A random move to a position that is not in the
    tree comes first; if there is none, the move with the highest bound. The first `remember` new
    positions of the game are added to the tree: with 1 the new leaf alone, as in `uct`; with None
    all of them. After the first of them, no bound is compared: the moves are random. After the last
    one, `default_policy` plays. If `state` is settled, nothing is drawn: the tree is the same, and
    the result is the worth.

    The records have raw results, so they can be merged. But their means count open events and open
    moves alone, so they do not estimate the worth: use `backed_up` or `foreseen` to judge the tree.
    To remember whole games of a large board takes much time and memory, because all moves of each
    of their positions are listed; 1 is right there.
    """
    if remember is not None:
        at_least_one(remember, "remember")
    tree = as_tree(tree)
    certain = settled(game, tree, state)
    if state in certain:
        return tree, certain[state]
    first_record(game, tree, state, rng)
    path = _select_open(game, tree, certain, state, bound, remember, rng)
    leaf, _ = path[-1]
    # simulate a game from the leaf
    result = checked_result(game, leaf, default_policy(game, leaf, rng))
    return backpropagate(tree, path, result), result


def _select_open(
    game: Game[S, E],
    tree: Tree[S],
    certain: Mapping[S, Values],
    state: S,
    bound: AnyBound,
    remember: int | None,
    rng: Rng,
) -> Path[S]:
    """The path of a dive from `state`, which is not certain, to its last new position."""
    path: Path[S] = []
    new = 0
    while len(path) < game.max_turns:
        record = tree.get(state)
        path.append((state, record or NOTHING))
        new += record is None
        if new == remember:
            return path
        turns = open_turns(game, certain, state)
        if not turns:
            return path
        turn = pick(turns, rng)
        left = [move for move in turn.moves if move not in certain]
        if any(tree.get(move) is None for move in left):  # expand
            state = _draw_unseen(tree, turn.moves, rng)
        elif new:
            state = pick(left, rng)
        else:  # select
            state, _ = best_child(game, tree, turn._replace(moves=left), bound)
    raise endless(game, state)


def _draw_unseen(tree: Tree[S], moves: Sequence[S], rng: Rng) -> S:
    """The first of random `moves` that is not in `tree`."""
    drawn = repeatedly(partial(pick, moves, rng))
    return next(move for move in drawn if tree.get(move) is None)


def open_turns(game: Game[S, E], certain: Mapping[S, Values], state: S) -> Sequence[Turn[S, E]]:
    """A turn for each event at `state` that is not certain."""
    rule = rule_of(game)
    turns = []
    for event in events_of(game, state):
        turn = turn_at(game, state, event)
        worths = [as_whole(certain[move]) if move in certain else None for move in turn.moves]
        if turn.moves and certain_worth(rule, worths, turn.player) is None:
            turns.append(turn)
    return turns


def settlings(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> Iterator[Tree[S]]:
    """The trees after 0, 1, 2, ... dives of `settle`, until `state` is settled.

    A dive of `settle` goes through the whole tree, so this is slow; `proofs.settle_strides` gives
    the same trees faster.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> [len(tree) for tree in settlings(last_coin(), {}, Pile(5), random.Random(7))]
    [0, 5, 8, 9]
    """
    tree = as_tree(tree)
    rule_of(game)
    first_record(game, tree, state, an_rng(rng))
    if remember is not None:
        at_least_one(remember, "remember")
    how: Any = {"bound": bound, "default_policy": default_policy, "remember": remember}
    return _settlings(partial(settle, game, state=state, rng=rng, **how), tree)


def _settlings(dive: Callable[..., tuple[Tree[S], Any]], tree: Tree[S]) -> Iterator[Tree[S]]:
    """`tree` and the trees after each `dive`, until it changes nothing."""
    before = None
    while tree is not before:
        yield tree
        before, (tree, _) = tree, dive(tree=tree)
