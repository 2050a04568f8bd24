"""Right playouts, simulations, bounds and solvers keep their laws.

The faults that the laws catch are in faults.toml. Here are those in games with chance, or with
three players. `test_bandits` checks the policies.
"""

from fractions import Fraction
from functools import cache, partial
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foreign
from foreign import coins
from purembts import exact, simulation
from purembts.bounds import ucb1, ucb1_with, ucb_wald, wald_with
from purembts.game import plain_playout
from purembts.game import playout as our_playout
from purembts.games.shut_the_box import Rules, full_box, shut_the_box
from purembts.verify.algorithm_laws import (
    check_bound,
    check_playout,
    check_simulate,
    check_solver,
    result_probabilities,
)
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import quick_game

START = (7, 0)
broken = partial(pytest.raises, AssertionError)


# Random games


@settings(max_examples=20)
@given(seeds, st.integers(1, 3))
def test_the_probabilities_of_results_have_the_values_of_the_solver(seed, players):
    game = quick_game(random_game(seed, players, size=10))
    exactly = result_probabilities(game, 0)
    assert sum(exactly.values()) == 1
    value = exact.solver(game, policy=exact.uniform)(0)
    for player in range(players):
        assert sum(p * Fraction(result[player]) for result, p in exactly.items()) == value[player]


def test_right_playouts_keep_the_laws():
    check_playout(partial(our_playout, coins), coins, START)
    check_playout(partial(our_playout, coins), coins, (0, 1))
    game = quick_game(random_game(2, players=3, size=12))
    check_playout(partial(plain_playout, game), game, 0, n=3000, effect=0.2)


def test_a_playout_needs_enough_games():
    with pytest.raises(ValueError, match="must be large enough"):
        check_playout(foreign.playout, coins, START, n=100)


# Simulations


def test_right_simulations_keep_the_laws():
    check_simulate(partial(simulation.simulate, coins), coins, START)
    check_simulate(partial(simulation.simulate_crowd, coins), coins, START)
    check_simulate(foreign.simulate, coins, (1, 0))


@pytest.mark.parametrize("players", [1, 3])
def test_simulations_of_games_with_many_results_keep_the_laws(players):
    game = quick_game(random_game(4, players, size=10))
    check_simulate(partial(simulation.simulate, game), game, 0, n=3000, effect=0.2)


def test_catches_a_wrong_simulation_of_a_game_with_many_results():
    """Its random games leave out the first event of chance."""
    game = quick_game(random_game(4, players=3, size=10))
    unlucky = game._replace(chances=lambda state: game.chances(state)[-1:])
    check = partial(check_simulate, game=game, state=0, n=3000, effect=0.2)
    check(partial(simulation.simulate, game))
    with broken(match="A playout must have the results of uniformly random play"):
        check(partial(simulation.simulate, unlucky))


# Bounds

GOOD = [
    ucb1,
    ucb_wald,
    ucb1_with(0),
    ucb1_with(0.1),
    wald_with(0),
    wald_with(5),
    lambda q, n, total: min(1, ucb1(q, n, total)) if n else inf,
    lambda q, n, total: q / n if n else inf,
]


@pytest.mark.parametrize("bound", GOOD)
def test_right_bounds_keep_the_laws(bound):
    check_bound(bound)


# Solvers


def test_right_solvers_keep_the_laws():
    check_solver(lambda pile: [float(x) for x in foreign.value(pile)], coins, (30, 0))
    check_solver(exact.solver(coins), coins, (30, 0))
    box_game = shut_the_box(Rules(levers=6))
    check_solver(exact.solver(box_game), box_game, full_box(rules=Rules(levers=6)))


@settings(max_examples=15)
@given(seeds, st.integers(1, 3))
def test_our_solver_keeps_the_laws_in_any_game(seed, players):
    game = quick_game(random_game(seed, players, size=12))
    check_solver(exact.solver(game), game, 0)


@settings(max_examples=15)
@given(seeds, st.integers(1, 3))
def test_a_solver_in_floats_keeps_the_laws(seed, players):
    thirds = quick_game(random_game(seed, players, size=12))
    game = thirds._replace(result=lambda s: tuple(x / 3 for x in thirds.result(s)))
    check_solver(float_solver(game), game, 0)


def float_solver(game):
    """The literal recursion in floats; the last one among equals is played."""

    @cache
    def value(state):
        outcomes = []
        for event in game.chances(state):
            values = [value(move) for move in reversed(game.moves(state, event))]
            mover = game.to_move(state)
            outcomes.append(max(values, key=lambda v: v[mover]) if values else game.result(state))
        return [sum(column) / len(outcomes) for column in zip(*outcomes, strict=True)]

    return value


def test_catches_a_solver_that_forgets_how_often_an_event_comes():
    """The events are "a", "b" and "b" at some positions."""
    game = quick_game(random_game(10, players=1))
    wrong = exact.solver(game._replace(chances=lambda s: tuple(dict.fromkeys(game.chances(s)))))
    with broken(match="must be the mean over the events"):
        check_solver(wrong, game, 0)


def test_games_without_best_replies_are_held_to_the_equation_alone():
    game = quick_game(random_game(5, players=3))
    check_solver(exact.solver(game), game, 0)
    with broken(match="must be the mean over the events"):
        check_solver(exact.solver(game, policy=exact.uniform), game, 0)
