"""Simulation estimates what the solver knows."""

from random import Random

import pytest
from hypothesis import given, settings

from purembts.exact import solver, uniform
from purembts.game import playout
from purembts.games.shut_the_box import (
    all_boxes,
    full_box,
    shut_the_box,
    simple_game,
    simple_start,
)
from purembts.records import NOTHING, merge, tally
from purembts.simulation import look_up_table, simulate
from stats import assert_probability
from strategies import rules_and_boxes, seeds, some_boxes
from toys import Pile, pile_game, random_game

random_play = solver(shut_the_box(), uniform)
simple_play = solver(simple_game)


def check_simulation(game, state, exact, seed, n=2000, effect=0.11):
    """Held against the exact value of `state` for the first player, who wins or loses."""
    record = simulate(game, state, n, Random(seed))
    assert record.visits == n
    assert sum(record.scores) == n
    assert_probability(record.scores[0], n, exact, effect=effect)


@settings(max_examples=50)
@given(some_boxes, seeds)
def test_random_play_wins_as_often_as_the_solver_says(box, seed):
    check_simulation(shut_the_box(), box, random_play(box)[0], seed)


@settings(max_examples=50)
@given(some_boxes, seeds)
def test_the_simplified_game_is_won_as_often_as_the_solver_says(box, seed):
    check_simulation(simple_game, box, simple_play(box)[0], seed)


@settings(max_examples=50)
@given(rules_and_boxes, seeds)
def test_variants_are_won_as_often_as_the_solver_says(rules_and_box, seed):
    rules, box = rules_and_box
    exact = solver(shut_the_box(rules), uniform)(box)[0]
    check_simulation(shut_the_box(rules), box, exact, seed)


def test_the_whole_game_at_random():
    check_simulation(shut_the_box(), full_box(), random_play(full_box())[0], 1, 200_000, 0.0035)


def test_the_whole_simplified_game():
    check_simulation(simple_game, simple_start, simple_play(simple_start)[0], 1, 200_000, 0.0005)


@settings(max_examples=20)
@given(seeds)
def test_two_sides_take_turns(seed):
    check_simulation(pile_game, Pile(7), solver(pile_game, uniform)(Pile(7))[0], seed)


def test_simulate_is_the_tally_of_playouts():
    game = random_game(3, players=3)
    rng, again = Random(5), Random(5)
    expected = tally([playout(game, 0, rng) for _ in range(200)])
    assert simulate(game, 0, 200, again) == expected
    assert rng.random() == again.random()


def test_simulations_add_up():
    game, rng = random_game(4), Random(5)
    parts = merge(simulate(game, 0, 70, rng), simulate(game, 0, 30, rng))
    assert parts == simulate(game, 0, 100, Random(5))


def test_the_look_up_table_has_every_state():
    table = look_up_table(shut_the_box(), all_boxes, 3, Random(1))
    assert set(table) == set(all_boxes)
    assert {record.visits for record in table.values()} == {3}


def test_a_terminal_position_is_won_or_lost_without_a_draw():
    rng = Random(1)
    assert simulate(shut_the_box(), frozenset(), 10, rng).scores == (10, 0)
    assert rng.random() == Random(1).random()


@pytest.mark.parametrize("n", [0, -1, 1e6, "10", None])
def test_n_is_a_whole_number_of_at_least_one(n):
    with pytest.raises(ValueError, match=r"n is .*; it has to be a whole number of at least 1"):
        simulate(shut_the_box(), full_box(), n)
    assert simulate(shut_the_box(), full_box(), 1) != NOTHING
