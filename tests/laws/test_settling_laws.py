"""Our functions of what follows from a tree keep their laws, in games made up at random.

The faults that the laws catch are in faults.toml.
"""

from functools import partial
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrsistent import pmap

from foreign import coins
from planted import balanced, coarse, ranked, won_by_one
from purembts.exact import solver
from purembts.mcts import merge_trees
from purembts.proving import backed_up, certain_range, robust, settle, settled, values
from purembts.records import NOTHING, Record
from purembts.verify.certainty_laws import (
    certain_ranges,
    certain_worths,
    chains,
    check_certain_range,
    check_settled,
    each_of,
)
from purembts.verify.laws import is_within
from purembts.verify.random_games import random_game
from purembts.verify.settling_laws import (
    check_backed_up,
    check_one_backed_up,
    check_play,
    check_policy,
    check_settle,
)
from purembts.verify.strategies import seeds
from toys import quick_game

KINDS = (lambda game: game, balanced, won_by_one, coarse, ranked)
random_games = st.builds(
    lambda seed, players, size, kind: quick_game(kind(random_game(seed, players, size))),
    seeds,
    st.integers(1, 4),
    st.integers(2, 14),
    st.sampled_from(KINDS),
)


# The definitions


@given(random_games, seeds)
def test_what_is_certain_is_true_and_stays_certain(game, seed):
    """In a merge of two trees as well. In a tree of all positions, all is certain."""
    grown, value = chains(game, 0, seed=seed), solver(game)
    assert 0 in certain_worths(game, grown[-1][-1], 0)
    pairs = pairwise([chain[len(chain) // 2] for chain in grown])
    for chain in [*grown, *([one, merge_trees(one, other)] for one, other in pairs)]:
        worths, ranges = {}, {0: ((-9,) * game.players, (9,) * game.players)}
        for tree in chain:
            before, worths = worths, certain_worths(game, tree, 0)
            assert before.items() <= worths.items()
            assert worths == {state: value(state) for state in worths}
            wider, ranges = ranges, certain_ranges(game, tree, 0)
            assert all(is_within(ranges[state], wide) for state, wide in wider.items())
            assert all(is_within((value(at),) * 2, here) for at, here in ranges.items())


# Right ones


@given(random_games, seeds)
def test_ours_keep_the_laws_of_what_is_certain(game, seed):
    check_settled(partial(settled, game), game, 0, seed=seed)
    check_certain_range(partial(certain_range, game), game, 0, seed=seed)


@given(random_games, seeds)
def test_ours_keep_the_laws_of_values_that_are_backed_up(game, seed):
    check_backed_up(partial(backed_up, game), game, 0, seed=seed)


@given(random_games, seeds)
def test_the_robust_policy_keeps_the_laws_of_a_policy(game, seed):
    check_policy(partial(robust, game), game, 0, seed=seed)


@given(random_games, seeds, st.sampled_from([1, 2, 3, 5, None]))
def test_our_dives_keep_the_laws(game, seed, remember):
    check_settle(remembering(game, remember), game, 0, remember=remember, seed=seed)


def remembering(game, remember):
    def dive(tree, state, rng):
        return settle(game, tree, state, rng, remember=remember)

    return dive


@given(random_games, seeds, st.sampled_from([1, 3, None]))
def test_our_dives_keep_the_laws_in_a_tree_of_any_positions(game, seed, remember):
    """Also in one that has not come from dives, where much is certain at once."""
    for chain in chains(game, 0, seed=seed)[:1] + chains(game, 0, seed=seed)[-1:]:
        for tree in chain[1:-1:2]:
            dive = remembering(game, remember)
            check_settle(dive, game, 0, tree=tree, remember=remember, seed=seed)


@given(random_games, seeds)
def test_a_record_without_visits_is_a_position_of_the_tree(game, seed):
    """So it counts for what is certain, and not for what is estimated."""
    rng = Random(seed)
    for tree in each_of(chains(game, 0, seed=seed)):
        some = {state: NOTHING if rng.random() < 0.3 else record for state, record in tree.items()}
        for fold in (settled, certain_range):
            assert fold(game, tree, 0) == fold(game, pmap(some), 0)
        check_one_backed_up(partial(backed_up, game), game, 0, pmap(some))
        check_play(partial(robust, game), game, pmap(some), 0)


def test_worths_and_ranges_may_be_lists_and_floats():
    def worths(tree, state):
        return {k: list(map(float, worth)) for k, worth in settled(coins, tree, state).items()}

    def ranges(tree, state):
        found = certain_range(coins, tree, state).items()
        return {k: [list(map(float, end)) for end in ends] for k, ends in found}

    check_settled(worths, coins, (7, 0))
    check_certain_range(ranges, coins, (7, 0))


# Faults that are seen in special trees


def test_catches_worths_that_are_not_used(monkeypatch):
    """They are certain also where no dive has been."""
    tree, right = pmap({(1, 0): Record(2, (1, 1)), (0, 1): NOTHING}), values.known_of
    check_one_backed_up(partial(backed_up, coins), coins, (1, 0), tree)
    monkeypatch.setattr(values, "known_of", lambda *how: right(*how)._replace(worths={}))
    with pytest.raises(AssertionError, match=r"A mean must be .* Right is from \(1, 0\) to"):
        check_one_backed_up(partial(backed_up, coins), coins, (1, 0), tree)


def test_catches_a_policy_that_plays_the_last_move():
    ending = coins._replace(moves=lambda pile, event: coins.moves(pile, event)[::-1])
    tree = pmap({(2, 0): Record(2, (1, 1)), (1, 1): Record(1, (1, 0)), (0, 1): Record(1, (1, 0))})
    check_play(partial(robust, ending), ending, tree, (2, 0))
    with pytest.raises(AssertionError, match="which is settled, it is worth"):
        check_play(lambda tree, state: lambda turn: turn.moves[-1:], ending, tree, (2, 0))
