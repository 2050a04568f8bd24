"""The plain definitions of what is certain in a tree, the laws of what follows, and trees to try.

`certain_worths` and `certain_ranges` define `proving.settled` and `proving.certain_range`, a few
lines each. The games must be small.
"""

from fractions import Fraction
from itertools import islice, pairwise
from random import Random

from pyrsistent import pmap

from purembts.chance import shuffled
from purembts.exact import solver
from purembts.fast.engine import strides
from purembts.game import playout
from purembts.mcts import merge_trees
from purembts.positions import children, positions
from purembts.proving import settle_strides
from purembts.records import NOTHING, Record, rounding
from purembts.verify.laws import best_range, is_contest, is_within, mean_range, worst_values
from purembts.verify.search_laws import check_dive, line_of, stepped


def reached(game, tree, start):
    """The positions of `tree` from `start` on that are reached through its positions."""
    return list(positions(game, start, skip=lambda state: tree.get(state) is None))


# The definitions


def certain_worth(game, worths, state):
    """The worth of `state` that follows from `worths`: the mean over its events; None if open."""
    after = [certain_after(game, worths, state, event) for event in game.chances(state)]
    known = [worth for worth in after if worth]
    if len(known) < len(after):
        return None
    return tuple([sum(scores, Fraction(0)) / len(known) for scores in zip(*known, strict=True)])


def certain_after(game, worths, state, event):
    """The worth of `state` after `event`: that of the first of the best moves; None if it is open.

    Moves without a worth count as lower only if another one has the highest score, and this decides
    the scores of the others, or comes first.
    """
    moves = game.moves(state, event)
    if not moves:
        return tuple(map(Fraction, game.result(state)))
    player, known = game.to_move(state), [worths.get(move) for move in moves]
    top = max(filter(None, known), key=lambda worth: worth[player], default=None)
    is_highest = top is not None and top[player] == Fraction(game.score_range[1])
    needed = known[: known.index(top)] if is_highest else known
    return None if None in needed and not (is_highest and _decides(game)) else top


def _decides(game):
    """True if the scores of all others follow where one player has the highest score."""
    low, high = map(Fraction, game.score_range)
    others, total = game.players - 1, game.score_sum
    is_lowest = total is not None and Fraction(total) - high == others * low
    return others == 0 or is_lowest or (others == 1 and total is not None)


def certain_worths(game, tree, start):
    """The positions of `tree` from `start` on whose worth is certain, each with its worth."""
    worths = {}
    for state in reached(game, tree, start):
        if worth := certain_worth(game, worths, state):
            worths[state] = worth
    return worths


def certain_ranges(game, tree, start):
    """The positions of `tree` from `start` on, each with the worths that are still possible.

    `start` has a range also where it is not in the tree.
    """
    worths, ranges = certain_worths(game, tree, start), {start: scores(game)}
    for state in reached(game, tree, start):
        events = game.chances(state)
        ranges[state] = mean_range([_after(game, worths, ranges, state, each) for each in events])
    return ranges


def _after(game, worths, ranges, state, event):
    """The range of `state` after `event`: that of the moves that can be the best one.

    The player to move gets at least the highest of the lowest values of the moves.
    """
    if worth := certain_after(game, worths, state, event):
        return worth, worth
    player = game.to_move(state)
    own = [ranges.get(move, scores(game)) for move in game.moves(state, event)]
    lowest = max(low[player] for low, _ in own)
    lows, highs = zip(*[each for each in own if each[1][player] >= lowest], strict=True)
    low, high = list(map(min, *lows, lows[0])), list(map(max, *highs, highs[0]))
    low[player] = lowest
    return _of_sum(game, low, high)


def _of_sum(game, low, high):
    """The part of a range in which the values of all players add up to the sum of the scores."""
    if game.score_sum is None:
        return low, high
    pairs, total = list(zip(low, high, strict=True)), Fraction(game.score_sum)
    least = [max(a, total - (sum(high) - b)) for a, b in pairs]
    most = [min(b, total - (sum(low) - a)) for a, b in pairs]
    # Scores such as 0.1 and 0.9 miss their sum by rounding, so the ends may miss each other.
    is_range = all(a <= b for a, b in zip(least, most, strict=True))
    return (least, most) if is_range else (low, high)


def scores(game):
    """The range of a position of which nothing is known."""
    low, high = ((Fraction(score),) * game.players for score in game.score_range)
    return low, high


# The laws


def check_settled(settled, game, start, trees):
    """`settled(tree, start)` is `certain_worths` in each tree."""
    for tree in trees:
        assert dict(settled(tree, start)) == certain_worths(game, tree, start)


def check_certain_range(certain_range, game, start, trees):
    """`certain_range(tree, start)` is `certain_ranges` in each tree."""
    for tree in trees:
        found = {at: as_tuples(ends) for at, ends in certain_range(tree, start).items()}
        right = {at: as_tuples(ends) for at, ends in certain_ranges(game, tree, start).items()}
        assert found == right


