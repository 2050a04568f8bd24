"""What is settled in a tree, and means that are backed up."""

from itertools import pairwise, product
from operator import itemgetter
from random import Random

import pytest
from hypothesis import given

from purembts.chance import shuffled
from purembts.exact import solver
from purembts.fast.engine import search
from purembts.game import Game, playout
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile
from purembts.mcts import merge_trees
from purembts.positions import children, positions
from purembts.proving import backed_up, settled
from purembts.records import NOTHING, Record
from purembts.verify.laws import best_range, is_within, mean_range
from purembts.verify.strategies import seeds
from toys import any_games, guessing_game, pile_game, quick_game

random_games = any_games(14).map(quick_game)


def trees_of(game, seed):
    """Trees of a search, of positions in a random order, and merges; some records have no visits.

    The last one has all positions.
    """
    rng = Random(seed)
    *others, _ = positions(game, 0)
    made_up = {state: made_up_record(game, state, rng) for state in (0, *shuffled(others, rng))}
    half = {state: made_up[state] for state in [*made_up][: 1 + len(others) // 2]}
    few, some = search(game, {}, 0, 4, rng), search(game, {}, 0, 12, rng)
    trees = [few, some, half, merge_trees(few, half)]
    blank = {s: NOTHING if rng.random() < 0.3 else r for s, r in trees[-1].items()}
    return [*trees, blank, made_up]


def made_up_record(game, state, rng):
    """The record of 1 to 9 games from `state` that all end alike."""
    n, result = 1 + int(rng.random() * 9), playout(game, state, rng)
    return Record(n, tuple([n * score for score in result]))


def reached(game, tree):
    """The positions of `tree` that are reached from 0 through its positions, children first."""
    return list(positions(game, 0, skip=lambda state: tree.get(state) is None))


# What is settled


def results_of(game):
    """Results that differ in each score that a player can have beside those of the others."""
    low, high = game.score_range
    scores = product(*[(low, (low + high) / 2, high)] * game.players)
    return [each for each in scores if game.score_sum in (None, sum(each))]


def outcomes(game, worths, state, event):
    """The worths of `state` after `event`, for all that one of the moves without a worth could be.

    The others are as bad as possible. Best play takes the first of the best moves.
    """
    if not (moves := game.moves(state, event)):
        return {tuple(game.result(state))}
    score, results = itemgetter(game.to_move(state)), results_of(game)
    unknown = [move for move in moves if move not in worths]
    bad = {**worths, **dict.fromkeys(unknown, min(results, key=score))}
    cases = [{**bad, move: result} for move in unknown for result in results] or [bad]
    return {max([case[move] for move in moves], key=score) for case in cases}


@given(random_games, seeds)
def test_a_position_is_settled_if_no_open_move_can_change_its_worth(game, seed):
    for tree in trees_of(game, seed):
        found, worths = settled(game, tree, 0), {}
        for state in reached(game, tree):
            after = [outcomes(game, worths, state, event) for event in game.chances(state)]
            assert (state in found) == all(len(each) == 1 for each in after)
            worths |= {state: found[state]} if state in found else {}
        assert found == worths


@given(random_games, seeds)
def test_what_is_settled_is_exact_and_stays_settled_in_a_merge(game, seed):
    """In a tree of all positions, all is settled."""
    trees, value = trees_of(game, seed), solver(game)
    for one, other in pairwise(trees):
        worths = settled(game, one, 0)
        assert worths == {state: value(state) for state in worths}
        assert dict(worths).items() <= dict(settled(game, merge_trees(one, other), 0)).items()
    assert len(settled(game, trees[-1], 0)) == len(trees[-1])


WON = {1: (1,), 2: (1, 0), 3: (1, 0, 0), 4: (1, 0.5, 0, 0)}
LOST = {1: (0,), 2: (0, 1), 3: (0, 1, 0), 4: (0, 0.5, 1, 0)}
"""By the number of players, a result with the highest score of the first one, and another."""
ENOUGH = [(1, None, True), (2, 1, True), (2, None, False), (3, 1, True), (3, None, False)]


@pytest.mark.parametrize(("players", "score_sum", "is_enough"), [*ENOUGH, (4, 1.5, False)])
def test_a_highest_score_settles_a_turn_if_it_decides_all_scores(players, score_sum, is_enough):
    """Or if no move before it is open."""
    for moves, is_settled in (["lost", "open", "won"], is_enough), (["lost", "won", "open"], True):
        game = Game(
            moves=lambda at, event, own=moves: own if at == "start" else (),
            result=lambda at: (WON if at == "won" else LOST)[players],
            to_move=lambda at: 0,
            players=players,
            score_range=(0, 1),
            score_sum=score_sum,
        )
        known = dict.fromkeys(("start", "lost", "won"), NOTHING)
        assert ("start" in settled(game, known, "start")) == is_settled


# Means


def means(record):
    """The mean score of each player. Equal means are equal after they are rounded."""
    return tuple([round(score / record.visits, 9) for score in record.scores])


def right_means(game, tree, after, state):
    """The lowest and the highest means that are right at `state`; None if they are not known.

    Best moves with equal values can have different values for the other players.
    """
    known = {move: after[move] for move in children(game, state) if move in after}
    if not all(record.visits for record in known.values()):
        return None  # such a move may have a value from its own moves
    if not known:
        return (means(tree[state]),) * 2
    rows = []
    for event in game.chances(state):
        moves = game.moves(state, event)
        if found := [means(known[move]) for move in moves if move in known]:
            rows.append(best_range(found, game.to_move(state)))
        elif not moves:
            rows.append((game.result(state),) * 2)
    return mean_range(rows)


@given(random_games, seeds)
def test_means_are_those_of_the_best_moves_or_exact(game, seed):
    """Visits stay, and so do all records that are not reached. So it is for an answer as well."""
    for first in trees_of(game, seed):
        for tree in (first, backed_up(game, first, 0)):
            after, places = backed_up(game, tree, 0), reached(game, tree)
            worths = settled(game, tree, 0)
            assert {s: r.visits for s, r in after.items()} == {s: r.visits for s, r in tree.items()}
            assert all(after[state] == tree[state] for state in after if state not in places)
            for state in places:
                worth = worths.get(state)
                right = (worth, worth) if worth else right_means(game, tree, after, state)
                if after[state].visits and right:
                    assert is_within((means(after[state]),) * 2, right, 1e-8)


def test_a_record_stays_as_it_is_if_nothing_follows_it():
    """22 * (15 / 22) is not 15 in floats."""
    record = Record(22, (15, 7))
    assert backed_up(pile_game, {Pile(5): record}, Pile(5))[Pile(5)] is record


# Arguments


@pytest.mark.parametrize("fold", [settled, backed_up])
def test_wrong_arguments_are_refused(fold):
    state, known = Pile(3), dict.fromkeys([Pile(3), Pile(3, 1)], Record(1, (1, 0)))
    with pytest.raises(ValueError, match="`score_range` of pile of coins must be two finite numb"):
        fold(pile_game._replace(score_range=3), {}, state)
    for hiding, start in ((guessing_game, guessing_game.start), (big_two(), deal(Random(7)))):
        with pytest.raises(ValueError, match="`game` must have no hidden information, because"):
            fold(hiding, {}, start)
    ring = pile_game._replace(moves=lambda pile, event: (pile._replace(player=1 - pile.player),))
    with pytest.raises(ValueError, match="must not come back within a game"):
        fold(ring, known, state)
