"""Dives: what one changes, that many come to the same however they are run, what is learnt."""

from functools import partial, reduce
from itertools import islice
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from immutables import Map
from pyrsistent import PMap, pmap
from toolz import nth

from purembts.bounds import ucb1, ucb1_with, ucb_wald, wald_with
from purembts.exact import solver, uniform
from purembts.fast.engine import search
from purembts.game import playout, turn_at
from purembts.games.shut_the_box import full_box, shut_the_box, simple_game, simple_start
from purembts.mcts import (
    best_child,
    learnt,
    merge_trees,
    move_table,
    subtree,
    trees,
    uct,
    uct_with_rollouts,
)
from purembts.positions import children
from purembts.records import NOTHING, Record, as_tree, mean, merge, tally, visits, with_records
from purembts.verify.random_games import random_game
from purembts.verify.search_laws import (
    check_added,
    check_old_tree,
    check_result,
    line_of,
    steps,
)
from purembts.verify.strategies import record_maps, seeds
from purembts.workshop import all_boxes
from toys import Pile, persistent_maps, pile_game

stb = shut_the_box()
optimum = solver(stb)


class GetAndSet:
    """A persistent map that can do no more than a dive asks for."""

    def __init__(self, held=()):
        self.held = dict(held)

    def get(self, key):
        return self.held.get(key)

    def set(self, key, value):
        return GetAndSet({**self.held, key: value})

    def __eq__(self, other):
        return self.held == other.held

    __hash__ = None


bounds = st.sampled_from([ucb1, ucb_wald, ucb1_with(0.2), wald_with(0.5), lambda q, n, total: -n])
games = st.one_of(
    st.sampled_from([(stb, full_box()), (simple_game, simple_start), (pile_game, Pile(9))]),
    st.builds(lambda seed, players: (random_game(seed, players), 0), seeds, st.integers(1, 3)),
)
maps = st.sampled_from([dict, pmap, Map, GetAndSet])


def plain(tree):
    return tree.held if isinstance(tree, GetAndSet) else dict(tree)


# One dive


def check_dive(game, state, seed, dives, start=pmap, bound=ucb1):
    """Each dive keeps the laws of a dive, and ends at a new position or at an end of the game."""
    ours = partial(uct, game, bound=bound)
    for step in steps(ours, state, dives, seed=seed, empty=start, read=plain):
        check_old_tree(step)
        check_added(game, step)
        check_result(game, step)
        leaf = line_of(game, step)[-1]
        new = set(step.after) - set(step.before)
        assert new <= {leaf}, "another new position than the last on the line"
        ends = any(not game.moves(leaf, event) for event in game.chances(leaf))
        assert new or ends, "a dive stopped where the game goes on"


@settings(max_examples=60)
@given(games, seeds, st.integers(1, 40), st.sampled_from([pmap, Map, GetAndSet]), bounds)
def test_a_dive_adds_its_result_along_one_path(game_and_state, seed, dives, start, bound):
    check_dive(*game_and_state, seed, dives, start, bound)


def test_a_plain_dict_is_welcome_and_stays_as_it_was():
    first = {}
    tree, result = uct(stb, first, full_box(), Random(1))
    assert first == {}
    assert isinstance(tree, PMap)
    assert tree == {full_box(): Record(1, result)}
    known = dict(tree)
    uct(stb, known, full_box(), Random(1))
    assert known == tree


def test_a_position_with_an_empty_record_is_simulated_like_an_unknown_one():
    tree, result = uct(pile_game, {Pile(3): NOTHING}, Pile(3), Random(1))
    assert tree == {Pile(3): Record(1, result)}


def test_a_terminal_position_gets_a_record_and_keeps_it():
    shut = frozenset()
    tree = nth(5, trees(stb, {}, shut, Random(1)))
    assert tree == {shut: Record(5, (5, 0))}


def test_the_default_policy_is_an_argument():
    def pessimist(game, state, rng):
        return (0, 1)

    tree, result = uct(stb, {}, full_box(), default_policy=pessimist)
    assert result == (0, 1)
    once = search(stb, {}, full_box(), 50, Random(1), default_policy=pessimist)
    assert once == nth(50, trees(stb, {}, full_box(), Random(1), default_policy=pessimist))
    assert tree[full_box()] == Record(1, (0, 1))


# Selection


def test_the_child_of_the_highest_bound_is_selected_and_the_first_among_equals():
    moves = (Pile(2, 1), Pile(1, 1), Pile(0, 1))
    even = {move: Record(4, (2, 2)) for move in moves}
    assert best_child(pile_game, pmap(even), moves, 0, ucb1)[0] == moves[0]
    tree = pmap({**even, moves[1]: Record(4, (3, 1))})
    assert best_child(pile_game, tree, moves, 0, ucb1)[0] == moves[1]
    assert best_child(pile_game, tree, moves, 1, ucb1)[0] == moves[0]
    assert best_child(pile_game, tree.remove(moves[2]), moves, 0, ucb1)[0] == moves[2]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), min_size=2, max_size=5))
