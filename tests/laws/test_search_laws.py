"""Right searches keep the laws of searches, with trees of any kind.

The faults that the laws catch are in faults.toml.
"""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foreign
from foreign import coins
from purembts import mcts
from purembts.fast import engine
from purembts.game import Game
from purembts.games.shut_the_box import shut_the_box
from purembts.records import Record
from purembts.verify.laws import read_tree
from purembts.verify.random_games import random_game
from purembts.verify.search_laws import (
    CHANCES,
    LATER,
    _check_learning,
    check_search,
    check_uct,
)
from purembts.verify.statistics import FALSE_ALARM, MISSED, acceptance, at_most, more_than
from purembts.verify.strategies import seeds
from toys import quick_game

START = (7, 0)


@pytest.mark.slow
def test_ours_learn():
    check_uct(partial(mcts.uct, coins), coins, START, learns=100)
    check_search(partial(engine.search, coins), coins, START, learns=100)


@pytest.mark.slow
@settings(max_examples=3)
@given(seeds, st.integers(1, 3), seeds)
def test_ours_keep_the_laws_in_games_with_chance(game_seed, players, seed):
    game = quick_game(random_game(game_seed, players))
    how = {"seed": seed, "learns": None, "dives": 40}
    check_uct(partial(mcts.uct, game), game, 0, **how)
    check_search(partial(engine.search, game), game, 0, **how)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_search_learns_a_solitaire_game_with_chance(seed):
    game = quick_game(random_game(seed, players=1, size=12))
    _check_learning(partial(engine.search, game), game, 0, 300)


def test_a_tree_may_hold_whole_games():
    """A search may put all positions of a random game into the tree."""

    def whole(tree, pile, rng):
        positions = foreign.line(tree, pile)
        while options := foreign.moves(positions[-1]):
            positions.append(options[int(rng.random() * len(options))])
        scores = foreign.result(positions[-1])
        return foreign.added(tree, positions, scores), scores

    check_uct(whole, coins, START)


def test_a_tree_may_keep_means():
    """They are read as sums, with an error of rounding that the laws allow for."""
    thirds = coins._replace(
        result=lambda pile: (1 / 3, 2 / 3) if pile[1] else (2 / 3, 1 / 3), score_range=(0, 1)
    )

    def uct(tree, pile, rng):
        sums = {place: (n, [n * mean for mean in means]) for place, (n, means) in tree.items()}
        positions = foreign.line(sums, pile)
        scores = thirds.result((0, foreign.playout(positions[-1], rng)[0]))
        grown = dict(tree)
        for position in positions:
            n, means = tree.get(position, (0, [0.0, 0.0]))
            moved = [m + (s - m) / (n + 1) for m, s in zip(means, scores, strict=True)]
            grown[position] = (n + 1, moved)
        return grown, scores

    def read(tree):
        return {place: (n, [n * mean for mean in means]) for place, (n, means) in tree.items()}

    check_uct(uct, thirds, START, dives=300, learns=None, read=read)


def test_a_map_must_not_grow_in_place_even_if_it_is_read():
    def uct(tree, pile, rng):
        grown, scores = foreign.uct(tree, pile, rng)
        tree.update(grown)
        return tree, scores

    with pytest.raises(AssertionError, match="The old tree must stay as it was"):
        check_uct(uct, coins, START, read=dict)


def test_any_tree_can_be_read():
    pairs = [((3, 0), 2, (1, 1)), ((1, 1), 0, ())]
    read = read_tree(pairs, lambda tree: {place: (n, scores) for place, n, scores in tree})
    assert read == read_tree({(3, 0): Record(2, (1, 1))}) == {(3, 0): Record(2, (1, 1))}
    for two in (2.0, np.int64(2), np.float64(2), Fraction(2)):
        [record] = read_tree({(3, 0): (two, (1, 1))}).values()
        assert type(record.visits) is int
        assert record == Record(2, (1, 1))
    assert read_tree({(3, 0): (2.5, (1, 1))}) == {(3, 0): (2.5, (1, 1))}


def test_the_law_of_learning_needs_a_game_with_something_to_learn():
    search = foreign.search
    with pytest.raises(ValueError, match=r"right search learns in 10 dives; got \(1, 0\), where"):
        _check_learning(search, coins, (1, 0), 10)
    for game, start in ((coins._replace(score_sum=None), START), (random_game(1, players=3), 0)):
        with pytest.raises(ValueError, match=r"`game` must have one player, or two players and a"):
            _check_learning(search, game, start, 10)


def test_a_game_in_which_the_search_of_the_library_learns_nothing_is_no_fault_of_another():
    """Best play is hardly better than random play, which our search does not find out."""
    box_game = shut_the_box(levers=4)
    with pytest.raises(ValueError, match=r"gets 0\.1474 by best play and 0\.1470 by random play"):
        check_uct(partial(mcts.uct, box_game), box_game, box_game.start, learns=100)


@pytest.mark.parametrize(("n", "effect"), [(CHANCES, 0.14), (LATER, 0.7)])
def test_the_test_of_chance_sees_the_effect_that_it_states(n, effect):
    """Of one of 11 totals. Leaves hide up to 12 dives, and widen the range by as many."""
    alarm, leaves = FALSE_ALARM / CHANCES / 11, 24
    for p in [k / 36 for k in range(37)]:
        low, high = acceptance(n, p, alarm)
        if p + effect <= 1:
            assert at_most(high + leaves, n, p + effect) <= MISSED
        if p - effect >= 0:
            assert more_than(low - leaves - 1, n, p - effect) <= MISSED


def test_catches_a_sum_that_is_not_constant():
    """The second player chooses x, or y after which the first one chooses.

    The first player gets more from x by threatening with a bad reply to y.
    """
    after = {"start": ("x", "y"), "y": ("good", "bad")}
    ends = {"x": (2, 1), "good": (1, 2), "bad": (0, 0)}
    rules = Game(
        lambda at, event: after.get(at, ()),
        ends.__getitem__,
        lambda at: int(at == "start"),
        score_range=(0, 2),
    )
    tree = {"bad": (1, (2, 0)), "good": (1, (1, 2))}
    with pytest.raises(AssertionError, match=r"No policy may .* At 'start', player 0 gets 2"):
        _check_learning(lambda *args: tree, rules, "start", 10)
