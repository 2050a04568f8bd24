"""The fast form of folding `uct`: equal to it, to the last bit and the last draw."""

from itertools import accumulate, islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyrsistent import pmap
from toolz import nth

from purembts.bounds import CONSTANTS, ucb1, ucb1_with, ucb_wald
from purembts.fast.engine import search, strides
from purembts.game import turn_at
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import full_box
from purembts.mcts import trees, uct
from purembts.records import Record
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import Map, Pile, bounds, chain, games, kind_of, maps, pile_game, plain, stb

pytestmark = pytest.mark.usefixtures("each_form")


def check_search_is_folding(game, state, seed, dives, bound, before, start, rollouts=1):
    """From a tree of `before` dives, at once or one by one: the same tree, as many draws."""
    one, two, how = Random(seed), Random(seed), {"bound": bound, "rollouts": rollouts}
    tree = start()
    if before:
        tree = nth(before, trees(game, tree, state, Random(seed + 1), **how))
    folded = nth(dives, trees(game, tree, state, one, **how))
    at_once = search(game, tree, state, dives, two, **how)
    assert plain(at_once) == plain(folded)
    assert type(at_once) is type(folded) is kind_of(start)
    assert one.random() == two.random(), "another number of draws"


@given(games, seeds, st.integers(1, 60), bounds, st.integers(0, 30), maps, st.integers(1, 4))
def test_search_is_folding(game_and_state, seed, dives, bound, before, start, rollouts):
    check_search_is_folding(*game_and_state, seed, dives, bound, before, start, rollouts)


def test_scores_of_no_visits_do_not_count():
    tree = {1: Record(0, (3, 3, 3)), 2: Record(0, (0, 0, 0))}
    game = random_game(3, players=3)
    folded = nth(200, trees(game, tree, 0, Random(1)))
    assert search(game, tree, 0, 200, Random(1)) == folded


MANY = (stb, full_box(), 7, 1000)
BY_PLAYOUT = (reversi(4), reversi(4).start, 7, 100)
"""A game with a playout of its own."""


@pytest.mark.parametrize(
    ("how", "bound", "before"),
    [(MANY, ucb1, 500), (MANY, ucb_wald, 500), (BY_PLAYOUT, ucb1, 0), (BY_PLAYOUT, ucb1, 20)],
)
def test_search_is_folding_for_many_dives_and_for_a_playout_of_the_game(how, bound, before):
    check_search_is_folding(*how, bound, before, pmap)


# Where rounding or huge numbers could make a difference


def check_same_as_folding(game, tree, state, bound):
    folded = nth(150, trees(game, tree, state, Random(7), bound=bound))
    assert search(game, tree, state, 150, Random(7), bound=bound) == folded


numbers = st.sampled_from([0, 0.01, 0.5, 2, 30, 1e6])
any_bounds = st.sampled_from([ucb1, ucb_wald]) | st.one_of(map(numbers.map, CONSTANTS.values()))
ranges = [(0, 1), (-1, 1), (0, 2), (0, 4), (1, 2), (-1, 0), (0, 0.3), (-0.3, 0.7)]
"""0.3 added up 7 times and divided by 0.3 is more than 7."""
some_visits = st.sampled_from([0, 2**26 - 60, 2**51])