def test_the_total_is_the_visits_of_the_moves_available(wins_and_more):
    """Not of the parent, which other rolls and other parents take elsewhere."""
    seen = []
    moves = [Pile(i, 1) for i in range(len(wins_and_more))]
    tree = pmap({m: Record(w + n, (w, n)) for m, (w, n) in zip(moves, wins_and_more, strict=True)})
    best_child(pile_game, tree, moves, 0, lambda q, n, total: seen.append((q, n, total)) or 0)
    total = sum(w + n for w, n in wins_and_more)
    assert seen == [(w, w + n, total) for w, n in wins_and_more]


def test_bounds_see_scores_from_0_to_1():
    game = random_game(1)._replace(score_range=(-2, 2))
    seen = []
    tree = pmap({1: Record(4, (-8, 8)), 2: Record(4, (0, 0)), 3: Record(4, (8, -8))})
    best_child(game, tree, (1, 2, 3), 0, lambda q, n, total: seen.append(q) or 0)
    assert seen == [0, 2, 4]


# Many dives


def check_rollouts(game, state, seed, rollouts):
    """A leaf gets the record of as many games as were played from it."""
    rng, played = Random(seed), Random(seed)
    results = [playout(game, state, played) for _ in range(rollouts)]
    tree, result = uct_with_rollouts(game, {}, state, rollouts, rng)
    assert tree[state] == tally(results) == Record(rollouts, result)


@given(games, seeds, st.integers(1, 5))
def test_all_the_rollouts_of_a_leaf_are_added(game_and_state, seed, rollouts):
    check_rollouts(*game_and_state, seed, rollouts)


def test_there_is_at_least_one_rollout():
    for dive in (uct_with_rollouts, partial(search, dives=2), partial(search, dives=1), trees):
        with pytest.raises(ValueError, match="`rollouts` must be"):
            dive(pile_game, {}, Pile(3), rollouts=0)


def test_trees_start_with_the_tree_that_was_given():
    tree = search(pile_game, {}, Pile(9), 10, Random(1))
    history = list(islice(trees(pile_game, tree, Pile(9), Random(2)), 5))
    assert history[0] is tree
    assert [tree[Pile(9)].visits for tree in history] == [10, 11, 12, 13, 14]


def test_a_search_may_be_deeper_than_the_stack():
    tree = pmap({Pile(n, n % 2): Record(1, (1, 0)) for n in range(3000)})
    only_one = pile_game._replace(moves=lambda pile, event: pile_game.moves(pile, event)[:1])
    assert search(only_one, tree, Pile(2999, 1), 3)[Pile(0, 0)].visits == 4
    assert search(only_one, tree, Pile(2999, 1), 1)[Pile(0, 0)].visits == 2
    assert uct(only_one, tree, Pile(2999, 1))[0][Pile(0, 0)].visits == 2


# Trees as values


any_tree = record_maps(st.integers(0, 8))


@given(any_tree, any_tree, any_tree, persistent_maps)
def test_merging_is_associative_and_commutative_with_the_empty_tree_as_unit(a, b, c, start):
    check_merge(merge_trees, start(a), start(b), start(c), start())


def check_merge(merged, a, b, c, empty):
    assert merged(merged(a, b), c) == merged(a, merged(b, c))
    assert merged(a, b) == merged(b, a)
    assert merged(a, empty) == merged(empty, a) == a
    for key in {*a, *b}:
        assert merged(a, b)[key] == merge(a.get(key) or NOTHING, b.get(key) or NOTHING)
    assert set(merged(a, b)) == {*a, *b}


@example({1: Record(1, (1, 0))}, {1: Record(2, (0, 2)), 2: NOTHING}, pmap)
@example({1: Record(1, (1, 0)), 2: NOTHING}, {1: Record(2, (0, 2))}, pmap)
@given(any_tree, any_tree, maps)
def test_a_tree_with_new_records_has_them_in_the_place_of_its_own(a, b, start):
    tree = as_tree(start(a))
    changed = with_records(tree, b)
    assert plain(changed) == {**a, **b}
    assert plain(tree) == a
    assert type(changed) is type(tree)


def test_merging_takes_plain_dicts():
    tree = search(stb, {}, full_box(), 20, Random(1))
    assert merge_trees(dict(tree), {}) == merge_trees({}, dict(tree)) == tree
    assert isinstance(merge_trees({}, {}), PMap)


@settings(max_examples=30)
@given(games, seeds, st.integers(1, 80), st.data(), maps)
def test_a_subtree_has_the_positions_reached_through_the_tree(
    game_and_state, seed, dives, data, start
):
    game, root = game_and_state
    tree = search(game, Map() if start is GetAndSet else start(), root, dives, Random(seed))
    state = data.draw(st.sampled_from(sorted(tree, key=str)))

    reached, size = {state}, 0
    while size < len(reached):
        size = len(reached)
        reached |= {child for known in reached for child in children(game, known) if child in tree}
    part = subtree(game, tree, state)
    assert plain(part) == {position: tree[position] for position in reached}
    assert type(part) is type(tree)


