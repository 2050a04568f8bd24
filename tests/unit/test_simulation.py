"""Simulation estimates the values that the solver computes."""

from functools import partial
from itertools import cycle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.chance import pick
from purembts.exact import solver, uniform
from purembts.fast import engine
from purembts.game import plain_playout, playout, turn_at
from purembts.games import last_coin as coins_of
from purembts.games.last_coin import last_coin
from purembts.games.mnk import Board, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.players import flat_player
from purembts.records import tally
from purembts.simulation import simulate
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import Pile, pile_game

random_play = solver(shut_the_box(), policy=uniform)


@pytest.mark.parametrize("game", [random_game(3, players=3), pile_game])
@pytest.mark.parametrize("policy", [playout, partial(plain_playout)])
@pytest.mark.parametrize("n", [1, 2, 200])
def test_simulate_is_the_tally_of_as_many_playouts(game, policy, n):
    start = Pile(9) if game is pile_game else 0
    rng, again = Random(5), Random(5)
    expected = tally([policy(game, start, rng) for _ in range(n)])
    assert simulate(game, start, n, again, default_policy=policy) == expected
    assert rng.random() == again.random()


def first_move(game, state, rng):
    """The result of a game of first moves."""
    while moves := game.moves(state, pick(game.chances(state), rng)):
        state = moves[0]
    return game.result(state)


@pytest.mark.usefixtures("each_form")
@pytest.mark.parametrize("policy", [playout, first_move])
@pytest.mark.parametrize("game", [shut_the_box(), reversi()], ids=lambda game: game.name)
def test_the_fast_form_has_the_same_record_and_leaves_the_same_next_number(game, policy):
    """For a small game, and for one of boards."""
    one, two, how = Random(7), Random(7), {"default_policy": policy}
    plain = simulate(game, game.start, 300, one, **how)
    assert engine.simulate(game, game.start, 300, two, **how) == plain
    assert one.random() == two.random()


# Flat Monte Carlo


@given(seeds, st.integers(1, 50))
def test_flat_spreads_its_games_evenly_over_the_moves(seed, n):
    rng, again = Random(seed), Random(seed)
    moves = tic_tac_toe.moves(Board(), None)
    *_, table = flat_player(tic_tac_toe, n).trees(turn_at(tic_tac_toe, Board(), None), rng)
    assert set(table) == set(moves)
    assert sum(record.visits for record in table.values()) == n
    assert {table[move].visits for move in moves} <= {n // 9, n // 9 + 1}
    for move in moves:
        if table[move].visits:
            assert table[move] == simulate(tic_tac_toe, move, table[move].visits, again)
    assert rng.random() == again.random()


def test_flat_monte_carlo_converges_to_some_losing_moves():
    """The piles where the best move against a random player loses against a good one."""
    at_random, best_play = solver(last_coin(), policy=uniform), solver(last_coin())

    def is_misled(coins):
        moves = last_coin().moves(coins_of.Pile(coins), None)
        chosen = max(moves, key=lambda move: at_random(move)[0])
        return best_play(chosen)[0] == 0

    piles = [coins for coins in range(1, 401) if coins % 3]
    misled = list(filter(is_misled, piles))
    assert [coins for coins in misled if coins < 24] == [14, 17, 20, 22, 23]
    assert [sum(coins >= 24 for coins in some) for some in (misled, piles)] == [124, 251]
    assert f"{float(at_random(coins_of.Pile(19, 1))[0]):.5f}" == "0.50103"
    assert f"{float(at_random(coins_of.Pile(18, 1))[0]):.5f}" == "0.49929"


@pytest.mark.parametrize("results", [[[1, 0]], [None], [3]])
def test_a_wrong_result_of_any_random_game_is_refused(results):
    drawn = cycle(results)
    with pytest.raises(ValueError, match=r"A result of Shut the Box must be .*; got "):
        simulate(shut_the_box(), full_box(), 3, default_policy=lambda *how: next(drawn))