@settings(max_examples=60)
@given(any_bounds, st.sampled_from(ranges), some_visits)
def test_search_is_folding_for_any_bound_range_and_number_of_visits(bound, score_range, n):
    low, high = score_range
    game = pile_game._replace(
        result=lambda pile: (high, low) if pile.player == 1 else (low, high),
        score_range=score_range,
        score_sum=low + high,
    )

    def record(visits, won):
        lost = visits - won
        return Record(visits, (low * lost + high * won, low * won + high * lost))

    tree = {
        Pile(6): record(4 * n, 2 * n),
        Pile(5, 1): record(n, n // 3),
        Pile(4, 1): record(n + 1, n // 3 - 1),
    }
    check_same_as_folding(game, tree if n else {}, Pile(6), bound)


@pytest.mark.parametrize("is_small", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_positions_shared_by_different_movers_keep_a_bound_for_each(seed, is_small):
    """Three players, and scores from 0 to 1, which are not scaled."""
    whole = random_game(seed, players=3)._replace(is_small=is_small)
    game = whole._replace(
        result=lambda s: tuple((x + 2) / 4 for x in whole.result(s)), score_range=(0, 1)
    )
    for bound in (ucb1_with(0.3), ucb_wald):
        check_same_as_folding(game, {}, 0, bound)


def test_search_and_folding_have_the_same_limit_of_turns():
    """Ten moves, and the look at the end of the game."""
    enough, short = chain._replace(max_turns=11), chain._replace(max_turns=10)
    check_same_as_folding(enough, {}, Pile(10), ucb1)
    for tree in ({}, search(enough, {}, Pile(10), 30)):
        with pytest.raises(ValueError, match="must end within 10 turns"):
            search(short, tree, Pile(10), 30)
        with pytest.raises(ValueError, match="must end within 10 turns"):
            nth(30, trees(short, tree, Pile(10)))


def test_a_wrong_result_of_any_dive_is_refused():
    """The result is wrong where the game ends without the first move of the mover."""
    wrong = pile_game._replace(result=lambda pile: (1, 0) if pile.player else (0, 9))
    longer = pile_game._replace(result=lambda pile: (1, 0) if pile.player else (0, 1, 0))
    for game in (wrong, longer):
        for seed in range(10):
            with pytest.raises(ValueError, match="A result of pile of coins must be"):
                search(game, {}, Pile(9), 300, Random(seed))
            with pytest.raises(ValueError, match="A result of pile of coins must be"):
                search(game, {}, Pile(9), 30, Random(seed), rollouts=20)


def test_a_record_with_another_number_of_players_is_refused():
    tree = {Pile(5): Record(1, (1,))}
    for dive in (
        lambda: uct(pile_game, tree, Pile(5)),
        lambda: search(pile_game, tree, Pile(5), 1),
        lambda: search(pile_game, tree, Pile(5), 9),
    ):
        with pytest.raises(ValueError, match="must have 2 scores; got Record"):
            dive()


# Searching in strides


@given(games, seeds, st.lists(st.integers(1, 25), min_size=1, max_size=5), bounds, maps)
def test_strides_are_trees_of_folding(game_and_state, seed, lengths, bound, start):
    """After each stride of any length: the same tree, and as many draws."""
    game, state = game_and_state
    one, two = Random(seed), Random(seed)
    ours = list(map(plain, strides(game, start(), state, lengths, one, bound=bound)))
    ends = set(accumulate(lengths, initial=0))
    folded = islice(trees(game, start(), state, two, bound=bound), sum(lengths) + 1)
    assert ours == [plain(tree) for i, tree in enumerate(folded) if i in ends]
    assert one.random() == two.random()


@pytest.mark.parametrize("start", [dict, Map])
@pytest.mark.parametrize("k", [1, 7])
def test_strides_on_a_large_tree_are_trees_of_folding(start, k):
    """Strides that change few of its records."""
    tree = search(stb, start(), full_box(), 3000, Random(1))
    ours = islice(strides(stb, tree, full_box(), k, Random(2)), 40)
    folded = islice(trees(stb, tree, full_box(), Random(2)), 0, None, k)
    assert all(a == b for a, b in zip(ours, folded, strict=False))


def test_an_old_tree_stays_as_it_was():
    kept = list(islice(strides(stb, {}, full_box(), 50, Random(1)), 20))
    for i, tree in enumerate(kept):
        assert tree == (search(stb, {}, full_box(), 50 * i, Random(1)) if i else {})


def test_trees_share_the_records_that_have_not_changed():
    *_, before, after = islice(strides(stb, {}, full_box(), 5, Random(1)), 200)
    same = [state for state in before if before[state] is after[state]]
    assert len(same) >= len(before) - 5 * 10


@given(seeds, st.integers(1, 60), bounds, st.integers(0, 20), st.integers(1, 3), st.booleans())
def test_dives_that_begin_with_a_turn_are_those_of_a_game_that_has_no_other_event(
    seed, dives, bound, before, rollouts, is_small
):
    box, game = full_box(), stb._replace(is_small=is_small)
    tree = search(game, {}, box, before, Random(seed + 1)) if before else {}
    single = game._replace(chances=lambda at: (7,) if at == box else stb.chances(at))
    one, two = Random(seed), Random(seed)
    how = {"bound": bound, "rollouts": rollouts}
    ours = nth(1, strides(game, tree, box, dives, one, turn=turn_at(game, box, 7), **how))
    assert ours == search(single, tree, box, dives, two, **how)
    assert one.random() == two.random()


def test_a_turn_may_have_the_event_none_among_others():
    game = pile_game._replace(chances=lambda pile: (None, "more"))
    game = game._replace(
        moves=lambda pile, event: pile_game.moves(pile, None)[: 1 if event is None else 2]
    )
    turn = turn_at(game, Pile(6), None)
    grown = nth(1, strides(game, {}, Pile(6), 200, Random(1), turn=turn))
    assert grown[turn.moves[0]].visits == 199


def test_a_turn_must_be_at_the_position_and_have_moves():
    for turn in (turn_at(stb, full_box() - {9}, 7), turn_at(stb, frozenset(), None), 7):
        with pytest.raises(ValueError, match=r"`turn` must be (at frozenset|a Turn)"):
            strides(stb, {}, full_box(), 5, Random(1), turn=turn)


def test_a_search_without_strides_is_its_tree():
    assert list(strides(stb, {}, full_box(), [], Random(1))) == [{}]
