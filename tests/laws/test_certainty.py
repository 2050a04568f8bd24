"""Our functions of what follows from a tree keep their laws, in games made up at random."""

from functools import partial
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrsistent import pmap

from certainty import (
    certain_ranges,
    certain_worths,
    check_backed_up,
    check_certain_range,
    check_policy,
    check_settle,
    check_settled,
    grown_trees,
)
from purembts.exact import solver
from purembts.mcts import merge_trees
from purembts.proving import backed_up, certain_range, robust, settle, settled
from purembts.records import NOTHING, as_tree
from purembts.verify.laws import is_within
from purembts.verify.strategies import seeds
from toys import any_games, quick_game

random_games = any_games(14).map(quick_game)
FOLDS = {
    settled: check_settled,
    certain_range: check_certain_range,
    backed_up: check_backed_up,
    robust: check_policy,
}


@given(random_games, seeds)
def test_what_is_certain_is_true_and_stays_certain_in_a_merge(game, seed):
    """In a tree of all positions, all is certain."""
    trees, value = grown_trees(game, 0, seed), solver(game)
    assert 0 in certain_worths(game, max(trees, key=len), 0)
    for one, other in pairwise(trees):
        more = merge_trees(one, other)
        worths, ranges = certain_worths(game, one, 0), certain_ranges(game, one, 0)
        assert worths == {state: value(state) for state in worths}
        assert worths.items() <= certain_worths(game, more, 0).items()
        closer = certain_ranges(game, more, 0)
        assert all(is_within(closer[state], wide) for state, wide in ranges.items())
        assert all(is_within((value(at),) * 2, here) for at, here in ranges.items())


@pytest.mark.parametrize("fold", FOLDS)
@given(random_games, seeds)
def test_ours_keep_the_laws(fold, game, seed):
    """A record without visits is a position of the tree, and has no estimate."""
    trees, rng = grown_trees(game, 0, seed), Random(seed)
    FOLDS[fold](partial(fold, game), game, 0, trees)
    some = [
        pmap({at: NOTHING if rng.random() < 0.3 else record for at, record in tree.items()})
        for tree in trees
    ]
    FOLDS[fold](partial(fold, game), game, 0, some)


@given(random_games, seeds, st.sampled_from([1, 2, 3, 5, None]))
def test_our_dives_keep_the_laws_in_a_tree_of_any_positions(game, seed, remember):
    """Also in one that has not come from dives, where much is certain at once."""

    def dive(tree, state, rng):
        return settle(game, tree, state, rng, remember=remember)

    for tree in map(as_tree, [{}, *grown_trees(game, 0, seed)[::3]]):
        check_settle(dive, game, 0, tree=tree, remember=remember, seed=seed)
