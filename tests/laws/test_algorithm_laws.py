"""Right playouts, simulations, bounds and solvers keep their laws.

The faults that the laws catch are in faults.toml. Here are those in games with chance, or with
three players. `test_bandits` checks the policies.
"""

from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foreign
from foreign import coins
from purembts import exact, simulation
from purembts.bounds import CONSTANTS, ucb1, ucb_wald
from purembts.game import plain_playout
from purembts.game import playout as our_playout
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.verify.algorithm_laws import (
    _result_probabilities,
    check_bound,
    check_playout,
    check_simulate,
    check_solver,
)
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import quick_game

START = (7, 0)
random_games = st.builds(
    lambda seed, players, size: quick_game(random_game(seed, players, size=size)),
    seeds,
    st.integers(1, 3),
    st.sampled_from([10, 12]),
)
threes = quick_game(random_game(4, 3, size=10))
box_game = shut_the_box(levers=6)
rough = {"n": 3000, "effect": 0.2}
RIGHT = {
    "playout": lambda: check_playout(partial(our_playout, coins), coins, START),
    "playout at an end": lambda: check_playout(partial(our_playout, coins), coins, (0, 1)),
    "playout in lists": lambda: check_playout(
        lambda pile, rng: [*foreign.playout(pile, rng)], coins, START
    ),
    "playout for three": lambda: check_playout(partial(plain_playout, threes), threes, 0, **rough),
    "simulate": lambda: check_simulate(partial(simulation.simulate, coins), coins, START),
    "simulate one coin": lambda: check_simulate(foreign.simulate, coins, (1, 0)),
    "simulate for three": lambda: check_simulate(
        partial(simulation.simulate, threes), threes, 0, **rough
    ),
    "solver in decimals": lambda: check_solver(
        lambda pile: map(Decimal, foreign.value(pile)), coins, (30, 0)
    ),
    "solver": lambda: check_solver(exact.solver(coins), coins, (30, 0)),
    "solver with chance": lambda: check_solver(exact.solver(box_game), box_game, full_box(6)),
}


@pytest.mark.parametrize("check", RIGHT.values(), ids=RIGHT)
def test_right_algorithms_keep_the_laws(check):
    check()


def test_a_solver_in_numbers_of_numpy_keeps_the_laws():
    single = pytest.importorskip("numpy").float32
    check_solver(lambda pile: [*map(single, foreign.value(pile))], coins, (30, 0))


def without_an_event(game, kept):
    return game._replace(chances=lambda state: kept(game.chances(state)))


chancy = quick_game(random_game(10, players=1))
once = without_an_event(chancy, lambda events: tuple(dict.fromkeys(events)))
unlucky = without_an_event(threes, lambda events: events[-1:])
WRONG = {
    "A playout must have the results of uniformly random play": lambda: check_simulate(
        partial(simulation.simulate, unlucky), threes, 0, **rough
    ),
    "must be the mean over the events": lambda: check_solver(exact.solver(once), chancy, 0),
    "must be the mean .* of the value of a best move": lambda: check_solver(
        exact.solver(threes, policy=exact.uniform), threes, 0
    ),
}


@pytest.mark.parametrize(("message", "check"), WRONG.items())
def test_catches_a_fault_in_a_game_with_chance_or_three_players(message, check):
    with pytest.raises(AssertionError, match=message):
        check()


def test_a_message_about_a_value_in_floats_has_floats():
    value, box = exact.solver(box_game), frozenset({1, 2, 3, 4})

    def wrong(at):
        return (0.1, 0.9) if at == box else [*map(float, value(at))]

    with pytest.raises(AssertionError, match=r"\(0\.1, 0\.9\)\. Right is \(0\.147\d+, 0\.852\d+\)"):
        check_solver(wrong, box_game, box)


@settings(max_examples=20)
@given(random_games)
def test_the_probabilities_of_results_have_the_values_of_the_solver(game):
    exactly = _result_probabilities(game, 0)
    assert sum(exactly.values()) == 1
    value = exact.solver(game, policy=exact.uniform)(0)
    for player in range(game.players):
        assert sum(p * Fraction(result[player]) for result, p in exactly.items()) == value[player]


GOOD = [
    ucb1,
    ucb_wald,
    *(bound(constant) for bound in CONSTANTS.values() for constant in (0, 0.1, 5)),
    lambda q, n, total: min(1, ucb1(q, n, total)) if n else inf,
    lambda q, n, total: q / n if n else inf,
]


@pytest.mark.parametrize("bound", GOOD)
def test_right_bounds_keep_the_laws(bound):
    check_bound(bound)


@settings(max_examples=15)
@given(random_games)
def test_solvers_in_fractions_and_in_floats_keep_the_laws_in_any_game(game):
    check_solver(exact.solver(game), game, 0)
    thirds = game._replace(result=lambda s: tuple(x / 3 for x in game.result(s)))
    check_solver(float_solver(thirds), thirds, 0)


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
