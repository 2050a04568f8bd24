"""Dives: what one changes, that many come to the same however they are run, what is learnt."""

from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrsistent import pmap

from purembts.bounds import ucb1
from purembts.fast.engine import search
from purembts.game import Turn, playout, turn_at
from purembts.mcts import best_child, learnt, merge_trees, subtree, uct
from purembts.positions import children
from purembts.records import NOTHING, Record, merge, tally, visits
from purembts.verify import search_laws
from purembts.verify.strategies import record_maps, seeds
from toys import (
    MAPPINGS,
    PERSISTENT,
    Pile,
    all_maps,
    bounds,
    games,
    kind_of,
    maps,
    pile_game,
    plain,
)

# One dive


def check_dive(game, state, seed, dives, start=pmap, bound=ucb1):
    """Each dive keeps the laws of a dive, and ends at a new position or at an end of the game."""
    ours = partial(uct, game, bound=bound)
    tree, rng = start(), Random(seed)
    for _ in range(dives):
        tree, step = search_laws.stepped(ours, tree, state, rng, "A dive", read=plain)
        search_laws.check_dive(game, step)
        leaf = search_laws.line_of(game, step)[-1]
        new = {state for state, (old, _) in step.changed.items() if old == NOTHING}
        assert new <= {leaf}, "another new position than the last on the line"
        ends = any(not game.moves(leaf, event) for event in game.chances(leaf))
        assert new or ends, "a dive stopped where the game goes on"


@given(games, seeds, st.integers(1, 40), maps, bounds)
def test_a_dive_adds_its_result_along_one_path(game_and_state, seed, dives, start, bound):
    check_dive(*game_and_state, seed, dives, start, bound)


# Selection


def test_the_child_of_the_highest_bound_is_selected_and_the_first_among_equals():
    moves = (Pile(2, 1), Pile(1, 1), Pile(0, 1))
    first, second = (Turn(Pile(3, player), None, moves, player) for player in (0, 1))
    even = {move: Record(4, (2, 2)) for move in moves}
    assert best_child(pile_game, pmap(even), first, ucb1) == (moves[0], even[moves[0]])
    tree = pmap({**even, moves[1]: Record(4, (3, 1))})
    assert best_child(pile_game, tree, first, ucb1) == (moves[1], Record(4, (3, 1)))
    assert best_child(pile_game, tree, second, ucb1)[0] == moves[0]
    assert best_child(pile_game, tree.remove(moves[2]), first, ucb1) == (moves[2], NOTHING)


# Many dives


def check_rollouts(game, state, seed, rollouts):
    """A leaf gets the record of as many games as were played from it."""
    rng, played = Random(seed), Random(seed)
    results = [playout(game, state, played) for _ in range(rollouts)]
    tree, result = uct(game, {}, state, rng, rollouts=rollouts)
    assert tree[state] == tally(results) == Record(rollouts, result)


@given(games, seeds, st.integers(1, 5))
def test_all_the_rollouts_of_a_leaf_are_added(game_and_state, seed, rollouts):
    check_rollouts(*game_and_state, seed, rollouts)


def test_a_search_may_be_deeper_than_the_stack():
    tree = pmap({Pile(n, n % 2): Record(1, (1, 0)) for n in range(3000)})
    only_one = pile_game._replace(moves=lambda pile, event: pile_game.moves(pile, event)[:1])
    assert search(only_one, tree, Pile(2999, 1), 3)[Pile(0, 0)].visits == 4
    assert search(only_one, tree, Pile(2999, 1), 1)[Pile(0, 0)].visits == 2
    assert uct(only_one, tree, Pile(2999, 1))[0][Pile(0, 0)].visits == 2


# Trees as values


any_tree = record_maps(st.integers(0, 8))


@given(any_tree, any_tree, any_tree, all_maps, all_maps)
def test_merging_is_associative_and_commutative_with_the_empty_tree_as_unit(a, b, c, one, other):
    """Also for trees of different kinds. The merged tree is of the kind of the first one."""
    trees = [one(a), other(b), other(c)]
    check_merge(merge_trees, *trees, one())
    assert [plain(tree) for tree in trees] == [a, b, c], "they stay as they were"
    assert type(merge_trees(*trees[:2])) is kind_of(one)


def check_merge(merged, a, b, c, empty):
    both = plain(merged(a, b))
    assert plain(merged(merged(a, b), c)) == plain(merged(a, merged(b, c)))
    assert both == plain(merged(b, a))
    assert plain(merged(a, empty)) == plain(merged(empty, a)) == plain(a)
    for key in {*a, *b}:
        assert both[key] == merge(a.get(key) or NOTHING, b.get(key) or NOTHING)
    assert set(both) == {*a, *b}


@given(games, seeds, st.integers(1, 80), st.data(), all_maps)
def test_a_subtree_has_the_positions_reached_through_the_tree(
    game_and_state, seed, dives, data, start
):
    game, root = game_and_state
    grown = search(game, start(), root, dives, Random(seed))
    tree = start(plain(grown))
    state = data.draw(st.sampled_from(sorted(plain(grown), key=str)))

    reached, size = {state}, 0
    while size < len(reached):
        size = len(reached)
        reached |= {child for known in reached for child in children(game, known) if child in tree}
    part = subtree(game, tree, state)
    assert plain(part) == {position: tree[position] for position in reached}
    assert type(part) is kind_of(start)


# What a tree has learnt


@pytest.mark.parametrize("start", [*PERSISTENT, *MAPPINGS])
def test_the_policy_takes_the_best_mean_or_the_most_visited(start):
    often, well = Pile(4, 1), Pile(3, 1)
    tree = start({often: Record(10, (5, 5)), well: Record(4, (3, 1))})
    turn = turn_at(pile_game, Pile(5), None)
    assert learnt(tree)(turn) == (well,)
    assert learnt(tree, final=visits)(turn) == (often,)


def test_a_move_without_a_record_ranks_below_any_with_one():
    turn = turn_at(pile_game, Pile(5), None)
    equal = {Pile(4, 1): Record(1, (0, 1)), Pile(3, 1): Record(1, (1, 0))}
    assert learnt(equal, final=visits)(turn) == (Pile(3, 1),), "the better mean among equals"
    assert learnt({Pile(3, 1): Record(9, (0, 9))})(turn) == (Pile(3, 1),)
    assert learnt({Pile(4, 1): NOTHING, Pile(3, 1): Record(9, (0, 9))})(turn) == (Pile(3, 1),)


def test_where_nothing_is_known_the_policy_is_random_play():
    assert learnt({})(turn_at(pile_game, Pile(5), None)) == (Pile(4, 1), Pile(3, 1))