def as_tuples(ends):
    """A range as two tuples."""
    return tuple(map(tuple, ends))


def check_backed_up(backed_up, game, start, trees):
    """Visits and positions that are not reached stay. Means are those of best moves, or exact.

    So they are in the answer for an answer. A mean without an event that is known stays as it was.
    Best moves with equal values can have different values for the other players, so a value between
    them is right. Each mean is right up to its own rounding.
    """
    for first in trees:
        for tree in (first, backed_up(first, start)):
            after, places = backed_up(tree, start), reached(game, tree, start)
            for state in {**dict(tree.items()), **dict(after.items())}:
                old, new = tree.get(state), after.get(state)
                assert old
                assert repr(new) == repr(Record(old.visits, new and new.scores))
                assert new == old or state in places
            certain = certain_worths(game, tree, start)
            for state in places:
                worth = certain.get(state)
                right = (worth, worth) if worth else _right_means(game, tree, after, state)
                error = rounding(len(game.chances(state)) + 4, game.score_range)
                if after[state].visits and right:
                    assert is_within((means(after[state]),) * 2, right, error)


def _right_means(game, tree, after, state):
    """The lowest and the highest means that are right at `state`; None if they are not known."""
    known = {move: after[move] for move in children(game, state) if move in after}
    if not all(record.visits for record in known.values()):
        return None  # such a move may have a value from its own moves
    if not known:
        return (means(tree[state]),) * 2
    rows = []
    for event in game.chances(state):
        moves = game.moves(state, event)
        if found := [means(known[move]) for move in moves if move in known]:
            rows.append(best_range(found, game.to_move(state), rounding(4, game.score_range)))
        elif not moves:
            rows.append((game.result(state),) * 2)
    return mean_range(rows)


def means(record):
    """The mean score of each player."""
    return tuple([score / record.visits for score in record.scores])


def check_policy(robust, game, start, trees):
    """A policy is never worth more than best play, and as much where a tree is settled.

    In a game for one player, or for two with a constant sum, each player meets best replies. In
    another game all follow the policy, and only settled positions are checked.
    """
    for tree in trees:
        policy, certain = robust(tree, start), certain_worths(game, tree, start)
        gets = worst_values(game, policy) if is_contest(game) else solver(game, policy=policy)
        assert all(gets(at) == certain.get(at, gets(at)) for at in reached(game, tree, start))


def check_settle(settle, game, start, *, tree, remember, seed):
    """Each dive goes by open moves alone and adds positions, so a tree is settled at the end.

    `remember` is the most new positions of a dive; None if it adds the whole game.
    """
    rng, dives = Random(seed), 0
    while start not in (certain := certain_worths(game, tree, start)):
        dives += 1
        tree, step = stepped(settle, tree, start, rng, f"Dive {dives} with seed {seed}")
        check_dive(game, step)
        line = line_of(game, step)
        for state, move in pairwise(line):
            assert move in open_moves(game, certain, state)
        new, most = sum(old == NOTHING for old, _ in step.changed.values()), remember or len(line)
        assert 0 < new <= most
        assert new == remember or not open_moves(game, certain, line[-1])
    state = rng.getstate()
    grown, result = settle(tree, start, rng)
    assert grown is tree
    assert (tuple(result), rng.getstate()) == (certain[start], state)


def open_moves(game, certain, state):
    """The moves that are not certain, after the events whose best move is not."""
    events = [each for each in game.chances(state) if not certain_after(game, certain, state, each)]
    return {move for event in events for move in game.moves(state, event)} - certain.keys()


# Trees

DIVES = (1, 1, 2, 4, 8)
"""The dives from each tree of a search to the next one."""


def grown_trees(game, start, seed):
    """Different trees: of a search, of `settle`, of positions in a random order, and merges.

    One of them has all positions. A merge is a dict.
    """
    grown = [*strides(game, {}, start, DIVES, Random(seed))]
    for remember in (1, 3, None):
        grown += settle_strides(game, {}, start, DIVES, Random(seed), remember=remember)
    rng = Random(seed)
    *others, _ = positions(game, start)
    made_up = {state: _made_up(game, state, rng) for state in (start, *shuffled(others, rng))}
    sizes = [1 + len(others) * k // 6 for k in range(7)]
    grown += [pmap(dict(islice(made_up.items(), n))) for n in sizes]
    trees = grown + [dict(merge_trees(*pair).items()) for pair in pairwise(grown[4::5])]
    return [tree for i, tree in enumerate(trees) if tree not in trees[:i]]


def _made_up(game, state, rng):
    """The record of 1 to 9 games from `state` that all end alike."""
    n, result = 1 + int(rng.random() * 9), playout(game, state, rng)
    return Record(n, tuple([n * score for score in result]))
