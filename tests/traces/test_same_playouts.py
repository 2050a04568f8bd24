"""The same seed plays the same games, with as many draws, on every Python.

Statistics do not see a small change in a fast playout, or a draw too many. A digest does.
"""

import hashlib
from random import Random

import pytest

from purembts.game import playout
from purembts.games import last_coin, mnk, reversi
from purembts.games.big_two import Rules, big_two, deal
from purembts.games.shut_the_box import full_box, shut_the_box

GAMES = {
    "coins": (last_coin.last_coin(), last_coin.pile(150), "fb7515d8"),
    "coins, misere": (last_coin.last_coin((3, 1, 4), misere=True), last_coin.pile(97), "93af4435"),
    "coins, four numbers": (last_coin.last_coin((2, 3, 5, 7)), last_coin.pile(200), "b02b9a73"),
    "coins, 64 numbers": (last_coin.last_coin(range(1, 65)), last_coin.pile(3000), "12608917"),
    "coins, 65 numbers": (last_coin.last_coin(range(1, 66)), last_coin.pile(3000), "a973f26d"),
    "tic-tac-toe": (mnk.tic_tac_toe, mnk.tic_tac_toe.start, "77201e8b"),
    "gomoku": (mnk.gomoku, mnk.gomoku.start, "c042e826"),
    "exactly three of 7 x 6": (mnk.mnk(7, 6, 3, exactly=True), mnk.Board(), "c5bae9b2"),
    "reversi": (reversi.reversi(), reversi.start(), "b65026d8"),
    "reversi, 6 x 6": (reversi.reversi(6), reversi.start(6), "d3ff9536"),
    "Big Two": (big_two(), deal(Random(5)), "1cddf2cf"),
    "Big Two, a pass bars": (big_two(Rules(after_pass=False)), deal(Random(5)), "149fa53c"),
    "Shut the Box": (shut_the_box(), full_box(), "cb0ee367"),
}


def digest_of_playouts(game, state):
    """The results of 100 games with one generator, and its next number."""
    rng = Random(7)
    results = [playout(game, state, rng) for _ in range(100)]
    return hashlib.sha256(f"{results} {rng.random():.9g}".encode()).hexdigest()[:8]


@pytest.mark.parametrize("name", GAMES)
def test_playouts_are_the_same_with_the_same_seed(name):
    game, start, golden = GAMES[name]
    assert digest_of_playouts(game, start) == golden
