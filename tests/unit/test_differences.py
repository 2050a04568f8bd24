"""The difference of two trees adds up, and two searches part at the first dive that differs."""

from itertools import islice
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from purembts.bounds import ucb1_with
from purembts.differences import Change, added, difference, first_difference
from purembts.fast.engine import search
from purembts.mcts import merge_trees, trees
from purembts.records import NOTHING, Record
from purembts.verify.strategies import random_games, record_maps, seeds
from toys import Pile, pile_game

maps_of_records = record_maps(st.integers(0, 6))


@given(maps_of_records, maps_of_records)
def test_a_difference_has_what_is_new_and_changed_and_gone(before, after):
    found = difference(before, after)
    for state in {*before, *after}:
        old, new = before.get(state, NOTHING), after.get(state, NOTHING)
        assert found.get(state, Change(old, old)) == (old, new)
        assert (state in found) == (old != new)
    assert found.keys() <= {*before, *after}


@given(random_games(), st.integers(1, 40), st.integers(1, 40), seeds)
def test_a_tree_that_grew_is_the_one_before_merged_with_what_was_added(game, m, n, seed):
    tree = search(game, {}, 0, m, Random(seed))
    grown = search(game, tree, 0, n, Random(f"{seed}/1"))
    assert merge_trees(tree, added(difference(tree, grown))) == grown
    assert merge_trees({}, added(difference({}, grown))) == grown


@given(maps_of_records, maps_of_records)
def test_a_merged_tree_differs_by_the_one_that_was_merged_into_it(a, b):
    visited = {state: record for state, record in b.items() if record.visits}
    assert added(difference(a, merge_trees(a, b))) == visited


def test_what_is_gone_or_has_no_more_visits_adds_nothing():
    before, after = {"a": Record(2, (2, 0)), "b": Record(2, (1, 1))}, {"b": Record(2, (2, 0))}
    assert added(difference(before, after)) == {}


def grown(c, dives=400, seed=7):
    """The trees of a search with UCB1."""
    found = trees(pile_game, {}, Pile(9), Random(seed), bound=ucb1_with(c))
    return list(islice(found, dives + 1))


def test_two_searches_part_at_the_first_dive_after_which_their_trees_differ():
    one, other = grown(1.4), grown(1.3)
    parting = first_difference(one, other)
    assert 1 < parting.dive < 400
    assert one[: parting.dive] == other[: parting.dive]
    assert one[parting.dive] != other[parting.dive]
    assert parting.before == one[parting.dive - 1]
    assert merge_trees(parting.before, added(parting.a)) == one[parting.dive]
    assert merge_trees(parting.before, added(parting.b)) == other[parting.dive]


def test_searches_that_are_the_same_do_not_part():
    assert first_difference(grown(1.4, 50), grown(1.4, 60)) is None
    assert first_difference([], grown(1.4, 3)) is None


def test_searches_from_other_trees_part_before_any_dive():
    parting = first_difference([{1: Record(1, (1, 0))}], [{}])
    assert (parting.dive, parting.before, parting.b) == (0, {}, {})
    assert parting.a == {1: Change(NOTHING, Record(1, (1, 0)))}