def test_the_subtree_of_an_unknown_position_is_empty():
    tree = search(pile_game, {}, Pile(9), 20, Random(1))
    assert subtree(pile_game, tree, Pile(100)) == {}
    assert subtree(pile_game, {}, Pile(9)) == {}


def test_a_search_goes_on_from_a_subtree():
    tree = search(pile_game, {}, Pile(9), 200, Random(1))
    part = subtree(pile_game, tree, Pile(8, 1))
    on = search(pile_game, part, Pile(8, 1), 50, Random(2))
    assert on[Pile(8, 1)].visits == tree[Pile(8, 1)].visits + 50
    whole = search(pile_game, tree, Pile(8, 1), 50, Random(2))
    assert on == subtree(pile_game, whole, Pile(8, 1))


# What a person asks of a search


@settings(max_examples=50)
@given(games, seeds, st.integers(1, 100), bounds)
def test_the_move_table_has_the_bounds_that_the_search_selects_by(
    game_and_state, seed, dives, bound
):
    game, state = game_and_state
    tree = search(game, {}, state, dives, Random(seed), bound=bound)
    low, high = game.score_range
    player = game.to_move(state)
    for event in set(game.chances(state)):
        rows = move_table(game, tree, state, event, bound=bound)
        moves = game.moves(state, event)
        assert [row.move for row in rows] == list(moves)
        total = sum(row.visits for row in rows)
        for row in rows:
            record = tree.get(row.move, NOTHING)
            assert row.visits == record.visits
            assert row.explore == row.bound - row.exploit
            if not row.visits:
                assert (row.mean, row.interval, row.exploit) == (None, game.score_range, 0)
                continue
            assert row.mean == mean(record, player)
            assert row.exploit == pytest.approx((row.mean - low) / (high - low), abs=1e-12)
            assert row.interval[0] - 1e-9 <= row.mean <= row.interval[1] + 1e-9
            points = (record.scores[player] - row.visits * low) / (high - low)
            assert row.bound == bound(points, row.visits, total)
        if rows:
            selected, _ = best_child(game, tree, moves, player, bound)
            assert max(rows, key=lambda row: row.bound).move == selected


def test_an_unvisited_move_has_a_row():
    (row, _) = move_table(pile_game, {}, Pile(5), None)
    assert (row.visits, row.mean, row.interval) == (0, None, (0, 1))
    assert row.bound == row.explore == float("inf")


# What a tree has learnt


def test_the_policy_takes_the_best_mean_or_the_most_visited():
    often, well = Pile(4, 1), Pile(3, 1)
    tree = {often: Record(10, (5, 5)), well: Record(4, (3, 1))}
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
    assert solver(stb, learnt({}))(full_box()) == solver(stb, uniform)(full_box())


def learnt_value(tree, box=None):
    return solver(stb, learnt(tree))(full_box() if box is None else box)[0]


@settings(max_examples=10)
@given(seeds, st.sampled_from([50, 500, 2000]), st.sampled_from([ucb1, ucb_wald]))
def test_no_tree_has_learnt_more_than_there_is_to_know(seed, dives, bound):
    value = solver(stb, learnt(search(stb, {}, full_box(), dives, Random(seed), bound=bound)))
    assert value(full_box()) <= optimum(full_box())
    for box in all_boxes[:: len(all_boxes) // 20]:
        assert value(box)[0] <= optimum(box)[0]


@pytest.mark.slow
def test_learning_has_occurred():
    """Seeds and trees are the same everywhere, so these are facts, not samples."""
    random_play = solver(stb, uniform)(full_box())[0]
    young, old = (
        [search(stb, {}, full_box(), dives, Random(seed), bound=ucb_wald) for seed in range(5)]
        for dives in (1000, 10_000)
    )
    assert all(random_play < learnt_value(tree) < optimum(full_box())[0] for tree in old)
    assert sum(map(learnt_value, young)) < sum(map(learnt_value, old))


def test_the_tree_of_a_solved_game_plays_it_perfectly():
    tree = search(pile_game, {}, Pile(10), 3000, Random(1))
    for pile in (Pile(10), Pile(8), Pile(7)):
        assert solver(pile_game, learnt(tree))(pile) == solver(pile_game)(pile)


def test_merged_searches_are_worth_more_than_one_of_them_on_average():
    parts = [search(stb, {}, full_box(), 1000, Random(seed), bound=ucb_wald) for seed in range(8)]
    assert learnt_value(reduce(merge_trees, parts)) > sum(map(learnt_value, parts)) / 8


def test_a_pair_of_tree_and_result_is_no_tree():
    for call in (
        lambda pair: merge_trees({}, pair),
        lambda pair: search(pile_game, pair, Pile(5), 10),
        lambda pair: subtree(pile_game, pair, Pile(5)),
    ):
        with pytest.raises(
            ValueError, match=r"`tree` must be a map .*\{\} is the first one, and uct"
        ):
            call(uct(pile_game, {}, Pile(5)))
