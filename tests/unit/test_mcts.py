"""Dives: what one changes, that many come to the same however they are run, what is learnt."""

from functools import partial
from math import nan
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyrsistent import pmap
from toolz import nth

from purembts.bounds import Bound, ucb1
from purembts.fast.engine import search
from purembts.game import playout, turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin, pile
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.knowledge.narrowing import informed
from purembts.mcts import best_child, final_of, learnt, merge_trees, subtree, trees, uct
from purembts.positions import children
from purembts.records import NOTHING, Record, as_tree, mean, merge, tally, visits, with_records
from purembts.simulation import simulate
from purembts.verify import search_laws
from purembts.verify.random_games import random_game
from purembts.verify.strategies import record_maps, seeds
from toys import MAPPINGS, PERSISTENT, all_maps, bounds, games, kind_of, maps, pile_game, plain, stb

# One dive


@given(games, seeds, st.integers(1, 40), maps, bounds)
def test_a_dive_adds_its_result_along_one_path(game_and_state, seed, dives, start, bound):
    """Each dive keeps the laws of a dive, and ends at a new position or at an end of the game."""
    game, state = game_and_state
    ours = partial(uct, game, bound=bound)
    tree, rng = start(), Random(seed)
    for _ in range(dives):
        tree, growth = search_laws.growth_of(ours, tree, state, rng, "A dive", read=plain)
        search_laws.check_dive(game, growth)
        leaf = search_laws._line_of(game, growth)[-1]
        new = {state for state, (old, _) in growth.changes.items() if old == NOTHING}
        assert new <= {leaf}, "another new position than the last on the line"
        ends = any(not game.moves(leaf, event) for event in game.chances(leaf))
        assert new or ends, "a dive stopped where the game goes on"


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


@pytest.mark.parametrize("play", [lambda state, rng: (1, 0), lambda game, state, rng: 1 / 0, 3])
@pytest.mark.parametrize("call", [uct, partial(search, dives=9), simulate])
def test_a_default_policy_that_fails_is_named(call, play):
    subject = (pile(5), 9) if call is simulate else ({}, pile(5))
    three = (
        "must be a function of a game, a position and a generator, with the result of a game; got"
    )
    with pytest.raises(ValueError, match=rf"^`default_policy` {three} \w+: .*, from Pile\("):
        call(last_coin(), *subject, default_policy=play)
    with pytest.raises(ValueError, match=rf"^`playout` of Last coin {three} \w+: .*, from Pile\("):
        call(informed(last_coin(), play), *subject)


@pytest.mark.parametrize("record", [Record(-2, (1, 1)), Record(2, (nan, 1)), Record(1.5, (1, 0))])
def test_a_first_record_that_cannot_be_is_refused_by_a_search(record):
    with pytest.raises(ValueError, match=r"^`(visits|scores)` must be"):
        search(last_coin(), {pile(9): record}, pile(9), 9, Random(7))


# Selection


def test_the_child_of_the_highest_bound_is_selected_and_the_first_among_equals():
    moves = (Pile(2, 1), Pile(1, 1), Pile(0, 1))
    even = {move: Record(4, (2, 2)) for move in moves}
    assert best_child(pile_game, pmap(even), moves, 0, ucb1) == (moves[0], even[moves[0]])
    tree = pmap({**even, moves[1]: Record(4, (3, 1))})
    assert best_child(pile_game, tree, moves, 0, ucb1) == (moves[1], Record(4, (3, 1)))
    assert best_child(pile_game, tree, moves, 1, ucb1)[0] == moves[0]
    assert best_child(pile_game, tree.remove(moves[2]), moves, 0, ucb1) == (moves[2], NOTHING)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), min_size=2, max_size=5))
def test_the_total_is_the_visits_of_the_moves_available(wins_and_more):
    """Not those of the parent, which has other visits with other rolls."""
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
    halves = Bound("half", lambda q, n: seen.append(q) or 0)
    assert search(game, tree.set(0, Record(1, (0, 0))), 0, 1, bound=halves)[0].visits == 2
    assert set(seen) <= {0, 1, 2, 4}, "and the 1 that tries the bound"


# Many dives


@given(games, seeds, st.integers(1, 5))
def test_all_the_rollouts_of_a_leaf_are_added(game_and_state, seed, rollouts):
    """A leaf gets the record of as many games as were played from it."""
    game, state = game_and_state
    rng, played = Random(seed), Random(seed)
    results = [playout(game, state, played) for _ in range(rollouts)]
    tree, result = uct(game, {}, state, rng, rollouts=rollouts)
    assert tree[state] == tally(results) == Record(rollouts, result)


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
    x, y, z = one(a), other(b), other(c)
    both = merge_trees(x, y)
    assert plain(merge_trees(both, z)) == plain(merge_trees(x, merge_trees(y, z)))
    assert plain(both) == plain(merge_trees(y, x))
    assert plain(merge_trees(x, one())) == plain(merge_trees(one(), x)) == a
    for key in {*a, *b}:
        assert both[key] == merge(a.get(key) or NOTHING, b.get(key) or NOTHING)
    assert set(plain(both)) == {*a, *b}
    assert [plain(tree) for tree in (x, y, z)] == [a, b, c], "they stay as they were"
    assert type(both) is kind_of(one)


@example({1: Record(1, (1, 0))}, {1: Record(2, (0, 2)), 2: NOTHING}, pmap)
@example({1: Record(1, (1, 0)), 2: NOTHING}, {1: Record(2, (0, 2))}, pmap)
@given(any_tree, any_tree, maps)
def test_a_tree_with_new_records_has_them_in_the_place_of_its_own(a, b, start):
    tree = as_tree(start(a))
    changed = with_records(tree, b)
    assert plain(changed) == {**a, **b}
    assert plain(tree) == a
    assert type(changed) is type(tree)


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


def test_the_subtree_of_an_unknown_position_is_empty():
    tree = search(pile_game, {}, Pile(9), 20, Random(1))
    assert subtree(pile_game, tree, Pile(100)) == {}
    assert subtree(pile_game, {}, Pile(9)) == {}


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


@pytest.mark.parametrize(
    ("game", "rank"),
    [(shut_the_box(), mean), (last_coin(), visits), (reversi(), visits), (big_two(), mean)],
)
def test_moves_are_ranked_by_visits_where_chance_does_not_decide_them(game, rank):
    assert final_of(game) is rank
